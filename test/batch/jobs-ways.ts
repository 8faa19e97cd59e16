/**
 * The ways in which a job is run: each gives the files that one thread gives. `jobs.test.ts` tries them on one case in nine,
 * `jobs.nightly.test.ts` on all.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../lib/batch/options.ts';
import type { Clock } from '../../lib/batch/ports.ts';
import { SPLIT_RULE } from '../../lib/exact-cover/split/split-search.ts';
import { systemClock } from '../../lib/node/system.ts';
import { type OpenSolver, workerPool } from '../../lib/node/worker-pool.ts';
import type { Engine, EngineName } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { DEEP, runSeed } from '../support/depth.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { upload } from '../support/uploads.ts';
import {
  deliverCase,
  describedFound,
  type Found,
  isUploadable,
  type JobCase,
  jobCatalogue,
  keyOf,
  limitsOf,
  runCase,
  storedFound,
} from './jobs.ts';

/** Splits exact covers soon: the nodes of a search depend on the rule, so all ways have it. Counts are split late: they take longer then. */
const SOON = { ...SPLIT_RULE, work: 1, nodes: 20, least: 96 };
const ruleOf = ({ command }: JobCase) => (command.includes('--count-only') ? SPLIT_RULE : SOON);
const soon = (each: JobCase) => ({ splitRule: ruleOf(each) });
/** A clock that is ahead, so that each search has lasted long enough for other threads. */
const fastClock: Clock = {
  monotonicMs: () => systemClock.monotonicMs() * 1e6,
  timeOfDay: () => systemClock.timeOfDay(),
};

/** Each reading of the clock takes ten milliseconds on average, so a function of two seconds leaves a large shard in several parts. */
const functionMsOf = ({ settings }: JobCase) => Number(settings['function ms'] ?? 2000);

/** What one thread gives. */
const wholes = new Map<JobCase, Promise<Found>>();
const pools = new Map<EngineName, OpenSolver & { engine: Engine }>();
afterAll(() => Promise.all([...pools.values()].map(({ close }) => close())));

function poolOf(name: EngineName) {
  const pool = pools.get(name) ?? openPool(name);
  pools.set(name, pool);
  return pool;
}

function openPool(name: EngineName) {
  const engine = createEngine(name);
  return { engine, ...workerPool(2, engine, fastClock) };
}

const areValid = ({ options }: JobCase) => !('errors' in parseOptions(options));
/** Whether time is part of the case, so that only one thread with its clock gives its result. */
const isTimed = ({ settings }: JobCase) => settings.clock !== undefined;
const isPlain = ({ input }: JobCase) =>
  Buffer.from(Buffer.from(input).toString()).equals(input) && !input.includes(0);

interface Way {
  readonly of: (each: JobCase) => boolean;
  /** @returns nothing if the case cannot be run in this way */
  readonly run: (each: JobCase) => Promise<Found | undefined>;
}

const WAYS: Readonly<Record<string, Way>> = {
  'in arrays of any size': {
    of: (each) => areValid(each) && !isTimed(each),
    run(each) {
      const random = new RandomSource(runSeed() + each.input.length);
      const cuts = Array.from({ length: 1 + random.below(20) }, () => random.below(each.input.length + 1));
      return runCase(each, { dependencies: soon(each), cuts: cuts.sort((a, b) => a - b) });
    },
  },
  compressed: {
    of: (each) => areValid(each) && !isTimed(each) && isPlain(each) && each.input.length > 0,
    run: (each) => runCase(each, { dependencies: soon(each) }, gzipSync(each.input)),
  },
  'in UTF-16': {
    of: (each) => areValid(each) && !isTimed(each) && isPlain(each) && each.input.length > 0,
    run: (each) =>
      runCase(each, { dependencies: soon(each) }, Buffer.from(`\ufeff${Buffer.from(each.input)}`, 'utf16le')),
  },
  'by threads': {
    of: (each) => areValid(each) && !isTimed(each),
    run(each) {
      const { engine, solver } = poolOf((each.options.engine ?? 'dlx') as EngineName);
      return runCase(each, { dependencies: { engine, solver, clock: fastClock, ...soon(each) } });
    },
  },
  'as an upload': { of: isUploadable, run: (each) => deliverCase(each, soon(each)) },
  'by many functions': {
    of: (each) => isUploadable(each) && areValid(each) && each.input.length > 0,
    run: (each) => byManyFunctions(each),
  },
  'compressed, by many functions': {
    of: (each) => isUploadable(each) && areValid(each) && isPlain(each) && each.input.length > 0,
    run: (each) => byManyFunctions({ ...each, input: gzipSync(each.input) }, each.input.length),
  },
};

/** Solves a case in shards of a quarter, in the reverse order and in functions with little time. @param plainBytes bytes of its text */
async function byManyFunctions(each: JobCase, plainBytes = each.input.length): Promise<Found | undefined> {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, keyOf(each), each.input, each.options), each.options);
  const jobLimits = limitsOf(each);
  await runLarge(buckets, job, {
    ...soon(each),
    shardBytes: Math.max(50, Math.floor(plainBytes / 4)),
    order: (items) => items.reverse(),
    seed: runSeed(),
    functionMs: functionMsOf(each),
    dependencies: (step) => ({ jobLimits, ...(!step.startsWith('solve') && { remainingMs: () => 900_000 }) }),
  });
  const found = storedFound(buckets, keyOf(each));
  // Short searches, and those by cost, have no subproblems.
  return /cannot be split|long enough to be split/.test(JSON.stringify(found.error)) ? undefined : found;
}

/** What is found, without what depends on threads. */
function comparable(found: Found, each: JobCase): string[] {
  return describedFound(found, each, false).map((line) => line.replace(/"maxBytes":\d+/, ''));
}

/** Tries each way on cases of each kind. */
export function testWays(isWhole: boolean): void {
  const isTried = (k: number, way: number) => isWhole || DEEP || (k + way) % 9 === 0;
  const all = Object.values(jobCatalogue()).flat();
  describe.each(Object.entries(WAYS))('%s, a job gives the same', (name, { of, run }) => {
    const way = Object.keys(WAYS).indexOf(name);
    const cases = all.filter((each, k) => isTried(k, way) && of(each) && holds(each, name));
    let done = 0;
    it.each(cases)('$title', async (each) => {
      const found = await run(each);
      const whole = (wholes.get(each) ??
        wholes.set(each, runCase(each, { dependencies: soon(each) })).get(each))!;
      if (found !== undefined) done++;
      expect(comparable(found ?? (await whole), each)).toEqual(comparable(await whole, each));
    });
    it('for most cases', () => expect(done).toBeGreaterThan(0.6 * cases.length));
  });
}

/** Whether a way, or each of two that it joins, gives the case's result. */
function holds({ settings }: JobCase, way: string): boolean {
  return way.split(', ').every((name) => settings[`except ${name}`] === undefined);
}
