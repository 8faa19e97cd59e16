/**
 * Searches the records of a file, or of a part of one, and writes their results, in input order.
 *
 *     blocks of puzzles, for one or two solutions        range by range, on all threads (solving/solved-blocks.ts)
 *     puzzles one by one, for more, counts, draws   ->   searchRecord  ->  solutions as they are found, then the record
 *     exact-cover problems                          ->
 *
 * An exact-cover problem is in memory as a whole, within the limits of its reader. Other threads may have begun with it before
 * its turn (solving/problems-ahead.ts).
 */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { DrawBelow } from '../../exact-cover/random-solutions.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { openWriter } from '../../formats/formats.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { Stop } from '../../sudoku/engine.ts';
import { DEFAULT_JOB_LIMITS, type JobWork, maxWritten, writtenError } from '../job-limits.ts';
import { numberText } from '../quantities.ts';
import { CoverResult } from '../results/cover-result.ts';
import { CoverWriter } from '../results/cover-writer.ts';
import { GridResult } from '../results/grid-result.ts';
import type { RecordResult } from '../results/job-record.ts';
import { type LimitAdvice, limitAdvice } from '../results/limit-advice.ts';
import type { RecordError } from '../results/record-error.ts';
import { type Enumeration, type FilePosition, ResultWriter } from '../results/result-writer.ts';
import { JobStatistics } from '../results/statistics.ts';
import { drawError, spentOption } from '../results/tree-advice.ts';
import { markUnreadable } from '../solving/block-answers.ts';
import { BlockPool } from '../solving/block-pool.ts';
import {
  coverOfPuzzle,
  type PuzzleCover,
  PuzzleDraws,
  puzzleCount,
  randomBelow,
} from '../solving/count-puzzle.ts';
import { searchCover, takeCover } from '../solving/cover-search.ts';
import { OutOfTimeError, type PuzzleLimits, puzzleLimits, type Step } from '../solving/drive.ts';
import { Elsewhere } from '../solving/elsewhere.ts';
import { type NextProblem, type ProblemsAhead, problemsAhead } from '../solving/problems-ahead.ts';
import { EngineSearch, needsSearch, PuzzleSearch, searchPuzzle } from '../solving/puzzle-search.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import { rateRecord } from '../solving/rate-record.ts';
import { RecordAnswer } from '../solving/record-search.ts';
import { refuseUnsupported } from '../solving/refuse-block.ts';
import { solvedBlocks } from '../solving/solved-blocks.ts';
import { coverRefusal } from './cover-options.ts';
import { FileRejection } from './input.ts';
import type { JobDependencies, JobRequest, ReadableDetection, SearchProgress } from './job-run.ts';

/** The records of a whole file, or of a part of one. */
export interface PipelineRequest
  extends Pick<
    JobRequest,
    'options' | 'files' | 'maxMs' | 'deadlineMs' | 'countOnly' | 'random' | 'jobLimits'
  > {
  readonly detection: ReadableDetection;
  /** Index in the file of the first record, from 1. @default 1 */
  readonly firstIndex?: number;
  /** Position of the records in the file. @default the whole file */
  readonly position?: FilePosition;
  /** Largest number of records of a block. @default limited by memory only */
  readonly maxBlockRecords?: number;
}

type PipelineDependencies = Pick<
  JobDependencies,
  'clock' | 'solver' | 'engine' | 'hashing' | 'checkAll' | 'splitRule'
>;

/** What a step of the pipeline is: a part of the search of a record, or the end of some records. */
type PipelineStep = SearchProgress | undefined;

/** While solutions are found, the caller gets its turn after this time. */
const TURN_MS = 20;

/** A record that is searched alone. */
interface Searched {
  readonly result: RecordResult;
  readonly answer: RecordAnswer;
  readonly steps: Iterable<Step>;
  readonly enumeration: Enumeration;
  /** Called at each solution, before it is written. */
  onSolution(): void;
  /** Called after a solution is written. @returns why no more are */
  cut(written: number): RecordError | undefined;
  /** What the caller is told about the search so far. */
  progress(): PipelineStep;
  /** Called between the steps of the search. */
  besides?(step: Step): Promise<void>;
  /** The problem of which random solutions are drawn. */
  readonly drawn?: Pick<PuzzleCover, 'problem' | 'givens'> | undefined;
}

