/** Solves the blocks of records of a file, or of a part of one, and writes their results, in input order. */
import type { DrawBelow } from '../../exact-cover/random-solutions.ts';
import { openWriter, type PuzzleDetection } from '../../formats/formats.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { Stop } from '../../sudoku/engine.ts';
import { DEFAULT_JOB_LIMITS, type JobWork, maxWritten, writtenError } from '../job-limits.ts';
import type { RecordError } from '../results/record-error.ts';
import { type FilePosition, ResultWriter } from '../results/result-writer.ts';
import { JobStatistics } from '../results/statistics.ts';
import { spentOption } from '../results/tree-advice.ts';
import { markUnreadable } from '../solving/block-answers.ts';
import { BlockPool } from '../solving/block-pool.ts';
import { coverOfPuzzle, drawError, PuzzleCount, PuzzleDraws } from '../solving/count-puzzle.ts';
import { OutOfTimeError, type PuzzleLimits, puzzleLimits } from '../solving/drive.ts';
import { Elsewhere } from '../solving/elsewhere.ts';
import { adviseOnLimit, adviseOnLimits } from '../solving/limit-advice.ts';
import { EngineSearch, needsSearch, searchPuzzle } from '../solving/puzzle-search.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import { randomBelow } from '../solving/random-below.ts';
import { refuseUnsupported } from '../solving/refuse-block.ts';
import { solvedBlocks } from '../solving/solved-blocks.ts';
import type { JobDependencies, JobRequest, SearchProgress } from './job-run.ts';

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
}

type PipelineDependencies = Pick<JobDependencies, 'clock' | 'solver' | 'engine' | 'hashing'>;

export class BlockPipeline {
  /** Provides the readers with blocks. */
  readonly pool: BlockPool;
  readonly results: ResultWriter;
  readonly statistics = new JobStatistics();
  /** Index in the file of the next record to write, from 1. */
  #nextIndex: number;
  /** Records written so far. */
  puzzles = 0;
  /** Milliseconds spent on writing them. */
  writeMs = 0;
  readonly #request: PipelineRequest;
  readonly #dependencies: PipelineDependencies;
  readonly #limits: PuzzleLimits;
  /** Draws random solutions; undefined if the search is in order. */
  readonly #below: DrawBelow | undefined;
  /** Nodes of the current block, which the statistics do not have yet. */
  #blockNodes = 0;
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

  /** All work so far. */
  get work(): JobWork {
    return { nodes: this.statistics.nodes + this.#blockNodes, ...this.results.outputBytes };
  }

  /**
   * Solves and writes blocks of the pool. A step is a block that is written, or a part of the search of a record.
   *
   * @throws OutOfTimeError after the deadline
   */
  async *solve(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<SearchProgress | undefined, void, void> {
    const limits = this.#limits;
    if (this.#below !== undefined || limits.maxSolutions > 2) {
      for await (const block of this.#inTime(blocks)) yield* this.#searchBlock(block);
      return;
    }
    const { clock, engine, solver } = this.#dependencies;
    const solved = solvedBlocks(this.#inTime(blocks), this.pool, { solver, engine, limits });
    for await (const block of solved) {
      const answers = this.pool.answersOf(block);
      adviseOnLimits(block, answers, this.#nextIndex, engine.name, this.#spent);
      const startMs = clock.monotonicMs();
      await this.results.writeBlock(block, answers, this.#nextIndex);
      this.writeMs += clock.monotonicMs() - startMs;
      this.#finishBlock(block);
      yield;
    }
  }

  /** Records that no engine solves take time too. */
  async *#inTime(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<RecordBlock, void, void> {
    for await (const block of blocks) {
      if (this.#dependencies.clock.monotonicMs() > this.#limits.deadlineMs) throw new OutOfTimeError();
      yield block;
    }
  }

  /** Searches the records of a block one by one, and writes solutions as they are found. */
  async *#searchBlock(block: RecordBlock): AsyncGenerator<SearchProgress | undefined, void, void> {
    const { engine } = this.#dependencies;
    const answers = this.pool.answersOf(block);
    refuseUnsupported(block, engine);
    markUnreadable(block, answers);
    for (let i = 0; i < block.count; i++) {
      const index = this.#nextIndex + i;
      const cut = needsSearch(block, i, answers) ? yield* this.#searchRecord(block, i) : undefined;
      if (cut === undefined) adviseOnLimit(block, answers, i, index, engine.name, this.#spent);
      const kind = this.#request.countOnly === true ? 'counted' : 'written';
      await this.results.writeEnumerated(block, answers, i, index, kind, cut);
      this.#blockNodes += answers.nodes[i]!;
      yield;
    }
    this.#finishBlock(block);
    yield;
  }

  /** @returns why the record has fewer solutions than requested */
  async *#searchRecord(
    block: RecordBlock,
    i: number,
  ): AsyncGenerator<SearchProgress | undefined, RecordError | undefined, void> {
    const { engine, clock, solver } = this.#dependencies;
    const { countOnly = false, jobLimits = DEFAULT_JOB_LIMITS } = this.#request;
    const limits = this.#limits;
    const below = this.#below;
    const answers = this.pool.answersOf(block);
    const index = this.#nextIndex + i;
    const { cellCount } = block.geometry;
    const atMost = maxWritten(jobLimits, cellCount);
    const place = { engine, puzzles: block, index: i, answers };
    const elsewhere = new Elsewhere(solver.subproblems, { ...limits, each: !countOnly });
    const { progress, openAnswers } = elsewhere;
    engine.searchBytes = 0;
    const plain = new EngineSearch(place, openAnswers);
    const cover = below && coverOfPuzzle(block, i);
    const draws = cover && new PuzzleDraws(place, below!, cover);
    const search = draws ?? (countOnly ? new PuzzleCount(plain, place) : plain);
    try {
      const steps = searchPuzzle(search, i, limits, answers, { clock, each: !countOnly, progress });
      for (const step of steps) {
        if (step instanceof Promise) await step;
        if (step === 'solution') {
          if (countOnly) continue;
          const found = Number(search.solutions);
          const hasOne = draws === undefined ? found === 1 : draws.total === 1;
          answers.status[i] = hasOne ? StatusCode.solved : StatusCode.multiple;
          await this.results.writeSolution(block, answers, i, index, found);
          if (draws === undefined && found >= atMost && answers.stop[i]! >= Stop.slice) {
            return writtenError(atMost, `a puzzle of ${cellCount} cells`);
          }
          continue;
        }
        const { subproblems } = elsewhere;
        const { nodes, solutions } = search;
        yield subproblems && { puzzles: i, solutions, nodes, subproblems };
      }
    } finally {
      elsewhere.close();
    }
    if (draws === undefined || answers.status[i] !== StatusCode.limit) return undefined;
    return drawError(draws, cover!, index, limits.maxSolutions, this.#spent(search.nodes));
  }

  #finishBlock(block: RecordBlock): void {
    this.statistics.addBlock(block, this.pool.answersOf(block), this.#nextIndex);
    this.#blockNodes = 0;
    this.puzzles += block.count;
    this.#nextIndex += block.count;
    const endMs = this.#dependencies.clock.monotonicMs();
    this.pool.release(block, endMs - this.#endMs);
    this.#endMs = endMs;
  }
}
