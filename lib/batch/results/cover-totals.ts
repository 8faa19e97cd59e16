import { countJson, type SolutionCount, sumOf } from '../../exact-cover/solution-count.ts';
import type { CoverProblem, CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { RecordAnswer } from '../solving/record-search.ts';
import { addCounts } from './counts.ts';

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

/** How large a problem is. */
export function coverSizes({ problem, ignoredOptions }: CoverProblem) {
  return {
    primaryItems: problem.primaryCount,
    secondaryItems: problem.secondaryCount,
    options: problem.optionCount,
    ignoredOptions,
    entries: problem.items.length,
  };
}

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

  add({ cover, warnings }: CoverRecord, answer: RecordAnswer | undefined, index: number): void {
    for (const warning of warnings) {
      if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(`puzzle ${index}: ${warning}`);
    }
    if (cover === undefined || answer === undefined) return;
    if (answer.leastCost !== undefined) this.#cost = (this.#cost ?? 0) + answer.leastCost;
    const { matrixNodes, matrixBytes, updates } = answer;
    this.#solutions = sumOf(this.#solutions, answer.solutions);
    this.#countBytes = Math.max(this.#countBytes, answer.countBytes);
    addCounts(this.#sums, { ...coverSizes(cover), matrixNodes, matrixBytes, updates });
  }

  totals(): CoverTotals {
    const solutions = countJson(this.#solutions);
    const countBytes = this.#countBytes > 0 ? this.#countBytes : undefined;
    return { solutions, ...this.#sums, countBytes, cost: this.#cost, warnings: this.#warnings };
  }
}
