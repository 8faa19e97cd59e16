/** Collects what detection needs while the head of a file is read: puzzles, symbols of large sizes, errors. */
import type { Geometry } from '../sudoku/geometry/geometry.ts';
import { type AlphabetChoice, SymbolSurvey } from './cells/alphabets.ts';
import { regionsOf } from './cells/regions.ts';
import type { GridInfo } from './records/grid-info.ts';
import type { ParseError } from './records/record-block.ts';

/** Grids that are checked one by one for region maps. */
const MAP_SAMPLE_GRIDS = 64;

export class HeadSurvey {
  /** Format of the first complete puzzle. */
  format: string | undefined;
  /** Some grid is a region map of a jigsaw. */
  regionMaps = false;
  /** The last grid that `takeGrid` accepted. */
  lastGrid: GridInfo | undefined;
  #grids = 0;
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
    this.onCells(codes, geometry);
    survey.add(codes, cellCount, info.spaced);
    this.format ??= info.format;
    this.lastGrid = info;
    return true;
  }

  onPuzzle(format: string): void {
    this.format ??= format;
    this.#puzzles++;
  }

  /** Checks a grid that was read: it may be the region map of the grid before it. */
  onCells(cells: ArrayLike<number>, { size, places }: Geometry): void {
    this.#grids++;
    if (this.regionMaps || this.#grids < 2 || places !== undefined) return;
    this.regionMaps = regionsOf(cells, 0, size) !== undefined;
  }

  /** Whether enough grids were checked one by one to know whether the file has region maps. */
  get knowsMaps(): boolean {
    return this.#grids > MAP_SAMPLE_GRIDS;
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
