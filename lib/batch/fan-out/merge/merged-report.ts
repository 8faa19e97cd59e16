/** Makes `report.html` of a large job from the results of its parts. */
import type { JobStorage } from '../../delivery/commit.ts';
import { reportPage } from '../../report/report-page.ts';
import { samplesOfIntervals } from '../../report/throughput.ts';
import type { PuzzleRecord } from '../../results/puzzle-record.ts';
import { EXCEPTIONS_FILE } from '../../results/result-files.ts';
import type { JobStats } from '../../results/statistics.ts';
import type { ShardPlan } from '../shard-plan.ts';
import type { PartResult } from '../solve-shard.ts';
import type { WorkKeys } from '../work-keys.ts';
import { firstExceptions } from './part-exceptions.ts';

/**
 * Returns the page. Its puzzles per second are the sum over all functions, placed by the time at which each started.
 *
 * @param parts in the order of the file
 * @param hardest the hardest puzzles of all parts
 */
export async function mergedReport(
  plan: ShardPlan,
  keys: WorkKeys,
  parts: readonly PartResult[],
  stats: JobStats,
  hardest: readonly PuzzleRecord[],
  { store, resultsBucket, clock }: JobStorage,
): Promise<string> {
  const exceptionFiles = parts.map((part) => {
    const { name, bytes } = part.files.find((file) => file.name === EXCEPTIONS_FILE)!;
    return { key: keys.partFile(part, name), bytes };
  });
  const intervals = parts.map(({ startedAt, times, records }) => {
    const startMs = Math.max(0, Date.parse(startedAt) - Date.parse(plan.startedAt));
    return { startMs, durationMs: times.wallMs, puzzles: records };
  });
  return reportPage({
    inputName: plan.input.key,
    finishedAt: clock.timeOfDay(),
    canonicalOptions: plan.options,
    stats,
    hardest,
    exceptions: await firstExceptions(store, resultsBucket, exceptionFiles, stats.exceptions!),
    throughput: samplesOfIntervals(intervals),
  });
}