export class RecordPipeline {
  /** Provides the readers with blocks. */
  readonly pool: BlockPool;
  readonly results: ResultWriter;
  readonly statistics: JobStatistics;
  /** Records written so far. */
  puzzles = 0;
  /** Milliseconds spent on writing them. */
  writeMs = 0;
  readonly #request: PipelineRequest;
  readonly #dependencies: PipelineDependencies;
  readonly #limits: PuzzleLimits;
  readonly #enumeration: Enumeration;
  /** Draws random solutions; undefined if the search is in order. */
  readonly #below: DrawBelow | undefined;
  readonly #advice: LimitAdvice;
  /** Nodes that the statistics do not have yet: of records of the current block, and of the current record. */
  #blockNodes = 0;
  #recordNodes = 0;
  /** End of the previous block. */
  #endMs: number;

  /** The budget that ran out after that many nodes. */
  readonly #spent = (nodes: number): string => spentOption(nodes, this.#limits);

  /** Opens the result files. @throws FileRejection if the options do not apply to exact-cover files */
  constructor(request: PipelineRequest, dependencies: PipelineDependencies) {
    const { options, detection, files, position, maxBlockRecords, random, countOnly = false } = request;
    const { solver, hashing, clock, engine } = dependencies;
    const isCovers = detection.kind === 'exact-cover';
    const refusal = isCovers ? coverRefusal(options) : undefined;
    if (refusal !== undefined) throw new FileRejection(refusal);
    this.pool = new BlockPool(solver.sharedMemory, maxBlockRecords);
    const writer =
      isCovers && options.output === 'same'
        ? new CoverWriter()
        : openWriter(options.output, detection, {
            csvSafe: options.csvSafe,
            countsOnly: countOnly,
            ratings: options.rate,
          });
    this.results = new ResultWriter(writer, options, files, hashing, position);
    this.statistics = new JobStatistics(options.rate);
    this.#request = request;
    this.#dependencies = dependencies;
    const limits = puzzleLimits(options, request);
    this.#limits = random === undefined ? limits : { ...limits, maxSolutions: random.count };
    this.#below = random && randomBelow(random.seed);
    this.#enumeration =
      options.solutions <= 2 && random === undefined ? 'none' : countOnly ? 'counted' : 'written';
    this.#advice = limitAdvice(engine.name, this.#spent);
    this.#endMs = clock.monotonicMs();
  }

  /** All work so far. */
  get work(): JobWork {
    const nodes = this.statistics.nodes + this.#blockNodes + this.#recordNodes;
    return { nodes, ...this.results.outputBytes };
  }

  /** Index in the file of the next record, from 1. */
  get #nextIndex(): number {
    return (this.#request.firstIndex ?? 1) + this.puzzles;
  }

