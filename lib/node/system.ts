/** Node behind the batch's small ports: time, hashes, ids, and what the process runs on. */
import { createHash, randomUUID } from 'node:crypto';
import { totalmem } from 'node:os';
// The global of the same name is a getter: the clock is read for every puzzle, and that would be a third of its cost.
import { performance } from 'node:perf_hooks';
import type { Clock, Hashing, RandomIds } from '../batch/ports.ts';
import type { RuntimeInfo } from '../batch/results/statistics.ts';

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  timeOfDay: () => new Date().toISOString(),
};

export const systemHashing: Hashing = {
  sha256() {
    const hash = createHash('sha256');
    return {
      update: (bytes) => {
        hash.update(bytes);
      },
      hex: () => hash.digest('hex'),
    };
  },
};

export const systemIds: RandomIds = { next: () => randomUUID() };

/**
 * What this process runs on.
 *
 * @param memoryMb the memory it may use, in MiB; by default what the machine or its control group allows
 */
export function runtimeInfo(
  coldStart: boolean,
  memoryMb = Math.floor(
    Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) / 2 ** 20,
  ),
): RuntimeInfo {
  return { node: process.version, arch: process.arch, memoryMb, coldStart };
}
