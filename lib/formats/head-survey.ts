/** Collects what detection needs while the head of a file is read: puzzles, symbols of large sizes, errors. */

import { ZERO } from './bytes/ascii.ts';
import { type AlphabetChoice, decimalAlphabet, SymbolSurvey } from './cells/alphabets.ts';
import type { Decoding } from './cells/cell-decoder.ts';
import { ZeroSurvey } from './cells/zero-survey.ts';
import type { GridPlace } from './records/found.ts';
import type { ParseError, RecordBlock } from './records/record-block.ts';
import { MapSurvey } from './text/maps/map-survey.ts';

/** Up to this size digits are single characters, and 0 is a blank unless the head says otherwise. */
const MAX_DIGIT = 9;

/** What the head says about the alphabets of its puzzles. */
export interface AlphabetDecision {
  /** By size; sizes up to 9x9 only if 0 is a digit. */
  readonly choices: ReadonlyMap<number, AlphabetChoice>;
  /** Sizes for which 0 may be a digit or a blank, and the line of the first such puzzle. */
  readonly undecided: ReadonlyMap<number, number>;
  /** If the file has a puzzle a line: the size of most. */
  readonly lineSize: number | undefined;
  /** Whether the file has a puzzle, or at least a header of one. */
  readonly hasRead: boolean;
  readonly hasPuzzles: boolean;
  /** Number of puzzles. */
  readonly readable: number;
}

/** Unreadable lines that are no damaged puzzles, for each line with a puzzle: more make a page of text. */
const MAX_STRAY_LINES = 10;

export class HeadSurvey {
  /** Format of the first complete puzzle. */
  format: string | undefined;
  /** Some heading has a solution below it. */
  hasSolutions = false;
  /** Some unreadable line is a puzzle, once each line is read alone. */
  hasHiddenLines = false;
  /** The region maps among the grids. */
  readonly maps = new MapSurvey();
  /** The last grid that `takeGrid` accepted. */
  lastGrid: GridPlace | undefined;
  /** Complete puzzles of sizes with a known alphabet. */
  #puzzles = 0;
  #headers = 0;
  firstError: ParseError | undefined;
  /** Records of the blocks. */
  #readable = 0;
  unreadable = 0;
  readonly #surveys = new Map<number, SymbolSurvey>();
  readonly #zeros = new Map<number, ZeroSurvey>();
  /** Sizes of complete puzzles with a known alphabet. */
  readonly #sizes = new Set<number>();
  readonly #known: ReadonlySet<number>;
  /** Puzzles on one line, by size. */
  readonly #lines = new Map<number, number>();
  /** Puzzles on several lines. */
  #multiLine = 0;
  /** Unreadable lines that may be damaged puzzles, and all others. */
  #damagedLines = 0;
  #strayLines = 0;

  /** @param known sizes for which the user gave an alphabet */
  constructor(known: Iterable<number>) {
    this.#known = new Set(known);
  }

