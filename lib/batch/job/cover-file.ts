/**
 * Solves the problems of an exact-cover file and writes the chosen options, in input order.
 *
 *     bytes -> problems -> general core -> solutions, exceptions, records
 *              (lib/formats/exact-cover)   (solve-cover.ts)
 *
 * A problem is in memory as a whole, within the limits of its reader; solutions are written as they are found. Other threads
 * may have begun with a problem before its turn (covers/problems-ahead.ts).
 */

import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { DrawBelow } from '../../exact-cover/random-solutions.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import { workOf } from '../../exact-cover/work.ts';
import type { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { optionLines } from '../../formats/exact-cover/cover-writer.ts';
import { Stop } from '../../sudoku/engine.ts';
import { CoverAnswer } from '../covers/cover-answer.ts';
import { coverRefusal } from '../covers/cover-options.ts';
import {
  type ChosenOptions,
  type CoverOutput,
  type Enumeration,
  openCoverOutput,
} from '../covers/cover-output.ts';
import { coverReport } from '../covers/cover-report.ts';
import { type NextProblem, ProblemsAhead } from '../covers/problems-ahead.ts';
import { searchCover, takeCover } from '../covers/solve-cover.ts';
import { type JobLimits, type JobWork, writtenError } from '../job-limits.ts';
import { numberText } from '../quantities.ts';
import type { RecordError } from '../results/record-error.ts';
import { OpenResults } from '../results/result-files.ts';
import { JobStatistics } from '../results/statistics.ts';
import { adviceWork, drawLimitError, spentOption } from '../results/tree-advice.ts';
import { type PuzzleLimits, puzzleLimits } from '../solving/drive.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import { randomBelow } from '../solving/random-below.ts';
import { FileRejection } from './input.ts';
import type { JobDependencies, JobRequest, SearchProgress } from './job-run.ts';

/** One solution at least, and the entries of a problem. */
interface ProblemResult {
  readonly record: CoverRecord;
  /** Its index in the file, from 1. */
  readonly index: number;
  readonly enumeration: Enumeration;
  /** Undefined for an unreadable problem. */
  readonly answer: CoverAnswer | undefined;
  first?: ChosenOptions;
  /** Why not all solutions that were found are written. */
  cut?: RecordError | undefined;
}

export class CoverFile {
  readonly statistics = new JobStatistics();
  readonly results: OpenResults;
  puzzles = 0;
  writeMs = 0;
  readonly #dependencies: JobDependencies;
  readonly #jobLimits: JobLimits;
  readonly #limits: PuzzleLimits;
  readonly #enumeration: Enumeration;
  /** The same for problems with costs. */
  readonly #byCost: Enumeration;
  /** Draws random solutions; undefined if the search is in order. */
  readonly #below: DrawBelow | undefined;
  readonly #output: CoverOutput;
  /** Nodes of the current problem, which the statistics do not have yet. */
  #problemNodes = 0;

  /** @throws FileRejection if the options do not apply to exact-cover files */
  constructor(request: JobRequest, dependencies: JobDependencies, jobLimits: JobLimits) {
    const { options, files, random, countOnly = false } = request;
    const refusal = coverRefusal(options);
    if (refusal !== undefined) throw new FileRejection(refusal);
    this.#dependencies = dependencies;
    this.#jobLimits = jobLimits;
    const limits = puzzleLimits(options, request);
    this.#limits = random === undefined ? limits : { ...limits, maxSolutions: random.count };
    this.#below = random && randomBelow(random.seed);
    this.#enumeration =
      options.solutions <= 2 && random === undefined ? 'none' : countOnly ? 'counted' : 'written';
    this.#byCost = options.twoCheapest === true ? 'written' : this.#enumeration;
    this.#output = openCoverOutput(options);
    this.results = new OpenResults(this.#output, options.records, files, dependencies.hashing);
  }

  /** All work so far. */
  get work(): JobWork {
    return { nodes: this.statistics.nodes + this.#problemNodes, ...this.results.outputBytes };
  }

  /** Solves and writes problems; a step is one of them, or a part of its search. */
  async *solve(
    records: AsyncIterator<CoverRecord, void>,
  ): AsyncGenerator<SearchProgress | undefined, void, void> {
    const { solver, checkAll = false, splitRule } = this.#dependencies;
    // One stream of random numbers serves all problems, in order.
    const problems = this.#below === undefined ? solver.problems : undefined;
    const limits = { ...this.#limits, deadlineMs: Number.POSITIVE_INFINITY };
    const ahead = new ProblemsAhead(records, problems, ({ problem }) => {
      return { limits, counting: this.#enumerationOf(problem) === 'counted', checkAll, splitRule };
    });
    try {
      for (let next = await ahead.next(); next !== undefined; next = await ahead.next()) {
        const { record } = next;
        const index = this.puzzles + 1;
        const answer = record.cover && new CoverAnswer();
        const enumeration = record.cover ? this.#enumerationOf(record.cover.problem) : this.#enumeration;
        const result: ProblemResult = { record, index, enumeration, answer };
        if (record.cover !== undefined) yield* this.#search(next, result, ahead);
        await this.#timed(() => this.#writeEnd(result));
        this.statistics.addCover(record, answer, index);
        this.#problemNodes = 0;
        this.puzzles = index;
        yield;
      }
    } finally {
      ahead.close();
    }
  }

  #enumerationOf({ costs }: ExactCoverProblem): Enumeration {
    return costs === undefined ? this.#enumeration : this.#byCost;
  }

  /** Searches a problem, and writes solutions as they are found. */
  async *#search(
    { record, started }: NextProblem,
    result: ProblemResult,
    ahead: ProblemsAhead,
  ): AsyncGenerator<SearchProgress, void, void> {
    const { enumeration, index } = result;
    const cover = record.cover!;
    const answer = result.answer!;
    const { problem } = cover;
    const counting = enumeration === 'counted';
    const before = this.results.solutions.bytes;
    const { writtenCells } = this.#jobLimits;
    let tree: { readonly nodes: number | undefined } | undefined;
    const treeNodes = () => {
      // A search by cost has another tree.
      const isByCost = problem.costs !== undefined && !counting && this.#below === undefined;
      tree ??= { nodes: isByCost ? undefined : estimateTree(problem)?.nodes };
      return tree.nodes;
    };
    const { clock, checkAll, solver, splitRule } = this.#dependencies;
    const { subproblems } = solver;
    const options = { clock, counting, checkAll, subproblems, splitRule, below: this.#below };
    const steps =
      started === undefined
        ? searchCover(problem, this.#limits, answer, options)
        : takeCover(problem, started, this.#limits, answer, options);
    await ahead.begin(0, started === undefined);
    for (const step of steps) {
      if (step !== 'solution') await ahead.begin(answer.solveUs / 1000, step === 'slice');
      if (step instanceof Promise) await step;
      const { solutions, nodes } = answer;
      if (step === 'solution') {
        const chosen = { cover, options: answer.options, cost: answer.cost };
        result.first ??= chosen;
        if (enumeration === 'written') {
          await this.#timed((out) => this.#output.solution(out, record, chosen, index, Number(solutions)));
          const isFull = this.results.solutions.bytes - before >= writtenCells;
          if (isFull && solutions > 1 && this.#below === undefined) {
            result.cut = writtenError(Number(solutions), `a problem: ${numberText(writtenCells)} bytes`);
          }
        }
      }
      this.#problemNodes = nodes;
      // Memoised counting does not search the whole tree.
      const nodesOfTree = answer.countBytes > 0 ? undefined : treeNodes;
      yield { puzzles: 0, solutions, nodes, treeNodes: nodesOfTree, subproblems: answer.subproblems };
      if (result.cut !== undefined) break;
    }
    ahead.ended(answer.solveUs / 1000);
    result.cut ??= this.#drawError(problem, answer, index);
  }

  /** Why not all requested random solutions are drawn; undefined if they are, or if none are requested. */
  #drawError(problem: ExactCoverProblem, answer: CoverAnswer, index: number): RecordError | undefined {
    const { drawn, status, stop, solutions, nodes } = answer;
    if (drawn === undefined || status !== StatusCode.limit) return undefined;
    const total = stop === Stop.exhausted ? solutions : undefined;
    const work = adviceWork(workOf(nodes, answer.updates), problem.items.length, index);
    const tree = total === undefined ? estimateTree(problem, work) : undefined;
    return drawLimitError(total, drawn, this.#limits.maxSolutions, nodes, tree, this.#spent(answer));
  }

  /** The budget that ran out if one did. */
  #spent({ nodes }: CoverAnswer): string {
    return spentOption(nodes, this.#limits);
  }

  /** Writes the entries of a problem after its search. */
  #writeEnd({ record, answer, first, index, enumeration, cut }: ProblemResult): void {
    const solution = first && optionLines(first.cover, first.options);
    const report = coverReport(record, answer, solution, index, cut, answer && this.#spent(answer));
    this.#output.end(this.results.solutions.out, report, first, enumeration);
    if (report.status !== 'solved') this.results.writeException(report);
    const solveUs = answer && Math.round(answer.solveUs * 1000) / 1000;
    this.results.writeRecord(() => ({ ...report, solveUs }));
  }

  async #timed(write: (out: ByteBuffer) => void): Promise<void> {
    const { clock } = this.#dependencies;
    const startMs = clock.monotonicMs();
    write(this.results.solutions.out);
    await this.results.flushFull();
    this.writeMs += clock.monotonicMs() - startMs;
  }
}
