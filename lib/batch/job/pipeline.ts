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
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { openWriter } from '../../formats/formats.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { Stop } from '../../sudoku/engine.ts';
import { DEFAULT_JOB_LIMITS, type JobWork, maxWritten, writtenError } from '../job-limits.ts';
import { numberText } from '../quantities.ts';
import { CoverResult } from '../results/cover-result.ts';
import { coverWriter } from '../results/cover-writer.ts';
import { GridResult } from '../results/grid-result.ts';
import type { RecordResult } from '../results/job-record.ts';
import { limitAdvice } from '../results/limit-advice.ts';
import type { RecordError } from '../results/record-error.ts';
import { type Enumeration, resultWriter } from '../results/result-writer.ts';
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
import { OutOfTimeError, puzzleLimits, type Step } from '../solving/drive.ts';
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
interface PipelineRequest
  extends Pick<
    JobRequest,
    'options' | 'files' | 'maxMs' | 'deadlineMs' | 'countOnly' | 'random' | 'jobLimits'
  > {
  readonly detection: ReadableDetection;
  /** Index in the file of the first record, from 1. @default 1 */
  readonly firstIndex?: number;
  /** Whether the records are the beginning of the file. @default true */
  readonly begins?: boolean;
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

export type RecordPipeline = ReturnType<typeof recordPipeline>;

/** Opens the result files. @throws FileRejection if the options do not apply to exact-cover files */
export function recordPipeline(request: PipelineRequest, dependencies: PipelineDependencies) {
  const { options, detection, files, begins, maxBlockRecords, random, firstIndex = 1 } = request;
  const { jobLimits = DEFAULT_JOB_LIMITS, countOnly = false } = request;
  const { solver, engine, clock, hashing, checkAll = false, splitRule } = dependencies;
  const refusal = detection.kind === 'exact-cover' ? coverRefusal(options) : undefined;
  if (refusal !== undefined) throw new FileRejection(refusal);
  /** Provides the readers with blocks. */
  const pool = new BlockPool(solver.sharedMemory, maxBlockRecords);
  const writer =
    detection.kind === 'exact-cover' && options.output === 'same'
      ? coverWriter()
      : openWriter(options.output, detection, {
          csvSafe: options.csvSafe,
          countsOnly: countOnly,
          ratings: options.rate,
        });
  const results = resultWriter(writer, options, files, hashing, begins);
  const statistics = new JobStatistics(options.rate);
  const requested = puzzleLimits(options, request);
  const limits = random === undefined ? requested : { ...requested, maxSolutions: random.count };
  /** Draws random solutions; undefined if the search is in order. */
  const below = random && randomBelow(random.seed);
  const enumerated: Enumeration =
    options.solutions <= 2 && random === undefined ? 'none' : countOnly ? 'counted' : 'written';
  /** The budget that ran out after that many nodes. */
  const spent = (nodes: number): string => spentOption(nodes, limits);
  const advice = limitAdvice(engine.name, spent);
  let puzzles = 0;
  let writeMs = 0;
  /** Nodes that the statistics do not have yet: of records of the current block, and of the current record. */
  let blockNodes = 0;
  let recordNodes = 0;
  /** End of the previous block. */
  let endMs = clock.monotonicMs();

  return {
    pool,
    results,
    statistics,
    /** Records written so far. */
    get puzzles() {
      return puzzles;
    },
    /** Milliseconds spent on writing them. */
    get writeMs() {
      return writeMs;
    },
    /** All work so far. */
    get work(): JobWork {
      return { nodes: statistics.nodes + blockNodes + recordNodes, ...results.outputBytes };
    },

    /**
     * Solves and writes blocks of the pool. A step is a block that is written, or a part of the search of a record.
     *
     * @throws OutOfTimeError after the deadline
     */
    async *solve(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<PipelineStep, void, void> {
      if (enumerated !== 'none') {
        for await (const block of inTime(blocks)) yield* searchBlock(block);
        return;
      }
      for await (const block of solvedBlocks(inTime(blocks), pool, { solver, engine, limits })) {
        await write(() => results.writeBlock(block, pool.answersOf(block), firstIndex + puzzles, advice));
        finishBlock(block);
        yield;
      }
    },

    /** Solves and writes the problems of an exact-cover file. */
    async *solveCovers(records: AsyncIterator<CoverRecord, void>): AsyncGenerator<PipelineStep, void, void> {
      // One stream of random numbers serves all problems, in order.
      const problems = below === undefined ? solver.problems : undefined;
      const timeless = { ...limits, deadlineMs: Number.POSITIVE_INFINITY };
      const ahead = problemsAhead(records, problems, ({ problem }) => {
        return { limits: timeless, counting: enumerationOf(problem) === 'counted', checkAll, splitRule };
      });
      try {
        for (let next = await ahead.next(); next !== undefined; next = await ahead.next()) {
          const answer = next.record.cover && new RecordAnswer();
          const result = new CoverResult(next.record, answer, firstIndex + puzzles, spent);
          const enumeration = enumerationOf(next.record.cover?.problem);
          if (answer !== undefined) {
            await ahead.begin(0, next.started === undefined);
            yield* search(searchedCover(next, answer, result, enumeration, ahead));
            ahead.ended(answer.solveUs / 1000);
          }
          await write(() => results.writeEnd(result, enumeration));
          statistics.addCover(next.record, answer, result.index);
          recordNodes = 0;
          puzzles++;
          yield;
        }
      } finally {
        ahead.close();
      }
    },
  };

  /** Two solutions of a problem with costs are written if they are requested. */
  function enumerationOf(problem: ExactCoverProblem | undefined): Enumeration {
    return problem?.costs !== undefined && options.twoCheapest === true ? 'written' : enumerated;
  }

  /** Records that no engine solves take time too. */
  async function* inTime(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<RecordBlock, void, void> {
    for await (const block of blocks) {
      if (clock.monotonicMs() > limits.deadlineMs) throw new OutOfTimeError();
      yield block;
    }
  }

  /** Searches the records of a block one by one. */
  async function* searchBlock(block: RecordBlock): AsyncGenerator<PipelineStep, void, void> {
    const answers = pool.answersOf(block);
    refuseUnsupported(block, engine);
    markUnreadable(block, answers);
    for (let i = 0; i < block.count; i++) {
      const result = new GridResult(block, answers, i, firstIndex + puzzles + i, advice);
      if (needsSearch(block, i, answers)) yield* search(searchedPuzzle(block, i, result));
      if (limits.rate === true) rateRecord(block, i, answers);
      await write(() => results.writeEnd(result, enumerated));
      blockNodes += answers.nodes[i]!;
      recordNodes = 0;
      yield;
    }
    finishBlock(block);
    yield;
  }

  /** Searches a record, and writes solutions as they are found. */
  async function* search(searched: Searched): AsyncGenerator<PipelineStep, void, void> {
    const { result, answer, steps, enumeration, drawn } = searched;
    let turnMs = clock.monotonicMs();
    for (const step of steps) {
      if (step !== 'solution') await searched.besides?.(step);
      if (step instanceof Promise) await step;
      recordNodes = answer.nodes;
      if (step === 'solution') {
        searched.onSolution();
        if (enumeration === 'written') {
          const ordinal = answer.drawn ?? Number(answer.solutions);
          results.writeSolution(result, ordinal);
          if (results.isFull) await flush();
          if (below === undefined) result.cut = searched.cut(ordinal);
          if (result.cut !== undefined) return;
        }
        if (clock.monotonicMs() - turnMs < TURN_MS) continue;
      }
      yield searched.progress();
      turnMs = clock.monotonicMs();
    }
    if (drawn === undefined) return;
    result.cut = drawError(answer, drawn, result.index, limits.maxSolutions, spent(answer.nodes));
  }

  function searchedPuzzle(block: RecordBlock, i: number, result: GridResult): Searched {
    const answers = pool.answersOf(block);
    const answer = new RecordAnswer();
    const { cellCount } = block.geometry;
    const atMost = maxWritten(jobLimits, cellCount);
    const place = { engine, puzzles: block, index: i, answers };
    const isCounted = enumerated === 'counted';
    const elsewhere = new Elsewhere(solver.subproblems, { ...limits, each: !isCounted });
    engine.searchBytes = 0;
    const plain = new EngineSearch(place, elsewhere.openAnswers);
    const drawn = below && coverOfPuzzle(block, i);
    const puzzle = drawn
      ? new PuzzleDraws(place, below!, drawn)
      : isCounted
        ? puzzleCount(place, plain)
        : new PuzzleSearch(place, plain);
    return {
      result,
      answer,
      enumeration: enumerated,
      steps: searchPuzzle(puzzle, i, limits, answers, { clock, each: !isCounted, elsewhere }, answer),
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

  function searchedCover(
    { record, started }: NextProblem,
    answer: RecordAnswer,
    result: CoverResult,
    enumeration: Enumeration,
    ahead: ProblemsAhead,
  ): Searched {
    const { writtenCells } = jobLimits;
    const { problem } = record.cover!;
    const counting = enumeration === 'counted';
    const searching = { clock, checkAll, splitRule, counting, below, subproblems: solver.subproblems };
    const before = results.outputBytes.solutionBytes;
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
          ? searchCover(problem, limits, answer, searching)
          : takeCover(problem, started, limits, answer, searching),
      besides: (step) => ahead.begin(answer.solveUs / 1000, step === 'slice'),
      onSolution: () => result.found(),
      cut: (written) => {
        const bytes = results.outputBytes.solutionBytes - before;
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

  /** Writes, in time that is counted. */
  async function write(writeRecords: () => void): Promise<void> {
    const startMs = clock.monotonicMs();
    writeRecords();
    writeMs += clock.monotonicMs() - startMs;
    if (results.isFull) await flush();
  }

  async function flush(): Promise<void> {
    const startMs = clock.monotonicMs();
    await results.flush();
    writeMs += clock.monotonicMs() - startMs;
  }

  function finishBlock(block: RecordBlock): void {
    statistics.addBlock(block, pool.answersOf(block), firstIndex + puzzles);
    blockNodes = 0;
    puzzles += block.count;
    const nowMs = clock.monotonicMs();
    pool.release(block, nowMs - endMs);
    endMs = nowMs;
  }
}
