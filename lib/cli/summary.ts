/** What a job came to, in a few lines for people. */

import type { CoverTotals } from '../batch/cover-report.ts';
import { PUZZLE_STATUSES } from '../batch/puzzle-status.ts';
import type { JobStats } from '../batch/statistics.ts';

/** Counts by status, rate and times of a job, without a final newline. */
export function summaryLines(
  name: string,
  { puzzles, timing, engine, exactCover, search }: JobStats,
): string[] {
  const statuses = PUZZLE_STATUSES.filter((status) => puzzles[status] > 0).map(
    (status) => `${count(puzzles[status])} ${status}`,
  );
  const noun = puzzles.total === 1 ? 'puzzle' : 'puzzles';
  const counts = puzzles.total === 0 ? '' : `: ${statuses.join(', ')}`;
  const lines = [`${name}: ${count(puzzles.total)} ${noun}${counts}`];
  if (timing.solveUs !== undefined) {
    const { p50, p95, p99, max } = timing.solveUs;
    const workers = engine.workers === 1 ? '1 worker' : `${engine.workers} workers`;
    lines.push(
      `  ${count(timing.puzzlesPerSecond)} puzzles/s in ${duration(timing.wallMs * 1000)} (${engine.name}, ${workers})`,
      `  solve time p50 ${duration(p50)}, p95 ${duration(p95)}, p99 ${duration(p99)}, max ${duration(max)}`,
    );
  }
  if (exactCover !== undefined) lines.push(...coverLines(exactCover, search.nodes));
  return lines;
}

/** What Knuth's programs tell at their end, about all problems of a file. */
function coverLines(totals: CoverTotals, nodes: number): string[] {
  const { solutions, options, ignoredOptions, primaryItems, secondaryItems, entries, updates } = totals;
  const ignored = ignoredOptions > 0 ? `, ${count(ignoredOptions)} left out` : '';
  return [
    ...totals.warnings.map((warning) => `  warning: ${warning}`),
    `  (${count(options)} options, ${count(primaryItems)}+${count(secondaryItems)} items, ` +
      `${count(entries)} entries read${ignored}; a matrix of ${count(totals.matrixNodes)} nodes, ` +
      `${count(totals.matrixBytes)} bytes)`,
    `  Altogether ${count(solutions)} ${solutions === 1 ? 'solution' : 'solutions'}, ${count(updates)} updates, ` +
      `${count(nodes)} search nodes`,
  ];
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}

/** Microseconds with a unit that reads well. */
export function duration(us: number): string {
  if (us < 1000) return `${us.toFixed(us < 10 ? 1 : 0)} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(us < 10_000_000 ? 2 : 1)} s`;
}
