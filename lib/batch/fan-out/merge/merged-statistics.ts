/** Merges the statistics of all parts of a large job. */
import { tableColumns } from '../../../formats/formats.ts';
import type { Clock } from '../../ports.ts';
import { JobStatistics, type JobStats, type RuntimeInfo } from '../../results/statistics.ts';
import type { ShardPlan } from '../shard-plan.ts';
import type { PartResult } from '../solve-shard.ts';
import { usedResources } from './used-resources.ts';

export function mergedStatistics(plan: ShardPlan, parts: readonly PartResult[]): JobStatistics {
  const statistics = new JobStatistics();
  statistics.table = tableColumns(plan.detection);
  for (const part of parts) statistics.merge(part.statistics);
  return statistics;
}

/**
 * Returns `stats.json` of a large job: times of reading and writing are sums over its functions, the wall time begins
 * with its plan.
 *
 * @param runtime the runtime of the merging function
 */
export function mergedStats(
  statistics: JobStatistics,
  plan: ShardPlan,
  parts: readonly PartResult[],
  { clock, runtime }: { readonly clock: Clock; readonly runtime: RuntimeInfo },
): JobStats {
  const wallMs = Math.max(0, Date.parse(clock.timeOfDay()) - Date.parse(plan.startedAt));
  const times = { wallMs, readMs: 0, parseMs: 0, writeMs: 0 };
  const exceptions = { total: 0, unexpected: 0, cut: 0 };
  for (const part of parts) {
    times.readMs += part.times.readMs;
    times.parseMs += part.times.parseMs;
    times.writeMs += part.times.writeMs;
    exceptions.total += part.exceptions;
    exceptions.unexpected += part.unexpectedResults;
    exceptions.cut += part.cutResults ?? 0;
  }
  const { engine } = parts.at(-1)!;
  const used = usedResources(
    parts.map(({ shard, times: { wallMs }, memoryMb }) => ({ shard, wallMs, memoryMb })),
  );
  return { ...statistics.stats(times, engine, runtime, exceptions, 'header'), used };
}
