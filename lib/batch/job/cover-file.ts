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
import type { CoverProblem, CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { optionLines } from '../../formats/exact-cover/cover-writer.ts';
import type { CoverDetection } from '../../formats/formats.ts';
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
import { writtenError } from '../job-limits.ts';
import { numberText } from '../quantities.ts';
import type { RecordError } from '../results/record-error.ts';
import { OpenResults, type WrittenFile } from '../results/result-files.ts';
import { JobStatistics } from '../results/statistics.ts';
import { adviceWork, drawLimitError, spentOption } from '../results/tree-advice.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import { randomBelow } from '../solving/random-below.ts';
import { type PuzzleLimits, puzzleLimits } from '../solving/solve-block.ts';
import { FileRejection } from './input.ts';
import type { FileJob, JobRun } from './job-run.ts';

export class CoverFile implements FileJob {
  readonly statistics = new JobStatistics();
  readonly workers: number;
  writeMs = 0;
  readonly #run: JobRun;
  readonly #detection: CoverDetection;
  readonly #limits: PuzzleLimits;
  readonly #enumeration: Enumeration;
  /** The same for problems with costs. */
  readonly #byCost: Enumeration;
  /** Draws random solutions; undefined if the search is in order. */
  readonly #below: DrawBelow | undefined;
  readonly #output: CoverOutput;
  readonly #files: OpenResults;

  /** @throws FileRejection if the options do not apply to exact-cover files */
  constructor(run: JobRun, detection: CoverDetection) {
    const { options, files, random, countOnly = false } = run.request;
    const refusal = coverRefusal(options);
    if (refusal !== undefined) throw new FileRejection(refusal);
    this.#run = run;
    this.workers = run.dependencies.solver.workers;
    this.#detection = detection;
    const limits = puzzleLimits(options, run.request);
    this.#limits = random === undefined ? limits : { ...limits, maxSolutions: random.count };
    this.#below = random && randomBelow(random.seed);
    this.#enumeration =
      options.solutions <= 2 && random === undefined ? 'none' : countOnly ? 'counted' : 'written';
    this.#byCost = options.twoCheapest === true ? 'written' : this.#enumeration;
    this.#output = openCoverOutput(options);
    this.#files = new OpenResults(this.#output, options.records, files, run.dependencies.hashing);
  }

  get exceptions() {
    return this.#files.exceptionSample;
  }

  async solve(): Promise<void> {
    const run = this.#run;
    const records = run.source.covers(this.#detection);
    const { solver, checkAll = false, splitRule } = run.dependencies;
    // One stream of random numbers serves all problems, in order.
    const problems = this.#below === undefined ? solver.problems : undefined;
    const limits = { ...this.#limits, deadlineMs: Number.POSITIVE_INFINITY };
    const ahead = new ProblemsAhead(records, problems, (cover) => {
      return { limits, counting: this.#enumerationOf(cover) === 'counted', checkAll, splitRule };
    });
    try {
      for (let next = await ahead.next(); next !== undefined; next = await ahead.next()) {
        const index = run.puzzles + 1;
        const answer = await this.#solveRecord(next, index, ahead);
        this.statistics.addCover(next.record, answer, index);
        run.puzzles = index;
        run.report();
      }
    } finally {
      ahead.close();
    }
    this.statistics.commentLines = run.source.comments?.count ?? 0;
  }

  close(): Promise<WrittenFile[]> {
    return this.#files.close();
  }

  abort(): Promise<void> {
    return this.#files.abort();
  }

  #enumerationOf({ problem }: CoverProblem): Enumeration {
    return problem.costs === undefined ? this.#enumeration : this.#byCost;
  }

  /** Solves a problem and writes its results. @returns the answer; undefined for an unreadable problem */
  async #solveRecord(
    { record, started }: NextProblem,
    index: number,
    ahead: ProblemsAhead,
  ): Promise<CoverAnswer | undefined> {
    const { cover } = record;
    if (cover === undefined) {
      await this.#timed(() => this.#writeEnd(record, undefined, undefined, index, this.#enumeration));
      return undefined;
    }
    const answer = new CoverAnswer();
    const { jobLimits } = this.#run;
    const before = this.#files.solutions.bytes;
    const enumeration = this.#enumerationOf(cover);
    const counting = enumeration === 'counted';
    let cut: RecordError | undefined;
    let first: ChosenOptions | undefined;
    let tree: { readonly nodes: number | undefined } | undefined;
    const treeNodes = () => {
      // A search by cost has another tree.
      const isByCost = cover.problem.costs !== undefined && !counting && this.#below === undefined;
      tree ??= { nodes: isByCost ? undefined : estimateTree(cover.problem)?.nodes };
      return tree.nodes;
    };
    const { clock, checkAll, solver, splitRule } = this.#run.dependencies;
    const { subproblems } = solver;
    const searchOptions = { clock, counting, checkAll, subproblems, splitRule, below: this.#below };
    const { problem } = cover;
    const steps =
      started === undefined
        ? searchCover(problem, this.#limits, answer, searchOptions)
        : takeCover(problem, started, this.#limits, answer, searchOptions);
    await ahead.begin(0, started === undefined);
    for (const step of steps) {
      if (step !== 'solution') await ahead.begin(answer.solveUs / 1000, step === 'slice');
      if (step instanceof Promise) await step;
      if (step === 'solution') {
        const { options, optionCount: count, cost } = answer;
        first ??= { cover, options: options.slice(0, count), count, cost };
        if (enumeration === 'written') {
          const chosen = { cover, options, count, cost };
          const solutions = Number(answer.solutions);
          await this.#timed((out) => this.#output.solution(out, record, chosen, index, solutions));
          const isFull = this.#files.solutions.bytes - before >= jobLimits.writtenCells;
          if (isFull && solutions > 1 && this.#below === undefined) {
            cut = writtenError(solutions, `a problem: ${numberText(jobLimits.writtenCells)} bytes`);
          }
        }
      }
      // Memoised counting does not search the whole tree.
      const nodesOfTree = answer.countBytes > 0 ? undefined : treeNodes;
      const { solutions, nodes, subproblems } = answer;
      this.#run.report({ solutions, nodes, treeNodes: nodesOfTree, subproblems });
      await this.#run.checkWork({
        nodes: this.statistics.nodes + answer.nodes,
        ...this.#files.outputBytes,
      });
      if (cut === undefined) continue;
      answer.endEarly();
      break;
    }
    ahead.ended(answer.solveUs / 1000);
    cut ??= this.#drawError(cover.problem, answer, index);
    await this.#timed(() => this.#writeEnd(record, answer, first, index, enumeration, cut));
    return answer;
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
  #writeEnd(
    record: CoverRecord,
    answer: CoverAnswer | undefined,
    first: ChosenOptions | undefined,
    index: number,
    enumeration: Enumeration,
    cut?: RecordError,
  ): void {
    const solution = first && optionLines(first.cover, first.options, first.count);
    const report = coverReport(record, answer, solution, index, cut, answer && this.#spent(answer));
    this.#output.end(this.#files.solutions.out, report, first, enumeration);
    if (report.status !== 'solved') this.#files.writeException(report);
    const solveUs = answer && Math.round(answer.solveUs * 1000) / 1000;
    this.#files.writeRecord(() => ({ ...report, solveUs }));
  }

  async #timed(write: (out: ByteBuffer) => void): Promise<void> {
    const { clock } = this.#run.dependencies;
    const startMs = clock.monotonicMs();
    write(this.#files.solutions.out);
    await this.#files.flushFull();
    this.writeMs += clock.monotonicMs() - startMs;
  }
}
