/**
 * Measures solvers on a case, over several passes of the same time.
 *
 * The solvers alternate: in each round, every solver has one pass. So other load on the machine affects all of them
 * equally. A solver continues where its last pass has ended, block after block, and begins the case again at its end.
 */
import { NO_LIMITS } from '../../exact-cover/search.ts';
import { isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import { type Answers, createAnswers, type EngineName, Stop } from '../../sudoku/engine.ts';
import { createEngine } from '../../sudoku/engines.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { CommandError } from '../exit.ts';
import { pause } from '../terminal/interrupt.ts';
import type { BenchCase } from './bench-case.ts';

/** Every solver proves uniqueness: it stops at the second solution. */
export const SOLUTION_LIMIT = 2;

/** Node limit per puzzle: plain backtracking would take minutes for some 17-clue puzzles. */
export const BENCH_NODES = 500_000;

export interface BenchSolver {
  readonly name: string;
  readonly version?: string;
  /** Node limit per puzzle; Infinity for no limit. */
  readonly maxNodes: number;
  /** Why the solver does not support a geometry; undefined if it does. */
  refuses(geometry: Geometry): string | undefined;
  /**
   * Solves all puzzles of a case, and fills `solutions`, `stop` and `cells` of their answers.
   *
   * @returns the seconds of solving, of a solver that measures its own time
   */
  solve(puzzles: BenchCase, answers: Answers): Promise<number> | undefined;
}

/** Wraps one of the project's engines. @param maxNodes node limit per puzzle, possibly Infinity */
export function engineSolver(name: EngineName, maxNodes: number): BenchSolver {
  const engine = createEngine(name);
  const limits = { ...NO_LIMITS, maxSolutions: SOLUTION_LIMIT, maxNodes };
  return {
    name,
    version: String(engine.version),
    maxNodes,
    refuses: (geometry) => engine.refuses(geometry),
    solve(puzzles, answers) {
      engine.solve(puzzles, 0, puzzles.count, limits, answers);
      return undefined;
    },
  };
}

export interface Pace {
  /** Warm-up before the first pass: long enough for optimising compilation. */
  readonly warmUpMs: number;
  /** Time of a pass. */
  readonly passMs: number;
  readonly passes: number;
}

/** The pace of the command. Tests set shorter times. */
export const benchPace = { warmUpMs: 300, passMs: 500 };

export interface Measurement {
  readonly solver: BenchSolver;
  /** Answers, and those of them that reached the node limit. */
  readonly solved: number;
  readonly limited: number;
  /** Puzzles per second in each pass. */
  readonly rates: readonly number[];
}

/** A block grows until it takes so long; between two blocks, signals are handled. */
const BLOCK_MS = 50;
const FIRST_BLOCK_PUZZLES = 16;
export const MAX_BLOCK_PUZZLES = 10_000;

/** @param onProgress receives the current step as text @throws CommandError if an answer is wrong */
export async function measure(
  puzzles: BenchCase,
  solvers: readonly BenchSolver[],
  pace: Pace,
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const counts = new Int8Array(puzzles.count).fill(UNKNOWN);
  const runs = solvers.map((solver) => new Run(solver, puzzles, counts));
  for (const run of runs) {
    onProgress(`${puzzles.name}: warming up ${run.solver.name}`);
    await run.pass(pace.warmUpMs);
  }
  for (let pass = 1; pass <= pace.passes; pass++) {
    onProgress(`${puzzles.name}: pass ${pass} of ${pace.passes}`);
    for (const run of runs) run.rates.push(await run.pass(pace.passMs));
  }
  return runs;
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** No solver has counted the solutions of the puzzle yet. */
const UNKNOWN = -1;

class Run implements Measurement {
  readonly rates: number[] = [];
  readonly solver: BenchSolver;
  solved = 0;
  limited = 0;
  readonly #puzzles: BenchCase;
  /** The number of solutions of each puzzle, up to the limit, as the first solver found it. */
  readonly #counts: Int8Array;
  #next = 0;
  #block = FIRST_BLOCK_PUZZLES;

  constructor(solver: BenchSolver, puzzles: BenchCase, counts: Int8Array) {
    this.solver = solver;
    this.#puzzles = puzzles;
    this.#counts = counts;
  }

  /** Solves for a time. @returns puzzles per second of solving */
  async pass(ms: number): Promise<number> {
    const before = this.solved;
    const endMs = performance.now() + ms;
    let seconds = 0;
    do seconds += await this.#solveBlock();
    while (performance.now() < endMs);
    return (this.solved - before) / seconds;
  }

  /** Times only the solving, and checks every answer. @returns the seconds */
  async #solveBlock(): Promise<number> {
    const { geometry, count, cells, name } = this.#puzzles;
    const { cellCount } = geometry;
    const from = this.#next;
    const to = Math.min(from + this.#block, count);
    const block = {
      name,
      geometry,
      count: to - from,
      cells: cells.subarray(from * cellCount, to * cellCount),
    };
    const answers = createAnswers(block.count, cellCount);
    await pause();
    const startMs = performance.now();
    const own = this.solver.solve(block, answers);
    const elapsedMs = performance.now() - startMs;
    const seconds = own === undefined ? elapsedMs / 1000 : await own;
    this.#check(block, from, answers);
    this.solved += block.count;
    this.#next = to % count;
    if (seconds * 1000 < BLOCK_MS / 2) this.#block = Math.min(this.#block * 2, MAX_BLOCK_PUZZLES);
    return seconds;
  }

  #check({ geometry, count, cells }: BenchCase, from: number, answers: Answers): void {
    for (let i = 0; i < count; i++) {
      const at = i * geometry.cellCount;
      const found = answers.solutions[i]!;
      const wrong = (text: string) => {
        const puzzle = cells.subarray(at, at + geometry.cellCount).join(geometry.size > 9 ? ' ' : '');
        return new CommandError(`${this.solver.name} is wrong about the puzzle ${puzzle}: ${text}`);
      };
      if (answers.stop[i] === Stop.nodeLimit) this.limited++;
      else {
        const known = this.#counts[from + i]!;
        const upToLimit = Math.min(found, SOLUTION_LIMIT);
        if (known === UNKNOWN) this.#counts[from + i] = upToLimit;
        else if (known !== upToLimit) throw wrong(`found ${found} solutions, another solver ${known}`);
      }
      if (found > 0 !== isSolutionOf(geometry, cells, at, answers.cells, at)) {
        throw wrong('its solution breaks a rule or changes a given');
      }
    }
  }
}
