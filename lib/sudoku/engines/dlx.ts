/**
 * The `dlx` engine: sudoku of any geometry by dancing links.
 *
 * An ordinary 9x9 goes to dlx-nine.ts, where bitmasks propagate what is forced and links hold the search. Every
 * other geometry is an exact-cover problem (sudoku-cover.ts), built when its first puzzle comes and kept; a puzzle
 * is that problem with its givens preselected.
 */
import { DancingLinks, type RunLimits, SearchStop } from '../../exact-cover/dancing-links.ts';
import { type Answers, type Engine, type PuzzleCells, type SearchLimits, Stop } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry.ts';
import { type SudokuCover, sudokuCover } from '../sudoku-cover.ts';
import { NineSearch } from './dlx-nine.ts';

/** The search of one geometry's puzzles, one at a time; counts and `run` as in DancingLinks. */
interface Search {
  readonly nodes: number;
  readonly guesses: number;
  readonly solutions: number;
  begin(cells: Uint8Array, at: number): void;
  run(limits: RunLimits): SearchStop;
  /** Writes the solution found last. */
  writeSolution(cells: Uint8Array, at: number): void;
}

/** Makes a `dlx` engine; it takes every geometry. */
export function createDlxEngine(): Engine {
  return new DlxEngine();
}

class DlxEngine implements Engine {
  readonly name = 'dlx';
  readonly version = 2;

  private readonly searches = new WeakMap<Geometry, Search>();
  private paused: { readonly search: Search; readonly index: number; readonly cellCount: number } | undefined;
  /** One object for all calls, so that a puzzle allocates nothing. */
  private readonly runLimits = { maxSolutions: 0, maxNodes: 0, sliceNodes: 0, pauseAtSolution: true };

  refuses(): undefined {
    return undefined;
  }

  solve(puzzles: PuzzleCells, from: number, to: number, limits: SearchLimits, answers: Answers): void {
    const search = this.searchFor(puzzles.geometry);
    const { cellCount } = puzzles.geometry;
    this.paused = undefined;
    for (let index = from; index < to; index++) {
      search.begin(puzzles.cells, index * cellCount);
      answers.cells.fill(0, index * cellCount, (index + 1) * cellCount);
      this.continue(search, index, cellCount, limits, answers);
    }
  }

  resume(limits: SearchLimits, answers: Answers): void {
    if (this.paused === undefined) {
      throw new Error('no puzzle is paused: resume follows a solve or resume whose stop was paused');
    }
    const { search, index, cellCount } = this.paused;
    this.paused = undefined;
    this.continue(search, index, cellCount, limits, answers);
  }

  private searchFor(geometry: Geometry): Search {
    let search = this.searches.get(geometry);
    if (search === undefined) {
      search = isOrdinaryNine(geometry) ? new NineSearch() : new CoverSearch(geometry);
      this.searches.set(geometry, search);
    }
    return search;
  }

  /** Runs until the limits say stop, or pause; leaves the answers of this puzzle up to date. */
  private continue(
    search: Search,
    index: number,
    cellCount: number,
    limits: SearchLimits,
    answers: Answers,
  ): void {
    const { runLimits } = this;
    const sliceEnd = search.nodes + limits.sliceNodes;
    runLimits.maxSolutions = limits.maxSolutions;
    runLimits.maxNodes = limits.maxNodes;
    for (;;) {
      const before = search.solutions;
      runLimits.sliceNodes = sliceEnd - search.nodes;
      // A search keeps only its latest solution: it must stop at the first one for us to write it down.
      runLimits.pauseAtSolution = limits.pauseAtSolution || before === 0;
      const stop = search.run(runLimits);
      if (search.solutions > before && (before === 0 || limits.pauseAtSolution)) {
        search.writeSolution(answers.cells, index * cellCount);
      }
      if (stop === SearchStop.solution && !limits.pauseAtSolution) {
        continue;
      }
      answers.solutions[index] = search.solutions;
      answers.nodes[index] = search.nodes;
      answers.guesses[index] = search.guesses;
      answers.stop[index] = ENGINE_STOP[stop];
      if (answers.stop[index] === Stop.paused) {
        this.paused = { search, index, cellCount };
      }
      return;
    }
  }
}

/** By the core's stop: the engine's. */
const ENGINE_STOP: Readonly<Record<SearchStop, Stop>> = {
  [SearchStop.exhausted]: Stop.exhausted,
  [SearchStop.solutionLimit]: Stop.solutionLimit,
  [SearchStop.nodeLimit]: Stop.nodeLimit,
  [SearchStop.slice]: Stop.paused,
  [SearchStop.solution]: Stop.paused,
};

function isOrdinaryNine(geometry: Geometry): boolean {
  return geometry === standardGeometry(9);
}

/** The general core on a geometry's exact-cover problem. */
class CoverSearch implements Search {
  private readonly cover: SudokuCover;
  private readonly links: DancingLinks;
  private readonly givens: Int32Array;

  constructor(geometry: Geometry) {
    this.cover = sudokuCover(geometry);
    this.links = new DancingLinks(this.cover.problem);
    this.givens = new Int32Array(geometry.cellCount);
  }

  get nodes(): number {
    return this.links.nodes;
  }

  get guesses(): number {
    return this.links.guesses;
  }

  get solutions(): number {
    return this.links.solutions;
  }

  begin(cells: Uint8Array, at: number): void {
    const { givens, cover } = this;
    const { size, cellCount } = cover.geometry;
    let count = 0;
    for (let cell = 0; cell < cellCount; cell++) {
      const digit = cells[at + cell];
      if (digit > size) {
        throw new RangeError(`cell ${cell} has digit ${digit}: expected 0 to ${size}`);
      }
      if (digit !== 0 && cover.firstOption[cell] >= 0) {
        givens[count++] = cover.firstOption[cell] + digit - 1;
      }
    }
    this.links.reset(givens, count);
  }

  run(limits: RunLimits): SearchStop {
    return this.links.run(limits);
  }

  writeSolution(cells: Uint8Array, at: number): void {
    const { cover, links } = this;
    for (let k = 0; k < links.selectedCount; k++) {
      const option = links.selected[k];
      cells[at + cover.cellOf[option]] = cover.digitOf[option];
    }
  }
}
