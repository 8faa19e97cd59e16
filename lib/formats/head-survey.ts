/** Collects what detection needs while the head of a file is read: puzzles, symbols of large sizes, errors. */
import { type AlphabetChoice, SymbolSurvey } from './cells/alphabets.ts';
import type { GridInfo } from './records/grid-info.ts';
import type { ParseError } from './records/record-block.ts';

export class HeadSurvey {
  /** Format of the first complete puzzle. */
  format: string | undefined;
  /** The last grid that `takeGrid` accepted. */
  lastGrid: GridInfo | undefined;
  /** Complete puzzles of sizes with a known alphabet. */
  #puzzles = 0;
  #headers = 0;
  firstError: ParseError | undefined;
  readonly #surveys = new Map<number, SymbolSurvey>();
  readonly #known: ReadonlySet<number>;

  /** @param known sizes for which the user gave an alphabet */
  constructor(known: Iterable<number>) {
    this.#known = new Set(known);
  }

  /**
   * Takes a grid whose alphabet is not decided yet.
   *
   * @returns false if the alphabet of its size is known
   */
  takeGrid(codes: Uint16Array, info: GridInfo): boolean {
    const { geometry } = info;
    const { size, cellCount } = geometry;
    if (size <= 9 || this.#known.has(size)) return false;
    let survey = this.#surveys.get(size);
    if (survey === undefined) {
      survey = new SymbolSurvey(size);
      this.#surveys.set(size, survey);
    }
    survey.add(codes, cellCount, info.spaced);
    this.format ??= info.format;
    this.lastGrid = info;
    return true;
  }

  onPuzzle(format: string): void {
    this.format ??= format;
    this.#puzzles++;
  }

  onHeader(): void {
    this.#headers++;
  }

  onError(error: ParseError): void {
    this.firstError ??= error;
  }

  /** Decides the alphabet of each size, and whether the file has a puzzle (`hasRead`) or at least a header of one. */
  decide(): { choices: Map<number, AlphabetChoice>; hasRead: boolean; hasPuzzles: boolean } {
    const choices = new Map<number, AlphabetChoice>();
    let hasRead = this.#puzzles > 0;
    for (const [size, survey] of this.#surveys) {
      const choice = survey.decide();
      choices.set(size, choice);
      if (survey.countFitting(choice.alphabet) > 0) hasRead = true;
    }
    return { choices, hasRead, hasPuzzles: hasRead || this.#headers > 0 };
  }
}
