/** Collects what detection needs while the head of a file is read: puzzles, symbols of large sizes, errors. */

import { ZERO } from './bytes/ascii.ts';
import { kept } from './bytes/kept.ts';
import { type AlphabetChoice, decimalAlphabet, type SymbolSurvey, symbolSurvey } from './cells/alphabets.ts';
import type { Decoding } from './cells/cell-decoder.ts';
import { type ZeroSurvey, zeroSurvey } from './cells/zero-survey.ts';
import type { GridPlace } from './records/found.ts';
import { solves } from './records/pair.ts';
import type { ParseError, RecordBlock } from './records/record-block.ts';
import { MapSurvey } from './text/maps/map-survey.ts';

/** Up to this size digits are single characters, and 0 is a blank unless the head says otherwise. */
const MAX_DIGIT = 9;

/** Unreadable lines that are no damaged puzzles, for each line with a puzzle: more make a page of text. */
const MAX_STRAY_LINES = 10;

/** Puzzles that show how those of a file are written. */
const MANY_PUZZLES = 200;

export type HeadSurvey = ReturnType<typeof headSurvey>;
export type HeadDecision = ReturnType<HeadSurvey['decide']>;

/** @returns a `HeadWatch` with what it saw. @param known sizes for which the user gave an alphabet */
export function headSurvey(known: readonly number[]) {
  const seen = {
    /** Format of the first complete puzzle. */
    format: undefined as string | undefined,
    /** Some heading, or another line below a puzzle, has a solution below it. */
    hasSolutions: false,
    /** Some unreadable line is a puzzle, once each line is read alone. */
    hasHiddenLines: false,
    /** The region maps among the grids. */
    maps: new MapSurvey(),
    lastGrid: undefined as GridPlace | undefined,
    firstError: undefined as ParseError | undefined,
    /** The first one that names a rule. */
    firstRule: undefined as ParseError | undefined,
    unreadable: 0,
    takeGrid,
    onWrongCells,
    onPuzzle,
    surveysZeros,
    onMixedBlanks,
    onBlock,
    onUnreadableLine,
    onSolution,
    onHeader,
    onError,
    decide,
    isSettled,
    hasLinesAlone,
    hasOthers,
  };
  const { maps } = seen;
  /** Complete puzzles of sizes with a known alphabet. */
  let puzzles = 0;
  let headers = 0;
  /** Records of the blocks, and those among them that are lines of cells without a label. */
  let readableCount = 0;
  let plainLines = 0;
  const surveys = new Map<number, SymbolSurvey>();
  const zeros = new Map<number, ZeroSurvey>();
  /** Sizes of complete puzzles with a known alphabet. */
  const sizes = new Set<number>();
  /** Puzzles on one line, by size. */
  const lines = new Map<number, number>();
  /** Puzzles on several lines. */
  let multiLine = 0;
  /** Unreadable lines that may be damaged puzzles, and all others. */
  let damagedLines = 0;
  let strayLines = 0;
  let hasWrongRows = false;

  function takeGrid(codes: Uint16Array, info: GridPlace): boolean {
    const { geometry } = info;
    const { size, cellCount } = geometry;
    if (size <= MAX_DIGIT || known.includes(size)) return false;
    const survey = kept(surveys, size, () => symbolSurvey(size));
    onLines(size, info.line, info.lineEnd);
    survey.add(codes, cellCount, info.spaced === true);
    if (cellCount === size * size) maps.addCodes(codes, size, info.line, info.lineEnd);
    seen.format ??= info.format;
    seen.lastGrid = info;
    return true;
  }

  function onWrongCells(codes: Uint16Array, { geometry, line }: GridPlace): void {
    const { size, cellCount } = geometry;
    if (cellCount === size * size) maps.addWrong(codes, size, line);
  }

  function onPuzzle(own: string): void {
    seen.format ??= own;
    puzzles++;
  }

  function surveysZeros(size: number): boolean {
    return size <= MAX_DIGIT && !known.includes(size) && zerosOf(size).isOpen;
  }

  function onMixedBlanks(
    codes: Uint16Array,
    { geometry, line }: GridPlace,
    { alphabet, blanks }: Decoding,
  ): void {
    const { size } = geometry;
    if (!blanks.includes(ZERO) || !surveysZeros(size) || alphabet !== decimalAlphabet(size)) return;
    zerosOf(size).addMixed(codes, geometry, line);
  }

  function onBlock(block: RecordBlock): void {
    const { cells, count, geometry, layout, line, lineEnd } = block;
    const { size } = geometry;
    let readable = 0;
    if (layout.format === 'line' && block.notes.size === 0) {
      readable = count;
      plainLines += count;
      addLines(size, count);
    } else {
      for (let k = 0; k < count; k++) {
        if (!block.isReadable(k)) continue;
        readable++;
        onLines(size, line[k], lineEnd[k]);
      }
    }
    readableCount += readable;
    seen.unreadable += count - readable;
    maps.addBlock(block);
    seen.hasSolutions ||= hasSolutionBelow(block);
    sizes.add(size);
    if (size <= MAX_DIGIT && !known.includes(size)) zerosOf(size).addReadable(cells, count, geometry);
  }

  function onUnreadableLine(isDamaged: boolean, size: number | undefined): void {
    if (size !== undefined) {
      seen.hasHiddenLines = true;
      onLines(size, 0, 0);
    } else if (isDamaged) damagedLines++;
    else strayLines++;
  }

  function onSolution(): void {
    seen.hasSolutions = true;
  }

  function onHeader(): void {
    headers++;
  }

  function onError(error: ParseError): void {
    if (error.code === 'unsupported_variant') seen.firstRule ??= error;
    seen.firstError ??= error;
    // A text may be as long as a row.
    hasWrongRows ||= error.expected !== 'a puzzle' && error.found !== '1 row';
  }

  /** What the head says, of the alphabets of its puzzles above all. */
  function decide() {
    /** By size; sizes up to 9x9 only if 0 is a digit. */
    const choices = new Map<number, AlphabetChoice>();
    /** Sizes for which 0 may be a digit or a blank, and the line of the first such puzzle. */
    const undecided = new Map<number, number>();
    /** Whether the file has a puzzle. */
    let hasRead = puzzles > 0;
    /** Number of puzzles. */
    let readable = readableCount;
    for (const [size, survey] of surveys) {
      const choice = survey.decide();
      choices.set(size, choice);
      const fitting = survey.countFitting(choice.alphabet);
      if (fitting > 0) hasRead = true;
      readable += fitting;
    }
    for (const [size, survey] of zeros) {
      const zero = survey.decide();
      if (zero === 'digit') choices.set(size, { alphabet: decimalAlphabet(size, 0), assumed: false });
      if (zero === 'undecided') undecided.set(size, survey.firstLine ?? 1);
    }
    const hasDamage = hasWrongRows || damagedLines > 0;
    return {
      choices,
      undecided,
      hasRead,
      readable,
      /** If the file has a puzzle a line: the size of most. */
      lineSize: usualLineSize(),
      /** Whether the file has a puzzle, or at least a header of one. */
      hasPuzzles: hasRead || headers > 0,
      /** Whether some error may be that of a damaged puzzle, not of other text. */
      hasDamage,
    };
  }

  /** Whether so many puzzles were read that others would change nothing: a 9 shows that 0 is no digit. */
  function isSettled(): boolean {
    const { choices, undecided, readable } = decide();
    const isOpen = [...choices].some(([size, { assumed }]) => assumed || size <= MAX_DIGIT);
    return readable >= MANY_PUZZLES && undecided.size === 0 && !isOpen;
  }

  /** Whether all puzzles are lines of cells, which are read many at a time. */
  function hasLinesAlone(): boolean {
    return plainLines === readableCount && surveys.size === 0;
  }

  /** Whether some puzzle of another size than these was read. */
  function hasOthers(these: ReadonlyMap<number, unknown>): boolean {
    return surveys.size > 0 || [...sizes].some((size) => !these.has(size));
  }

  function onLines(size: number, line: number, lineEnd: number): void {
    if (line === lineEnd) addLines(size, 1);
    else multiLine++;
  }

  function addLines(size: number, count: number): void {
    lines.set(size, (lines.get(size) ?? 0) + count);
  }

  function usualLineSize(): number | undefined {
    let all = 0;
    let [most, lineSize]: [number, number | undefined] = [0, undefined];
    for (const [size, count] of lines) {
      all += count;
      if (count > most) [most, lineSize] = [count, size];
    }
    if (strayLines > MAX_STRAY_LINES * (all + damagedLines)) return undefined;
    return all > multiLine ? lineSize : undefined;
  }

  function zerosOf(size: number): ZeroSurvey {
    return kept(zeros, size, () => zeroSurvey(size));
  }

  return seen;
}

/** Whether a full grid has all givens of the last puzzle above it, and something is between them, or a label on its line. */
function hasSolutionBelow(block: RecordBlock): boolean {
  const { cells, count, geometry, layout, line, lineEnd, notes } = block;
  const { cellCount } = geometry;
  const grid = (index: number) => cells.subarray(index * cellCount, (index + 1) * cellCount);
  for (let index = 1; index < count; index++) {
    let above = index - 1;
    // Most records follow each other directly, or have blanks.
    if (line[index] === lineEnd[above] + 1 && notes.size === 0) continue;
    if (!block.isReadable(index) || grid(index).includes(0)) continue;
    while (above >= 0 && !block.isReadable(above)) above--;
    const isApart = layout.format === 'cells-line' || notes.get(index)?.id !== undefined;
    const isBelow = above >= 0 && (isApart || line[index] > lineEnd[above] + 1);
    if (isBelow && solves(grid(index), grid(above))) return true;
  }
  return false;
}
