/** Implements the small ports of `lib/batch` with Node: time, hashes, ids, and facts about the runtime. */
import { createHash, randomUUID } from 'node:crypto';
import { totalmem } from 'node:os';
// Not the global `performance`: it is a getter, a third of the cost of a read, and the clock is read for every puzzle.
import { performance } from 'node:perf_hooks';
import type { Clock, Hashing, RandomIds } from '../batch/ports.ts';
import type { RuntimeInfo } from '../batch/results/statistics.ts';
import { canRunWasm } from '../exact-cover/compile-wasm.ts';

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
 * The runtime of this process.
 *
 * @param memoryMb memory that it may use, in MiB; by default the limit of the control group or of the machine
 */
export function runtimeInfo(
  coldStart: boolean,
  memoryMb = Math.floor(
    Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) / 2 ** 20,
  ),
): RuntimeInfo {
  return { node: process.version, arch: process.arch, memoryMb, coldStart, simd: canRunWasm(SIMD_WASM) };
}

/** The smallest module with an instruction of SIMD, a function that returns a vector, in hexadecimal digits. */
const SIMD_WASM = '0061736d010000000105016000017b030201000a0a0108004100fd0ffd620b';
