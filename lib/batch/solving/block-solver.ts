/** Solves blocks: in this thread, or, by the same interface, in a pool of worker threads (lib/node). */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { SubproblemAnswers } from '../../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../../exact-cover/split/subproblem-search.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { type BlockAnswers, markUnreadable, type PuzzleLimits, RangeSolver } from './solve-block.ts';

/** The answers to the subproblems of a search, from other threads or functions. */
export interface OpenSubproblems extends SubproblemAnswers {
  /** Milliseconds of searches that ended before this job began. @default 0 */
  readonly searchMs?: number;
  /** Resolves once more is known, or after some time. */
  progress(): Promise<void>;
  /** Ends the search of those that are left. */
  close(): void;
}

/** Searches subproblems on several threads, or has the answers of functions. */
export interface SubproblemSolver {
  /** Starts the search of a frontier; another one must be closed before. */
  open(problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems;
}

export interface BlockSolver {
  /** Number of solving threads. */
  readonly workers: number;
  /** Number of blocks to keep pending at the same time. */
  readonly depth: number;
  /** Whether blocks and answers must be in shared memory. */
  readonly sharedMemory: boolean;
  /** For long searches of a single problem; undefined without other threads. */
  readonly subproblems?: SubproblemSolver;
  solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void>;
}

/** Solves in this thread. */
export class InlineSolver implements BlockSolver {
  readonly workers = 1;
  readonly depth = 1;
  readonly sharedMemory = false;
  readonly #solver: RangeSolver;

  constructor(engine: Engine, clock: Clock) {
    this.#solver = new RangeSolver(engine, clock);
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    markUnreadable(block, answers);
    this.#solver.begin({ puzzles: block, from: 0, to: block.count, limits, answers });
    this.#solver.run();
  }
}
