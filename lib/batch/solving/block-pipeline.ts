/**
 * Passes blocks of records through the solver into the result files, in input order.
 *
 *     take -> [ pending, up to the solver's depth ] -> written, counted, returned to the pool
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

export interface PipelineDependencies {
  readonly clock: Clock;
  /** Solves blocks with the engine that the options name. */
  readonly solver: BlockSolver;
  /** The same engine, for enumerations. */
  readonly engine: Engine;
}

export interface PipelineSettings {
  readonly limits: PuzzleLimits;
  readonly pool: BlockPool;
  readonly results: ResultWriter;
  readonly statistics: JobStatistics;
  /** Counts the solutions of an enumeration without writing them. */
  readonly countOnly: boolean;
  /** Index of the first record in the file, from 1. */
  readonly firstIndex: number;
  /** Called after a block is written and counted. */
  readonly onBlock: () => void;
}

/** A block that is being solved: its answers are complete once `solved` resolves. */
interface PendingBlock {
  readonly block: RecordBlock;
  readonly solved: Promise<void>;
}

export class BlockPipeline {
  readonly #dependencies: PipelineDependencies;
  readonly #settings: PipelineSettings;
  readonly #pending: PendingBlock[] = [];
  /** Records written so far. */
  written = 0;
  /** Milliseconds spent on writing them. */
  writeMs = 0;
  /** End of the previous block. */
  #endMs: number;

  constructor(dependencies: PipelineDependencies, settings: PipelineSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#endMs = dependencies.clock.monotonicMs();
  }

  /**
   * Passes a block of the pool to the solver, and writes the oldest pending block once enough are pending.
   *
   * @throws OutOfTimeError after the deadline
   */
  async take(block: RecordBlock): Promise<void> {
    const { solver, engine, clock } = this.#dependencies;
    const { limits, pool } = this.#settings;
    // Records that no engine solves take time too.
    if (clock.monotonicMs() > limits.deadlineMs) throw new OutOfTimeError();
    const refusal = engine.refuses(block.geometry);
    if (refusal !== undefined) refuseBlock(block, engine, refusal);
    if (limits.maxSolutions > 2) return this.#enumerate(block);
    const solved = solver.solve(block, limits, pool.answersOf(block));
    // A failure is handled when the block is awaited; until then it must not count as unhandled.
    solved.catch(() => {});
    this.#pending.push({ block, solved });
    if (this.#pending.length >= solver.depth) await this.#writeOldest();
  }

  /** Writes all pending blocks. */
  async drain(): Promise<void> {
    while (this.#pending.length > 0) await this.#writeOldest();
  }

  /** Waits until no block is being solved; failures are ignored. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#pending.map(({ solved }) => solved));
  }

  async #writeOldest(): Promise<void> {
    const { pool, results, firstIndex } = this.#settings;
    const { clock } = this.#dependencies;
    const { block, solved } = this.#pending[0]!;
    await solved;
    this.#pending.shift();
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

/** Marks all records of a block as not supported by the engine, so that only they fail. */
function refuseBlock(block: RecordBlock, engine: Engine, refusal: string): void {
  for (let i = 0; i < block.count; i++) {
    const notes = block.notes.get(i) ?? {};
    notes.error ??= {
      code: 'unsupported_variant',
      message: `engine ${engine.name} does not support this puzzle: ${refusal}; engine dlx supports every puzzle`,
      line: block.line[i]!,
      column: 1,
    };
    block.notes.set(i, notes);
  }
}
