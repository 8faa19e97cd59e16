/** What the functions of a large job have used. */
import { lambdaDollars } from '../../estimate/prices.ts';
import type { UsedResources } from '../../results/statistics.ts';

/** A part of a shard, and the time and memory of its function. */
export interface UsedByPart {
  readonly shard: number;
  readonly wallMs: number;
  readonly memoryMb: number;
}

/** @param parts in the order of their shards */
export function usedResources(parts: readonly UsedByPart[]): UsedResources {
  const functionMs = parts.reduce((sum, { wallMs }) => sum + wallMs, 0);
  const gbSeconds = parts.reduce((sum, { wallMs, memoryMb }) => sum + (wallMs / 1000) * (memoryMb / 1024), 0);
  return {
    shards: parts.at(-1)!.shard + 1,
    pieces: parts.length,
    functionMs: Math.round(functionMs),
    gbSeconds: Math.round(gbSeconds * 1000) / 1000,
    lambdaDollars: Number(lambdaDollars(gbSeconds, parts.length).toPrecision(3)),
  };
}
