/** Dependencies of jobs in tests, with reproducible clocks and ids. */

import type { JobDependencies } from '../../lib/batch/job/job-run.ts';
import { parseOptions, type SolveOptions } from '../../lib/batch/options.ts';
import type { Clock, ObjectStore } from '../../lib/batch/ports.ts';
import { InlineSolver } from '../../lib/batch/solving/block-solver.ts';
import { rateRecord } from '../../lib/batch/solving/rate-record.ts';
import type { UploadDependencies } from '../../lib/batch/upload/solve-upload.ts';
import { systemHashing } from '../../lib/node/system.ts';
import { zlibUnpacking } from '../../lib/node/unpacking.ts';
import type { Engine, EngineName } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';

export const INPUT_BUCKET = 'puzzles';
export const RESULTS_BUCKET = 'results';

const RUNTIME = { node: 'v24.0.0', arch: 'arm64', memoryMb: 1769, coldStart: false, simd: true };

/** A clock with a settable time, which each read advances by `stepMs`. */
export class FakeClock implements Clock {
  nowMs = 0;
  readonly stepMs: number;

  constructor(stepMs = 0.125) {
    this.stepMs = stepMs;
  }

  monotonicMs(): number {
    this.nowMs += this.stepMs;
    return this.nowMs;
  }

  timeOfDay(): string {
    return '2025-03-01T12:00:00.000Z';
  }
}

/**
 * A clock that each read advances by a random time, mostly short and sometimes long. So blocks have other sizes with
 * each seed, as in production.
 */
export class UnevenClock extends FakeClock {
  readonly #random: () => number;
  readonly #pace: number;

  /** @param pace factor of all steps; 1 gives a mean of a few milliseconds */
  constructor(seed: number, pace = 1) {
    super();
    const source = new RandomSource(seed);
    this.#random = () => source.next() / 2 ** 32;
    this.#pace = pace;
  }

  override monotonicMs(): number {
    // From 1 us to 100 ms, uniform in the logarithm.
    this.nowMs += this.#pace * 10 ** (5 * this.#random() - 3);
    return this.nowMs;
  }
}

/** Options from texts. @throws Error if they are invalid */
export function optionsFrom(texts: Readonly<Record<string, string>> = {}): SolveOptions {
  const parsed = parseOptions(texts);
  if ('errors' in parsed) throw new Error(parsed.errors.map(({ message }) => message).join('; '));
  return parsed.options;
}

const engines = new Map<EngineName, Engine>();

/** Jobs can share an engine, as it keeps no state between puzzles; creating one takes longer than a small job. */
function sharedEngine(name: EngineName): Engine {
  const engine = engines.get(name) ?? createEngine(name);
  engines.set(name, engine);
  return engine;
}

export function jobDependencies(options: SolveOptions, clock: Clock = new FakeClock()): JobDependencies {
  const engine = sharedEngine(options.engine);
  return {
    clock,
    hashing: systemHashing,
    unpacking: zlibUnpacking,
    runtime: RUNTIME,
    engine,
    solver: new InlineSolver(engine, clock, undefined, { rate: rateRecord }),
    checkAll: true,
  };
}

/** Dependencies of a process that solves uploads as attempt `attempt`. */
export function uploadDependencies(
  store: ObjectStore,
  attempt: string,
  overrides: Partial<UploadDependencies> = {},
): UploadDependencies {
  const clock = overrides.clock ?? new FakeClock();
  return {
    store,
    resultsBucket: RESULTS_BUCKET,
    clock,
    hashing: systemHashing,
    unpacking: zlibUnpacking,
    ids: { next: () => attempt },
    runtime: RUNTIME,
    defaults: {},
    openSolver: (options) => {
      const engine = sharedEngine(options.engine);
      return {
        engine,
        solver: new InlineSolver(engine, clock, undefined, { rate: rateRecord }),
        close: async () => {},
      };
    },
    remainingMs: () => 900_000,
    ...overrides,
  };
}
