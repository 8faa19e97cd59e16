/** What the head of a file shows while it is read for the first time: puzzles, symbols of large sizes, trouble. */
import type { Geometry } from '../sudoku/geometry/geometry.ts';
import { type AlphabetChoice, SymbolSurvey } from './cells/alphabets.ts';
import { regionsOf } from './cells/regions.ts';
import type { GridInfo } from './records/grid-info.ts';
import type { ParseError } from './records/record-block.ts';

/** Grids that are looked at one by one for maps of regions. */
const MAP_SAMPLE_GRIDS = 64;

export class HeadSurvey {
  /** Format of the first complete puzzle. */
  format: string | undefined;
  /** Some grid is the map of a jigsaw's regions. */
  regionMaps = false;
  /** The last grid that `takes` took, where it stood. */
  lastGrid: GridInfo | undefined;
  #grids = 0;
  /** Complete puzzles of sizes whose alphabet is known. */
  #puzzles = 0;
  #headers = 0;
  firstError: ParseError | undefined;
  readonly #surveys = new Map<number, SymbolSurvey>();
  readonly #known: ReadonlySet<number>;

  /** @param known sizes whose alphabet the user gave */
  constructor(known: Iterable<number>) {
    this.#known = new Set(known);
  }

  /**
   * Takes a grid whose alphabet is still to be decided.
   *
   * @param codes of its cells
   */
  takeGrid(codes: Uint16Array, place: GridInfo): boolean {
    const { geometry } = place;
    const { size, cellCount } = geometry;
    if (size <= 9 || this.#known.has(size)) return false;
    let survey = this.#surveys.get(size);
    if (survey === undefined) {
      survey = new SymbolSurvey(size);
      this.#surveys.set(size, survey);
    }
    this.onCells(codes, geometry);
    survey.add(codes, cellCount, place.spaced);
    this.format ??= place.format;
    this.lastGrid = place;
    return true;
  }

  onPuzzle(format: string): void {
    this.format ??= format;
    this.#puzzles++;
  }

  /** Looks at the cells of a grid that was read: it may be the map that belongs to the one before. */
  onCells(cells: ArrayLike<number>, { size, places }: Geometry): void {
    this.#grids++;
    if (this.regionMaps || this.#grids < 2 || places !== undefined) return;
    this.regionMaps = regionsOf(cells, 0, size) !== undefined;
  }

  /** Whether enough grids were seen one by one to know whether maps are among them. */
  get knowsMaps(): boolean {
    return this.#grids > MAP_SAMPLE_GRIDS;
  }

  onHeader(): void {
    this.#headers++;
  }

  onError(error: ParseError): void {
    this.firstError ??= error;
  }

  /** The alphabets of the sizes that were seen, and whether the file holds any puzzle, or announces one. */
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