  /**
   * Takes a grid whose alphabet is not decided yet.
   *
   * @returns false if the alphabet of its size is known
   */
  takeGrid(codes: Uint16Array, info: GridPlace): boolean {
    const { geometry } = info;
    const { size, cellCount } = geometry;
    if (size <= MAX_DIGIT || this.#known.has(size)) return false;
    let survey = this.#surveys.get(size);
    if (survey === undefined) {
      survey = new SymbolSurvey(size);
      this.#surveys.set(size, survey);
    }
    this.#onLines(size, info.line, info.lineEnd);
    survey.add(codes, cellCount, info.spaced === true);
    if (cellCount === size * size) this.maps.addCodes(codes, size, info.line, info.lineEnd);
    this.format ??= info.format;
    this.lastGrid = info;
    return true;
  }

  /** Takes a grid whose cells are no puzzle. */
  onWrongCells(codes: Uint16Array, { geometry, line }: GridPlace): void {
    const { size, cellCount } = geometry;
    if (cellCount === size * size) this.maps.addWrong(codes, size, line);
  }

  onPuzzle(format: string): void {
    this.format ??= format;
    this.#puzzles++;
  }

  /** Whether puzzles of a size with 0 and another blank must be surveyed one by one. */
  surveysZeros(size: number): boolean {
    return size <= MAX_DIGIT && !this.#known.has(size) && this.#zerosOf(size).isOpen;
  }

  /** Takes a puzzle with several blanks. */
  onMixedBlanks(codes: Uint16Array, { geometry, line }: GridPlace, { alphabet, blanks }: Decoding): void {
    const { size } = geometry;
    if (!blanks.includes(ZERO) || !this.surveysZeros(size) || alphabet !== decimalAlphabet(size)) return;
    this.#zerosOf(size).addMixed(codes, geometry, line);
  }

  /** Takes the records of a finished block. */
  onBlock(block: RecordBlock): void {
    const { cells, count, geometry, layout, line, lineEnd } = block;
    const { size } = geometry;
    let readable = count;
    if (block.notes.size > 0) for (let k = 0; k < count; k++) if (!block.isReadable(k)) readable--;
    this.#readable += readable;
    this.unreadable += count - readable;
    if (layout.format === 'line' && block.notes.size === 0) this.#addLines(size, count);
    else for (let k = 0; k < count; k++) if (block.isReadable(k)) this.#onLines(size, line[k], lineEnd[k]);
    this.maps.addBlock(block);
    this.#sizes.add(size);
    if (size <= MAX_DIGIT && !this.#known.has(size)) this.#zerosOf(size).addReadable(cells, count, geometry);
  }

  /**
   * Takes a line that no recogniser takes.
   *
   * @param isDamaged whether it may have been a puzzle
   * @param size set if it is a puzzle of that size, once each line is read alone
   */
  onUnreadableLine(isDamaged: boolean, size: number | undefined): void {
    if (size !== undefined) {
      this.hasHiddenLines = true;
      this.#onLines(size, 0, 0);
    } else if (isDamaged) this.#damagedLines++;
    else this.#strayLines++;
  }

  onSolution(): void {
    this.hasSolutions = true;
  }

  onHeader(): void {
    this.#headers++;
  }

  onError(error: ParseError): void {
    this.firstError ??= error;
  }

  /** Decides the alphabet of each size. */
  decide(): AlphabetDecision {
    const choices = new Map<number, AlphabetChoice>();
    const undecided = new Map<number, number>();
    let hasRead = this.#puzzles > 0;
    let readable = this.#readable;
    for (const [size, survey] of this.#surveys) {
      const choice = survey.decide();
      choices.set(size, choice);
      const fitting = survey.countFitting(choice.alphabet);
      if (fitting > 0) hasRead = true;
      readable += fitting;
    }
    for (const [size, survey] of this.#zeros) {
      const zero = survey.decide();
      if (zero === 'digit') choices.set(size, { alphabet: decimalAlphabet(size, 0), assumed: false });
      if (zero === 'undecided') undecided.set(size, survey.firstLine ?? 1);
    }
    const hasPuzzles = hasRead || this.#headers > 0;
    return { choices, undecided, lineSize: this.#lineSize(), hasRead, hasPuzzles, readable };
  }

  /** Whether some puzzle of another size than these was read. */
  hasOthers(sizes: ReadonlyMap<number, unknown>): boolean {
    return this.#surveys.size > 0 || [...this.#sizes].some((size) => !sizes.has(size));
  }

  #onLines(size: number, line: number, lineEnd: number): void {
    if (line === lineEnd) this.#addLines(size, 1);
    else this.#multiLine++;
  }

  #addLines(size: number, count: number): void {
    this.#lines.set(size, (this.#lines.get(size) ?? 0) + count);
  }

  #lineSize(): number | undefined {
    let lines = 0;
    let [most, lineSize]: [number, number | undefined] = [0, undefined];
    for (const [size, count] of this.#lines) {
      lines += count;
      if (count > most) [most, lineSize] = [count, size];
    }
    if (this.#strayLines > MAX_STRAY_LINES * (lines + this.#damagedLines)) return undefined;
    return lines > this.#multiLine ? lineSize : undefined;
  }

  #zerosOf(size: number): ZeroSurvey {
    let survey = this.#zeros.get(size);
    if (survey === undefined) {
      survey = new ZeroSurvey(size);
      this.#zeros.set(size, survey);
    }
    return survey;
  }
}
