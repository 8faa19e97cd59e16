/**
 * Passes blocks of records through the solver into the result files, in input order.
 *
 *     take -> [ pending, up to the solver's depth ] -> written, counted, returned to the pool
 */
import type { DrawBelow } from '../../exact-cover/random-solutions.ts';
import { openWriter, type PuzzleDetection } from '../../formats/formats.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { Stop } from '../../sudoku/engine.ts';
import type { JobDependencies, JobRequest } from '../job/job-run.ts';
import { DEFAULT_JOB_LIMITS, type JobWork, maxWritten, writtenError } from '../job-limits.ts';
import type { RecordError } from '../results/record-error.ts';
import { type FilePosition, ResultWriter } from '../results/result-writer.ts';
import { JobStatistics } from '../results/statistics.ts';
import { spentOption } from '../results/tree-advice.ts';
import { BlockPool } from './block-pool.ts';
import { countBlock } from './count-block.ts';
import { drawBlock } from './draw-block.ts';
import { Elsewhere, type SplitProgress } from './elsewhere.ts';
import { enumerateBlock } from './enumerate-block.ts';
import { adviseOnLimit, adviseOnLimits } from './limit-advice.ts';
import { randomBelow } from './random-below.ts';
import { refuseUnsupported } from './refuse-block.ts';
import { type BlockAnswers, OutOfTimeError, type PuzzleLimits, puzzleLimits } from './solve-block.ts';

/** The records of a whole file, or of a part of one. */
export interface PipelineRequest
  extends Pick<
    JobRequest,
    'options' | 'files' | 'maxMs' | 'deadlineMs' | 'countOnly' | 'random' | 'jobLimits'
  > {
  readonly detection: PuzzleDetection | { readonly kind: 'empty' };
  /** Index in the file of the first record, from 1. @default 1 */
  readonly firstIndex?: number;
  /** Position of the records in the file. @default the whole file */
  readonly position?: FilePosition;
  /** Largest number of records of a block. @default limited by memory only */
  readonly maxBlockRecords?: number;
  /** Called after a block is written and counted. */
  readonly onBlock?: () => void;
  /** Called during the search of a record that is split. */
  readonly onSearch?: ((search: SplitProgress) => void) | undefined;
  /** Called after a block, and after a record of an enumeration, with all work so far; an error stops the pipeline. */
  readonly onWork?: (work: JobWork) => void | Promise<void>;
}

type PipelineDependencies = Pick<JobDependencies, 'clock' | 'solver' | 'engine' | 'hashing'>;

/** A block that is being solved: its answers are complete once `solved` resolves. */
interface PendingBlock {
  readonly block: RecordBlock;
  readonly solved: Promise<void>;
}

export class BlockPipeline {
  /** Provides the readers with blocks. */
  readonly pool: BlockPool;
  readonly results: ResultWriter;
  readonly statistics = new JobStatistics();
  /** Index in the file of the next record to write, from 1. */
  #nextIndex: number;
  /** Records written so far. */
  written = 0;
  /** Milliseconds spent on writing them. */
  writeMs = 0;
  readonly #request: PipelineRequest;
  readonly #dependencies: PipelineDependencies;
  readonly #limits: PuzzleLimits;
  /** Draws random solutions; undefined if the search is in order. */
  readonly #below: DrawBelow | undefined;
  readonly #pending: PendingBlock[] = [];
  /** End of the previous block. */
  #endMs: number;

  /** The budget that ran out after that many nodes. */
  readonly #spent = (nodes: number): string => spentOption(nodes, this.#limits);

  /** Opens the result files. */
  constructor(request: PipelineRequest, dependencies: PipelineDependencies) {
    const { options, detection, files, position, maxBlockRecords, firstIndex = 1 } = request;
    const { solver, hashing, clock } = dependencies;
    this.pool = new BlockPool(solver.sharedMemory, maxBlockRecords);
    const { csvSafe } = options;
    const writer = openWriter(options.output, detection, { csvSafe, countsOnly: request.countOnly });
    this.results = new ResultWriter(writer, options, files, hashing, position);
    this.#nextIndex = firstIndex;
    this.#request = request;
    this.#dependencies = dependencies;
    const limits = puzzleLimits(options, request);
    const { random } = request;
    this.#limits = random === undefined ? limits : { ...limits, maxSolutions: random.count };
    this.#below = random && randomBelow(random.seed);
    this.#endMs = clock.monotonicMs();
  }

