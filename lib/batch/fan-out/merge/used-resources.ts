/** What the functions of a large job have used. */
import { lambdaDollars } from '../../estimate/prices.ts';
import type { UsedResources } from '../../results/statistics.ts';

/** A piece of a shard, and the time and memory of its function. */
export interface UsedByPiece {
  readonly shard: number;
  readonly wallMs: number;
  readonly memoryMb: number;
}

/** @param pieces in the order of their shards */
export function usedResources(pieces: readonly UsedByPiece[]): UsedResources {
  const functionMs = pieces.reduce((sum, { wallMs }) => sum + wallMs, 0);
  const gbSeconds = pieces.reduce(
    (sum, { wallMs, memoryMb }) => sum + (wallMs / 1000) * (memoryMb / 1024),
    0,
  );
  return {
    shards: pieces.at(-1)!.shard + 1,
    pieces: pieces.length,
    functionMs: Math.round(functionMs),
    gbSeconds: Math.round(gbSeconds * 1000) / 1000,
    lambdaDollars: Number(lambdaDollars(gbSeconds, pieces.length).toPrecision(3)),
  };
}
