/**
 * All tasks of an engine except the search: blocks, limits, slices, pauses and counts.
 *
 * `DepthFirstEngine` makes an engine of any search that can stop before every node and continue from there. The search
 * knows only the maximum number of nodes of one call. The engine counts nodes over all slices of a puzzle, so that
 * pauses change nothing.
 */
import { candidatesRefusal } from '../candidates.ts';
import {
  type Answers,
  type Engine,
  type EngineName,
  type PuzzleCells,
  type SearchLimits,
  type SearchWatch,
  Stop,
} from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';

/** Why a run of a search ended. */
export const RunEnd = {
  /** The grid is a solution; the next run searches for another one. */
  solution: 0,
  exhausted: 1,
  /** The maximum number of nodes was entered; the next run continues. */
  nodes: 2,
} as const;
export type RunEnd = (typeof RunEnd)[keyof typeof RunEnd];

/** The search for the solutions of one puzzle of one geometry. */
export interface PuzzleSearch {
  /** Nodes entered in the latest run, without the root; at most the `maxNodes` of the run. */
  readonly entered: number;
  /** Options tried in the latest run while another one was left. */
  readonly guessed: number;
  /** Reads the givens of a puzzle and enters the root; discards the previous puzzle. */
  begin(cells: Uint8Array, offset: number): void;
  /** Continues the search and enters at most `maxNodes` nodes (a small integer, 0 or more). */
  run(maxNodes: number): RunEnd;
  /** Writes the `cellCount` values of the solution with which the latest run ended. */
  writeSolution(out: Uint8Array, offset: number): void;
}

/** Maximum number of nodes in one run: the counters of the search stay small integers for any budget. */
const RUN_NODES = 2 ** 29;

export class DepthFirstEngine implements Engine {
  readonly name: EngineName;
  readonly version: number;
  private readonly createSearch: (geometry: Geometry) => PuzzleSearch;
  private readonly searches = new WeakMap<Geometry, PuzzleSearch>();

  private geometry: Geometry | undefined;
  private search: PuzzleSearch | undefined;
  private index = 0;
  private paused = false;
  private solutions = 0;
  private nodes = 0;
  private guesses = 0;

  /** @param createSearch called once for each geometry */
  constructor(name: EngineName, version: number, createSearch: (geometry: Geometry) => PuzzleSearch) {
    this.name = name;
    this.version = version;
    this.createSearch = createSearch;
  }

  refuses(geometry: Geometry): string | undefined {
    return candidatesRefusal(this.name, geometry);
  }

  solve(
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): void {
    checkLimits(from, to, limits);
    const { geometry, cells } = puzzles;
    const { cellCount } = geometry;
    const refusal = this.refuses(geometry);
    if (refusal !== undefined) throw new RangeError(refusal);
    if (geometry !== this.geometry) this.useSearchOf(geometry);
    watch?.begin();
    for (let index = from; index < to; index++) {
      checkDigits(geometry, cells, index);
      this.index = index;
      this.solutions = 0;
      this.nodes = 1;
      this.guesses = 0;
      answers.cells.fill(0, index * cellCount, (index + 1) * cellCount);
      this.search!.begin(cells, index * cellCount);
      this.continueSearch(1, limits, answers);
      watch?.end(index);
    }
  }

  resume(limits: SearchLimits, answers: Answers): void {
    if (!this.paused) {
      throw new Error('no puzzle is paused: resume follows a solve or resume whose stop was paused');
    }
    this.continueSearch(0, limits, answers);
  }

  private useSearchOf(geometry: Geometry): void {
    let search = this.searches.get(geometry);
    if (search === undefined) {
      search = this.createSearch(geometry);
      this.searches.set(geometry, search);
    }
    this.geometry = geometry;
    this.search = search;
  }

  /** @param sliceUsed nodes of this slice that were already entered */
  private continueSearch(sliceUsed: number, limits: SearchLimits, answers: Answers): void {
    const stop = this.searchUntilStop(sliceUsed, limits, answers);
    const { index } = this;
    this.paused = stop === Stop.paused;
    answers.stop[index] = stop;
    answers.solutions[index] = this.solutions;
    answers.nodes[index] = this.nodes;
    answers.guesses[index] = this.guesses;
  }

  private searchUntilStop(sliceUsed: number, limits: SearchLimits, answers: Answers): Stop {
    const { maxSolutions, maxNodes, sliceNodes, pauseAtSolution } = limits;
    const search = this.search!;
    const offset = this.index * this.geometry!.cellCount;
    let sliceLeft = sliceNodes - sliceUsed;
    for (;;) {
      const end = search.run(Math.min(maxNodes - this.nodes, sliceLeft, RUN_NODES));
      this.nodes += search.entered;
      this.guesses += search.guessed;
      sliceLeft -= search.entered;
      if (end === RunEnd.exhausted) return Stop.exhausted;
      if (end === RunEnd.solution) {
        this.solutions++;
        if (this.solutions === 1 || pauseAtSolution) search.writeSolution(answers.cells, offset);
        if (this.solutions >= maxSolutions) return Stop.solutionLimit;
        if (pauseAtSolution) return Stop.paused;
      } else if (this.nodes >= maxNodes) {
        return Stop.nodeLimit;
      } else if (sliceLeft <= 0) {
        return Stop.paused;
      }
    }
  }
}

function checkLimits(from: number, to: number, limits: SearchLimits): void {
  const { maxSolutions, maxNodes, sliceNodes, pauseAtSolution } = limits;
  if (!(maxSolutions >= 1 && maxNodes >= 1 && sliceNodes >= 1)) {
    throw new RangeError(
      `limits must be 1 or more: maxSolutions ${maxSolutions}, maxNodes ${maxNodes}, sliceNodes ${sliceNodes}`,
    );
  }
  if (to !== from + 1 && (pauseAtSolution || sliceNodes !== Number.POSITIVE_INFINITY)) {
    throw new RangeError(`a search that may pause solves one puzzle: ${from} to ${to} are ${to - from}`);
  }
}

function checkDigits({ size, cellCount }: Geometry, cells: Uint8Array, index: number): void {
  const offset = index * cellCount;
  if (offset + cellCount > cells.length) {
    throw new RangeError(`puzzle ${index} ends at byte ${offset + cellCount}: the block has ${cells.length}`);
  }
  for (let cell = 0; cell < cellCount; cell++) {
    if (cells[offset + cell] > size) {
      throw new RangeError(
        `puzzle ${index} has digit ${cells[offset + cell]} in cell ${cell}: expected 0 to ${size}`,
      );
    }
  }
}
