/**
 * The record of an exact-cover problem, a line of `exceptions.jsonl` and (with `solveUs`) of `records.jsonl`; and the
 * totals of a file.
 */

import { countJson, type SolutionCount, sumOf } from '../../exact-cover/solution-count.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import { workOf } from '../../exact-cover/work.ts';
import type { CoverProblem, CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { Stop } from '../../sudoku/engine.ts';
import { limitError, NO_SOLUTION, oneLine, type RecordError } from '../results/record-error.ts';
import { adviceWork, coverAdvice } from '../results/tree-advice.ts';
import { PUZZLE_STATUSES, type PuzzleStatus, StatusCode } from '../solving/puzzle-status.ts';
import type { CoverAnswer } from './cover-answer.ts';

/** Fields that do not apply are omitted. */
export interface CoverReport {
  /** From 1, over all problems of the file. */
  readonly index: number;
  /** First line in the file, from 1. */
  readonly line: number;
  /** Last line in the file. */
  readonly lineEnd: number;
  /** Name of the format. */
  readonly format: string;
  /** The outcome. */
  readonly status: PuzzleStatus;
  /** Number of items that a solution contains exactly once. */
  readonly primaryItems?: number;
  /** Number of items that a solution may omit. */
  readonly secondaryItems?: number;
  /** Number of options with a primary item. */
  readonly options?: number;
  /** Number of options that are ignored, as they have none. */
  readonly ignoredOptions?: number;
  /** Total number of items in all options. */
  readonly entries?: number;
  /** The options of the first solution, in the order of the file. */
  readonly solution?: readonly string[];
  /** The cost of that solution, the least of all; omitted if the problem has no costs, and if solutions are only counted. */
  readonly cost?: number;
  /** If the budget ran out before the solutions were proven to be the cheapest: no solution costs less than this. */
  readonly costBound?: number;
  /** Solutions found, up to the limit; digits beyond 2^53 - 1. */
  readonly solutions?: number | string;
  /** Whether the search was exhausted, so that `solutions` is the exact number. */
  readonly exact?: boolean;
  /** Nodes of the search tree. */
  readonly nodes?: number;
  /** Options tried while another one was left. */
  readonly guesses?: number;
  /** Nodes unlinked from an item's list: Knuth's measure of work. */
  readonly updates?: number;
  /** Assumptions about the problem. */
  readonly warnings?: readonly string[];
  /** Why the problem is unreadable or undecided. */
  readonly error?: RecordError;
}

/**
 * The record of a problem.
 *
 * @param index its index in the file, from 1
 * @param answer undefined for an unreadable problem
 * @param solution the options of its first solution, if one was found
 * @param cut why not all solutions that were found are written
 * @param spent the budget to raise if it ran out
 */
export function coverReport(
  record: CoverRecord,
  answer: CoverAnswer | undefined,
  solution: readonly string[] | undefined,
  index: number,
  cut?: RecordError,
  spent = '--max-nodes',
): CoverReport {
  const { format, line, lineEnd, cover, error } = record;
  const place = { index, line, lineEnd, format };
  const warnings = record.warnings.length > 0 ? record.warnings : undefined;
  if (cover === undefined || answer === undefined) {
    return { ...place, status: 'unreadable', warnings, error };
  }
  const { solutions, nodes, guesses, updates, status, stop, leastCost, costBound } = answer;
  return {
    ...place,
    status: PUZZLE_STATUSES[status]!,
    ...sizes(cover),
    solution,
    cost: leastCost,
    costBound,
    solutions: countJson(solutions),
    exact: stop === Stop.exhausted,
    nodes,
    guesses,
    updates,
    warnings,
    error:
      cut === undefined && (status === StatusCode.limit || costBound !== undefined)
        ? spentError(cover, answer, index, spent)
        : cut,
  };
}

/** The error of a search whose budget ran out. */
function spentError(
  { problem }: CoverProblem,
  answer: CoverAnswer,
  index: number,
  spent: string,
): RecordError {
  const { solutions, nodes, updates, leastCost, costBound } = answer;
  if (leastCost === undefined || costBound === undefined) {
    const tree = estimateTree(problem, adviceWork(workOf(nodes, updates), problem.items.length, index));
    return limitError(solutions, nodes, coverAdvice(tree, nodes, spent));
  }
  const known = `the cheapest solution so far costs ${leastCost}, and none costs less than ${costBound}`;
  return {
    ...limitError(solutions, nodes),
    message: `the search budget ran out after ${nodes} nodes: ${known}`,
  };
}

function sizes({ problem, ignoredOptions }: CoverProblem) {
  return {
    primaryItems: problem.primaryCount,
    secondaryItems: problem.secondaryCount,
    options: problem.optionCount,
    ignoredOptions: ignoredOptions > 0 ? ignoredOptions : undefined,
    entries: problem.items.length,
  };
}

/** Why a problem has no solution, on one line. */
export function unsolvedReason({ error }: CoverReport): string {
  return error === undefined ? NO_SOLUTION : oneLine(error.message);
}

/** Totals over the problems of a file, in the terms of Knuth's programs; part of `stats.json`. */
export interface CoverTotals {
  /** Digits beyond 2^53 - 1. */
  readonly solutions: number | string;
  /** Options with a primary item. */
  readonly options: number;
  /** Options that are ignored, as they have no primary item. */
  readonly ignoredOptions: number;
  /** Items that a solution contains exactly once. */
  readonly primaryItems: number;
  /** Items that a solution may omit. */
  readonly secondaryItems: number;
  /** Items in all options. */
  readonly entries: number;
  /** Entries, heads of items, and the root of each problem. */
  readonly matrixNodes: number;
  /** Bytes of the core's arrays. */
  readonly matrixBytes: number;
  /** Most bytes that memoised counting of a problem took; omitted without it. */
  readonly countBytes?: number;
  /** Nodes unlinked from an item's list: Knuth's measure of work. */
  readonly updates: number;
  /** Sum of the costs of the cheapest solutions that were found; omitted if no problem has costs. */
  readonly cost?: number;
  /** The first warnings, each with its problem's index. */
  readonly warnings: readonly string[];
}

/** Maximum number of warnings in `stats.json`. */
const MAX_WARNINGS = 20;

export class CoverSums {
  #solutions: SolutionCount = 0;
  #countBytes = 0;
  #cost: number | undefined;
  readonly #sums = {
    options: 0,
    ignoredOptions: 0,
    primaryItems: 0,
    secondaryItems: 0,
    entries: 0,
    matrixNodes: 0,
    matrixBytes: 0,
    updates: 0,
  };
  readonly #warnings: string[] = [];

  add({ cover, warnings }: CoverRecord, answer: CoverAnswer | undefined, index: number): void {
    for (const warning of warnings) {
      if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(`puzzle ${index}: ${warning}`);
    }
    if (cover === undefined || answer === undefined) return;
    if (answer.leastCost !== undefined) this.#cost = (this.#cost ?? 0) + answer.leastCost;
    const sums = this.#sums;
    const { problem } = cover;
    this.#solutions = sumOf(this.#solutions, answer.solutions);
    this.#countBytes = Math.max(this.#countBytes, answer.countBytes);
    sums.options += problem.optionCount;
    sums.ignoredOptions += cover.ignoredOptions;
    sums.primaryItems += problem.primaryCount;
    sums.secondaryItems += problem.secondaryCount;
    sums.entries += problem.items.length;
    sums.matrixNodes += answer.matrixNodes;
    sums.matrixBytes += answer.matrixBytes;
    sums.updates += answer.updates;
  }

  totals(): CoverTotals {
    const solutions = countJson(this.#solutions);
    const countBytes = this.#countBytes > 0 ? this.#countBytes : undefined;
    return { solutions, ...this.#sums, countBytes, cost: this.#cost, warnings: this.#warnings };
  }
}
