/** The summary of a job in a few lines. */

import { counted, countsText, durationText, numberText } from '../../batch/quantities.ts';
import type { CoverTotals } from '../../batch/results/cover-totals.ts';
import { noPuzzlesText, unexpectedText } from '../../batch/results/job-totals.ts';
import { measuredRate } from '../../batch/results/measured-rate.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { PUZZLE_STATUSES } from '../../batch/solving/puzzle-status.ts';
import { columnsText } from '../../formats/table/table-columns.ts';
import { GRADES } from '../../sudoku/rating/grades.ts';

/** What was requested of a job, and where its exceptions are. */
export interface JobRequestFacts {
  /** Whether several solutions of each puzzle were requested: then a puzzle that has them is no exception. */
  readonly several: boolean;
  readonly strict: boolean;
  /** Where the user finds the exceptions, such as the path of `exceptions.jsonl`. */
  readonly exceptions: string;
}

/** @param options as those of a job, or of its manifest @param exceptions where the user finds the exceptions */
export function factsOf(
  { solutions, strict, twoCheapest }: { readonly [Name in 'solutions' | 'strict' | 'twoCheapest']?: unknown },
  { random, exactCover }: JobStats,
  exceptions: string,
): JobRequestFacts {
  const byCost = twoCheapest === true && exactCover?.cost !== undefined;
  // Two are searched to prove that one is the only one.
  const several = solutions !== 2 || random !== undefined || byCost;
  return { several, strict: strict === true, exceptions };
}

/** Returns the counts by status, the rate and the times of a job, and what the solutions do not show. */
export function summaryLines(name: string, stats: JobStats, facts: JobRequestFacts): string[] {
  const { puzzles, unexpectedResults = 0, timing, engine, exactCover, search } = stats;
  const parts = partLines(stats);
  if (puzzles.total === 0) return [`${name}: ${noPuzzlesText(stats.noPuzzles)}`, ...parts];
  const statuses = countsText(PUZZLE_STATUSES, (status) => puzzles[status]);
  const differ = unexpectedResults === 0 ? '' : `; ${unexpectedText(unexpectedResults)}`;
  const lines = [`${name}: ${counted(puzzles.total, 'puzzle')}: ${statuses}${differ}`];
  lines.push(...severalLines(stats, facts), ...ratingLines(stats));
  if (timing.solveUs !== undefined) {
    const { p50, p95, p99, max } = timing.solveUs;
    const workers = counted(engine.workers, 'worker');
    const rate = measuredRate(stats);
    const rateText = rate === undefined ? '' : `${numberText(rate)} puzzles/s in `;
    lines.push(
      `  ${rateText}${durationText(timing.wallMs * 1000)} (${engine.name}, ${workers})`,
      `  solve time p50 ${durationText(p50)}, p95 ${durationText(p95)}, p99 ${durationText(p99)}, max ${durationText(max)}`,
    );
  }
  if (stats.random !== undefined) {
    const { count, seed } = stats.random;
    lines.push(`  ${counted(count, 'random solution')} of each puzzle, seed ${seed}`);
  }
  if (exactCover !== undefined) lines.push(...coverLines(exactCover, search.nodes));
  if (search.maxBytes >= SHOWN_BYTES)
    lines.push(`  memory of one search: ${numberText(search.maxBytes)} bytes at most`);
  return [...lines, ...parts];
}

/** Puzzles with other solutions than those that are written. */
function severalLines(
  { puzzles: { multiple }, cutResults = 0, exactCover }: JobStats,
  { several, strict, exceptions }: JobRequestFacts,
): string[] {
  const have = (count: number) => `  ${numberText(count)} ${count === 1 ? 'has' : 'have'}`;
  const lines: string[] = [];
  if (multiple > 0 && !several) {
    // Of an exact cover, the first solution is a result in itself.
    const left = `--strict leaves ${multiple === 1 ? 'it' : 'them'} out`;
    const written = exactCover !== undefined ? '' : `; ${left}`;
    const which = strict && exactCover === undefined ? left : `the first is written${written}`;
    lines.push(`${have(multiple)} more than one solution: ${which}; listed in ${exceptions}`);
  }
  if (cutResults > 0) {
    const limit = 'more solutions than --max-written allows: the others are not written';
    lines.push(`${have(cutResults)} ${limit}; listed in ${exceptions}`);
  }
  return lines;
}

/** The puzzles by grade. */
function ratingLines({ ratings }: JobStats): string[] {
  if (ratings === undefined) return [];
  const { grades, unrated = 0 } = ratings;
  const counts = { ...grades, 'with too many digits for a rating': unrated };
  const text = countsText([...GRADES, 'with too many digits for a rating'], (name) => counts[name]);
  return text === '' ? [] : [`  rated: ${text}`];
}

/** Less memory than this is not shown: the links of an ordinary 9x9, or of a small exact cover, whose matrix is. */
const SHOWN_BYTES = 2 ** 20;

/** The use of columns, and the parts of the file that affect no result. */
function partLines({ columns, commentLines = 0, unusedColumns = [] }: JobStats): string[] {
  const lines = columns === undefined ? [] : [`  columns: ${columnsText(columns)}`];
  if (commentLines > 0) lines.push(`  ${commentCount(commentLines)}`);
  if (unusedColumns.length > 0) lines.push(`  ${unusedText(unusedColumns)}`);
  return lines;
}

/** Returns `3 comment lines`. */
export function commentCount(lines: number): string {
  return counted(lines, 'comment line');
}

/** Columns that a message names. */
const MAX_NAMED_COLUMNS = 20;

/** Returns `unused columns: rating, author`. */
export function unusedText(columns: readonly string[]): string {
  const named = columns.slice(0, MAX_NAMED_COLUMNS).join(', ');
  const more = columns.length - MAX_NAMED_COLUMNS;
  return `unused ${columns.length === 1 ? 'column' : 'columns'}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The totals of all problems of a file, in the style of Knuth's programs. */
function coverLines(totals: CoverTotals, nodes: number): string[] {
  const { solutions, options, ignoredOptions, primaryItems, secondaryItems, entries, updates } = totals;
  const cost = totals.cost === undefined ? '' : `, cost ${numberText(totals.cost)}`;
  const ignored = ignoredOptions > 0 ? `, ${numberText(ignoredOptions)} omitted` : '';
  return [
    ...totals.warnings.map((warning) => `  warning: ${warning}`),
    `  (${counted(options, 'option')}, ${numberText(primaryItems)}+${numberText(secondaryItems)} items, ` +
      `${numberText(entries)} entries read${ignored}; a matrix of ${numberText(totals.matrixNodes)} nodes, ` +
      `${numberText(totals.matrixBytes)} bytes)`,
    `  Altogether ${counted(BigInt(solutions), 'solution')}, ${counted(updates, 'update')}, ` +
      `${counted(nodes, 'search node')}${cost}`,
  ];
}
