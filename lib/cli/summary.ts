/** What a job came to, in a few lines for people. */
import { PUZZLE_STATUSES } from '../batch/puzzle-status.ts';
import type { JobStats } from '../batch/statistics.ts';

/** Counts by status, rate and times of a job, without a final newline. */
export function summaryLines(name: string, { puzzles, timing, engine }: JobStats): string[] {
  const count = (n: number) => n.toLocaleString('en-US');
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
  return lines;
}

/** Microseconds with a unit that reads well. */
export function duration(us: number): string {
  if (us < 1000) return `${us.toFixed(us < 10 ? 1 : 0)} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(us < 10_000_000 ? 2 : 1)} s`;
}
