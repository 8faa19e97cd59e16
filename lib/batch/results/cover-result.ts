/** An exact-cover problem, and its answer. */
import { countJson, type SolutionCount } from '../../exact-cover/solution-count.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import { workOf } from '../../exact-cover/work.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { optionLines } from '../../formats/exact-cover/cover-writer.ts';
import { Stop } from '../../sudoku/engine.ts';
import { thousandths } from '../quantities.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import type { RecordAnswer } from '../solving/record-search.ts';
import { coverSizes } from './cover-totals.ts';
import type { ChosenOptions } from './cover-writer.ts';
import { type JobRecord, RecordResult, someWarnings } from './job-record.ts';
import { limitError, type RecordError } from './record-error.ts';
import { adviceWork, coverAdvice } from './tree-advice.ts';

export class CoverResult extends RecordResult {
  readonly problem: CoverRecord;
  /** Undefined for an unreadable problem. */
  readonly answer: RecordAnswer | undefined;
  readonly #budget: (nodes: number) => string;
  /** The options of the first solution. */
  #first: Int32Array | undefined;

  /**
   * @param index its index in the file, from 1
   * @param budget what to raise after that many nodes, if the budget ran out
   */
  constructor(
    problem: CoverRecord,
    answer: RecordAnswer | undefined,
    index: number,
    budget: (nodes: number) => string,
  ) {
    super(index);
    this.problem = problem;
    this.answer = answer;
    this.#budget = budget;
  }

  get line(): number {
    return this.problem.line;
  }

  get code(): number {
    return this.answer?.status ?? StatusCode.unreadable;
  }

  get solutions(): SolutionCount {
    return this.answer?.solutions ?? 0;
  }

  get exact(): boolean {
    return this.answer?.stop === Stop.exhausted;
  }

  get isException(): boolean {
    return this.code !== StatusCode.solved;
  }

  isKept(): boolean {
    return this.#first !== undefined && this.code !== StatusCode.limit;
  }

  override get remark(): RecordError | undefined {
    return this.ownError;
  }

  /** With its cost, if it has one; with the lower bound if that is not proven to be the least. */
  override heading(ordinal?: number): string | undefined {
    const { cost, leastCost, costBound } = this.answer!;
    if (ordinal !== undefined) {
      return `${super.heading(ordinal)}${cost === undefined ? '' : `, cost ${cost}`}`;
    }
    if (leastCost === undefined) return undefined;
    const bound = costBound === undefined ? '' : `; the least cost is ${costBound} or more`;
    return `${this.name}, cost ${leastCost}${bound}`;
  }

  override get emptyComment(): string | undefined {
    return this.#first?.length === 0
      ? this.commentWith(`${this.status}: the empty set of options`)
      : undefined;
  }

  /** Keeps the first solution for the record. To be called at each solution. */
  found(): void {
    this.#first ??= this.answer!.options;
  }

  solution(isEnumerated: boolean): ChosenOptions {
    return { cover: this.problem.cover!, options: isEnumerated ? this.answer!.options : this.#first! };
  }

  record(isTimed: boolean): JobRecord<readonly string[]> {
    const { problem, answer, index, status, error } = this;
    const { format, line, lineEnd, cover } = problem;
    const warnings = someWarnings(problem.warnings);
    if (cover === undefined || answer === undefined) {
      return { index, line, lineEnd, format, status, warnings, error };
    }
    const { nodes, guesses, updates, leastCost, costBound, solveUs } = answer;
    return {
      index,
      line,
      lineEnd,
      format,
      status,
      ...coverSizes(cover),
      ignoredOptions: cover.ignoredOptions || undefined,
      solution: this.#first && optionLines(cover, this.#first),
      cost: leastCost,
      costBound,
      solutions: countJson(this.solutions),
      exact: this.exact,
      nodes,
      guesses,
      updates,
      warnings,
      error,
      solveUs: isTimed ? thousandths(solveUs) : undefined,
    };
  }

  solutionRecord(ordinal: number): object {
    const { line, lineEnd, format, cover } = this.problem;
    const { cost, options } = this.answer!;
    return {
      index: this.index,
      ordinal,
      line,
      lineEnd,
      format,
      cost,
      solution: optionLines(cover!, options),
    };
  }

  protected findError(): RecordError | undefined {
    const { cover, error } = this.problem;
    const { answer } = this;
    if (cover === undefined || answer === undefined) return error;
    const { solutions, nodes, updates, leastCost, costBound } = answer;
    if (leastCost !== undefined && costBound !== undefined) {
      const known = `the cheapest solution so far costs ${leastCost}, and none costs less than ${costBound}`;
      return { code: 'limit', message: `the search budget ran out after ${nodes} nodes: ${known}` };
    }
    if (this.code !== StatusCode.limit && costBound === undefined) return undefined;
    const { problem } = cover;
    const maxWork = adviceWork(workOf(nodes, updates), problem.items.length, this.index);
    const advice = coverAdvice(estimateTree(problem, maxWork), nodes, this.#budget(nodes));
    return limitError(solutions, nodes, advice);
  }
}
