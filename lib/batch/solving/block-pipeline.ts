/**
 * Blocks of records on their way through the solver into the result files, in input order.
 *
 *     take -> [ under way, up to the solver's depth ] -> written, counted, given back to the pool
 */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import type { ResultWriter } from '../results/result-writer.ts';
import type { JobStatistics } from '../results/statistics.ts';
import type { BlockPool } from './block-pool.ts';
import type { BlockSolver } from './block-solver.ts';
import { enumerateBlock } from './enumerate-block.ts';
import { OutOfTimeError, type PuzzleLimits } from './solve-block.ts';

/** Who solves, and who looks at the time. */
export interface PipelineDependencies {
  readonly clock: Clock;
  /** Who solves blocks with the engine that the options name. */
  readonly solver: BlockSolver;
  /** That engine itself, for enumerations. */
  readonly engine: Engine;
}

export interface PipelineSettings {
  readonly limits: PuzzleLimits;
  readonly pool: BlockPool;
  readonly results: ResultWriter;
  readonly statistics: JobStatistics;
  /** Counts the solutions of an enumeration without writing them. */
  readonly countOnly: boolean;
  /** Index in the file of the first record that comes, from 1. */
  readonly firstIndex: number;
  /** Called when a block is written and counted. */
  readonly onBlock: () => void;
}

/** A block under way: its answers are there once `solved` resolves. */
interface PendingBlock {
  readonly block: RecordBlock;
  readonly solved: Promise<void>;
}

export class BlockPipeline {
  readonly #dependencies: PipelineDependencies;
  readonly #settings: PipelineSettings;
  readonly #underWay: PendingBlock[] = [];
  /** Records written so far. */
  written = 0;
  /** Milliseconds spent on writing them. */
  writeMs = 0;
  /** When the block before ended. */
  #endMs: number;

  constructor(dependencies: PipelineDependencies, settings: PipelineSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#endMs = dependencies.clock.monotonicMs();
  }

  /**
   * Passes a block of the pool on to the solver, and writes what has come out of it.
   *
   * @throws OutOfTimeError where the deadline has come
   */
  async take(block: RecordBlock): Promise<void> {
    const { solver, engine, clock } = this.#dependencies;
    const { limits, pool } = this.#settings;
    // Records that never come to an engine take time too.
    if (clock.monotonicMs() > limits.deadlineMs) throw new OutOfTimeError();
    const refusal = engine.refuses(block.geometry);
    if (refusal !== undefined) refuseBlock(block, engine, refusal);
    if (limits.maxSolutions > 2) return this.#enumerate(block);
    const solved = solver.solve(block, limits, pool.answersOf(block));
    // A failure is met where the block is awaited; until then it must not count as unhandled.
    solved.catch(() => {});
    this.#underWay.push({ block, solved });
    if (this.#underWay.length >= solver.depth) await this.#writeOldest();
  }

  /** Writes all that is under way. */
  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.#writeOldest();
  }

  /** Waits for what is under way, whatever becomes of it. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ solved }) => solved));
  }

  async #writeOldest(): Promise<void> {
    const { pool, results, firstIndex } = this.#settings;
    const { clock } = this.#dependencies;
    const { block, solved } = this.#underWay[0]!;
    await solved;
    this.#underWay.shift();
    const startMs = clock.monotonicMs();
    await results.writeBlock(block, pool.answersOf(block), firstIndex + this.written);
    this.writeMs += clock.monotonicMs() - startMs;
    this.#finishBlock(block);
  }

  async #enumerate(block: RecordBlock): Promise<void> {
    const { engine, clock } = this.#dependencies;
    const { limits, pool, results, countOnly, firstIndex } = this.#settings;
    const answers = pool.answersOf(block);
    for (const found of enumerateBlock(engine, block, limits, clock, answers)) {
      const index = firstIndex + this.written + found.record;
      if (found.kind === 'end') {
        await results.writeEnumerated(block, answers, found.record, index, countOnly);
      } else if (!countOnly) {
        await results.writeSolution(block, answers, found.record, index, found.ordinal);
      }
    }
    this.#finishBlock(block);
  }

  #finishBlock(block: RecordBlock): void {
    const { pool, statistics, firstIndex, onBlock } = this.#settings;
    statistics.addBlock(block, pool.answersOf(block), firstIndex + this.written);
    this.written += block.count;
    const endMs = this.#dependencies.clock.monotonicMs();
    pool.release(block, endMs - this.#endMs);
    this.#endMs = endMs;
    onBlock();
  }
}

/** Marks every record of a block as one that the engine does not take; they cost no other puzzle. */
function refuseBlock(block: RecordBlock, engine: Engine, refusal: string): void {
  for (let i = 0; i < block.count; i++) {
    const notes = block.notes.get(i) ?? {};
    notes.error ??= {
      code: 'unsupported_variant',
      message: `engine ${engine.name} does not take this puzzle: ${refusal}; engine dlx takes every puzzle`,
      line: block.line[i]!,
      column: 1,
    };
    block.notes.set(i, notes);
  }
}