  /**
   * Solves and writes blocks of the pool. A step is a block that is written, or a part of the search of a record.
   *
   * @throws OutOfTimeError after the deadline
   */
  async *solve(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<PipelineStep, void, void> {
    if (this.#enumeration !== 'none') {
      for await (const block of this.#inTime(blocks)) yield* this.#searchBlock(block);
      return;
    }
    const { engine, solver } = this.#dependencies;
    const solving = { solver, engine, limits: this.#limits };
    for await (const block of solvedBlocks(this.#inTime(blocks), this.pool, solving)) {
      const answers = this.pool.answersOf(block);
      const write = () => this.results.writeBlock(block, answers, this.#nextIndex, this.#advice);
      if (this.#write(write)) await this.#flush();
      this.#finishBlock(block);
      yield;
    }
  }

  /** Solves and writes the problems of an exact-cover file. */
  async *solveCovers(records: AsyncIterator<CoverRecord, void>): AsyncGenerator<PipelineStep, void, void> {
    const { solver, checkAll = false, splitRule } = this.#dependencies;
    // One stream of random numbers serves all problems, in order.
    const problems = this.#below === undefined ? solver.problems : undefined;
    const limits = { ...this.#limits, deadlineMs: Number.POSITIVE_INFINITY };
    const ahead = problemsAhead(records, problems, ({ problem }) => {
      return { limits, counting: this.#enumerationOf(problem) === 'counted', checkAll, splitRule };
    });
    try {
      for (let next = await ahead.next(); next !== undefined; next = await ahead.next()) {
        const answer = next.record.cover && new RecordAnswer();
        const result = new CoverResult(next.record, answer, this.#nextIndex, this.#spent);
        const enumeration = this.#enumerationOf(next.record.cover?.problem);
        if (answer !== undefined) {
          await ahead.begin(0, next.started === undefined);
          yield* this.#search(this.#searchedCover(next, answer, result, enumeration, ahead));
          ahead.ended(answer.solveUs / 1000);
        }
        if (this.#write(() => this.results.writeEnd(result, enumeration))) await this.#flush();
        this.statistics.addCover(next.record, answer, result.index);
        this.#recordNodes = 0;
        this.puzzles++;
        yield;
      }
    } finally {
      ahead.close();
    }
  }

  /** Two solutions of a problem with costs are written if they are requested. */
  #enumerationOf(problem: ExactCoverProblem | undefined): Enumeration {
    const isByCost = problem?.costs !== undefined && this.#request.options.twoCheapest === true;
    return isByCost ? 'written' : this.#enumeration;
  }

  /** Records that no engine solves take time too. */
  async *#inTime(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<RecordBlock, void, void> {
    for await (const block of blocks) {
      if (this.#dependencies.clock.monotonicMs() > this.#limits.deadlineMs) throw new OutOfTimeError();
      yield block;
    }
  }

  /** Searches the records of a block one by one. */
  async *#searchBlock(block: RecordBlock): AsyncGenerator<PipelineStep, void, void> {
    const answers = this.pool.answersOf(block);
    refuseUnsupported(block, this.#dependencies.engine);
    markUnreadable(block, answers);
    for (let i = 0; i < block.count; i++) {
      const result = new GridResult(block, answers, i, this.#nextIndex + i, this.#advice);
      if (needsSearch(block, i, answers)) yield* this.#search(this.#searchedPuzzle(block, i, result));
      if (this.#limits.rate === true) rateRecord(block, i, answers);
      if (this.#write(() => this.results.writeEnd(result, this.#enumeration))) await this.#flush();
      this.#blockNodes += answers.nodes[i]!;
      this.#recordNodes = 0;
      yield;
    }
    this.#finishBlock(block);
    yield;
  }

  /** Searches a record, and writes solutions as they are found. */
  async *#search(searched: Searched): AsyncGenerator<PipelineStep, void, void> {
    const { result, answer, steps, enumeration } = searched;
    const { clock } = this.#dependencies;
    const { maxSolutions } = this.#limits;
    let turnMs = clock.monotonicMs();
    for (const step of steps) {
      if (step !== 'solution') await searched.besides?.(step);
      if (step instanceof Promise) await step;
      this.#recordNodes = answer.nodes;
      if (step === 'solution') {
        searched.onSolution();
        if (enumeration === 'written') {
          const ordinal = answer.drawn ?? Number(answer.solutions);
          this.results.writeSolution(result, ordinal);
          if (this.results.isFull) await this.#flush();
          if (this.#below === undefined) result.cut = searched.cut(ordinal);
          if (result.cut !== undefined) return;
        }
        if (clock.monotonicMs() - turnMs < TURN_MS) continue;
      }
      yield searched.progress();
      turnMs = clock.monotonicMs();
    }
    if (searched.drawn === undefined) return;
    result.cut = drawError(answer, searched.drawn, result.index, maxSolutions, this.#spent(answer.nodes));
  }

  #searchedPuzzle(block: RecordBlock, i: number, result: GridResult): Searched {
    const { engine, clock, solver } = this.#dependencies;
    const { jobLimits = DEFAULT_JOB_LIMITS } = this.#request;
    const answers = this.pool.answersOf(block);
    const answer = new RecordAnswer();
    const { cellCount } = block.geometry;
    const atMost = maxWritten(jobLimits, cellCount);
    const place = { engine, puzzles: block, index: i, answers };
    const isCounted = this.#enumeration === 'counted';
    const options = { clock, each: !isCounted };
    const elsewhere = new Elsewhere(solver.subproblems, { ...this.#limits, each: options.each });
    engine.searchBytes = 0;
    const plain = new EngineSearch(place, elsewhere.openAnswers);
    const drawn = this.#below && coverOfPuzzle(block, i);
    const search = drawn
      ? new PuzzleDraws(place, this.#below!, drawn)
      : isCounted
        ? puzzleCount(place, plain)
        : new PuzzleSearch(place, plain);
    return {
      result,
      answer,
      enumeration: this.#enumeration,
      steps: searchPuzzle(search, i, this.#limits, answers, { ...options, elsewhere }, answer),
      onSolution: () => {
        answers.status[i] = answer.solutions === 1 ? StatusCode.solved : StatusCode.multiple;
      },
      cut: (written) =>
        written >= atMost && answers.stop[i]! >= Stop.slice
          ? writtenError(atMost, `a puzzle of ${cellCount} cells`)
          : undefined,
      progress: () => {
        const { solutions, nodes, subproblems } = answer;
        return subproblems && { puzzles: i, solutions, nodes, subproblems };
      },
      drawn,
    };
  }

  #searchedCover(
    { record, started }: NextProblem,
    answer: RecordAnswer,
    result: CoverResult,
    enumeration: Enumeration,
    ahead: ProblemsAhead,
  ): Searched {
    const { solver } = this.#dependencies;
    const { writtenCells } = this.#request.jobLimits ?? DEFAULT_JOB_LIMITS;
    const { problem } = record.cover!;
    const below = this.#below;
    const counting = enumeration === 'counted';
    const options = { ...this.#dependencies, counting, below, subproblems: solver.subproblems };
    const before = this.results.outputBytes.solutionBytes;
    let tree: { readonly nodes: number | undefined } | undefined;
    const treeNodes = () => {
      // A search by cost has another tree.
      const isByCost = problem.costs !== undefined && !counting && below === undefined;
      tree ??= { nodes: isByCost ? undefined : estimateTree(problem)?.nodes };
      return tree.nodes;
    };
    return {
      result,
      answer,
      enumeration,
      steps:
        started === undefined
          ? searchCover(problem, this.#limits, answer, options)
          : takeCover(problem, started, this.#limits, answer, options),
      besides: (step) => ahead.begin(answer.solveUs / 1000, step === 'slice'),
      onSolution: () => result.found(),
      cut: (written) => {
        const bytes = this.results.outputBytes.solutionBytes - before;
        if (bytes < writtenCells || written === 1) return undefined;
        return writtenError(written, `a problem: ${numberText(writtenCells)} bytes`);
      },
      progress: () => {
        const { drawn, solutions, nodes, subproblems, countBytes } = answer;
        // Memoised counting does not search the whole tree.
        const nodesOfTree = countBytes > 0 ? undefined : treeNodes;
        return { puzzles: 0, solutions: drawn ?? solutions, nodes, treeNodes: nodesOfTree, subproblems };
      },
      drawn: below && { problem, givens: [] },
    };
  }

  /** Writes, in time that is counted. @returns whether `#flush` is due */
  #write(write: () => void): boolean {
    const { clock } = this.#dependencies;
    const startMs = clock.monotonicMs();
    write();
    this.writeMs += clock.monotonicMs() - startMs;
    return this.results.isFull;
  }

  async #flush(): Promise<void> {
    const { clock } = this.#dependencies;
    const startMs = clock.monotonicMs();
    await this.results.flush();
    this.writeMs += clock.monotonicMs() - startMs;
  }

  #finishBlock(block: RecordBlock): void {
    this.statistics.addBlock(block, this.pool.answersOf(block), this.#nextIndex);
    this.#blockNodes = 0;
    this.puzzles += block.count;
    const endMs = this.#dependencies.clock.monotonicMs();
    this.pool.release(block, endMs - this.#endMs);
    this.#endMs = endMs;
  }
}