  /**
   * Passes a block of the pool to the solver, and writes the oldest pending block once enough are pending.
   *
   * @throws OutOfTimeError after the deadline
   */
  async take(block: RecordBlock): Promise<void> {
    const { solver, engine, clock } = this.#dependencies;
    // Records that no engine solves take time too.
    if (clock.monotonicMs() > this.#limits.deadlineMs) throw new OutOfTimeError();
    refuseUnsupported(block, engine);
    if (this.#below !== undefined || this.#limits.maxSolutions > 2) return this.#enumerate(block);
    const solved = solver.solve(block, this.#limits, this.pool.answersOf(block));
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
    const { clock, engine } = this.#dependencies;
    const { block, solved } = this.#pending[0]!;
    await solved;
    this.#pending.shift();
    const answers = this.pool.answersOf(block);
    adviseOnLimits(block, answers, this.#nextIndex, engine.name, this.#spent);
    const startMs = clock.monotonicMs();
    await this.results.writeBlock(block, answers, this.#nextIndex);
    this.writeMs += clock.monotonicMs() - startMs;
    await this.#finishBlock(block);
  }

  async #enumerate(block: RecordBlock): Promise<void> {
    const { engine, clock, solver } = this.#dependencies;
    const { results } = this;
    const { countOnly = false, jobLimits = DEFAULT_JOB_LIMITS } = this.#request;
    const answers = this.pool.answersOf(block);
    const limits = this.#limits;
    const atMost = maxWritten(jobLimits, block.geometry.cellCount);
    let nodes = 0;
    const elsewhere = new Elsewhere(solver.subproblems, { ...limits, each: !countOnly });
    const steps = this.#below
      ? drawBlock(engine, block, limits, clock, answers, this.#below, this.#nextIndex)
      : countOnly
        ? countBlock(engine, block, limits, clock, answers, elsewhere)
        : enumerateBlock(engine, block, limits, clock, answers, atMost, elsewhere);
    try {
      for (const found of steps) {
        if (found.kind === 'slice') {
          await found.until;
          await this.#reportWork(nodes);
          const search = elsewhere.progressOf(answers, found.record);
          if (search !== undefined) this.#request.onSearch?.(search);
          continue;
        }
        const index = this.#nextIndex + found.record;
        if (found.kind === 'end') {
          elsewhere.close();
          if (found.cut === undefined)
            adviseOnLimit(block, answers, found.record, index, engine.name, this.#spent);
          const kind = countOnly ? 'counted' : 'written';
          const cut =
            found.cut ?? (this.#below || countOnly ? undefined : cutOf(block, answers, found.record, atMost));
          await results.writeEnumerated(block, answers, found.record, index, kind, cut);
          nodes += answers.nodes[found.record]!;
          await this.#reportWork(nodes);
        } else {
          await results.writeSolution(block, answers, found.record, index, found.ordinal);
        }
      }
    } finally {
      elsewhere.close();
    }
    await this.#finishBlock(block);
  }

  async #finishBlock(block: RecordBlock): Promise<void> {
    this.statistics.addBlock(block, this.pool.answersOf(block), this.#nextIndex);
    this.written += block.count;
    this.#nextIndex += block.count;
    const endMs = this.#dependencies.clock.monotonicMs();
    this.pool.release(block, endMs - this.#endMs);
    this.#endMs = endMs;
    this.#request.onBlock?.();
    await this.#reportWork(0);
  }

  /** @param blockNodes nodes of the current block, which the statistics do not have yet */
  async #reportWork(blockNodes: number): Promise<void> {
    await this.#request.onWork?.({
      nodes: this.statistics.nodes + blockNodes,
      ...this.results.outputBytes,
    });
  }
}

/** The error of an enumeration that the limit has cut off. @param atMost solutions that may be written */
function cutOf(
  { geometry }: RecordBlock,
  { solutions, stop }: BlockAnswers,
  record: number,
  atMost: number,
): RecordError | undefined {
  const isCut = solutions[record]! >= atMost && stop[record] === Stop.nodeLimit;
  return isCut ? writtenError(atMost, `a puzzle of ${geometry.cellCount} cells`) : undefined;
}
