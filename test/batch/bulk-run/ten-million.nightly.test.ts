/**
 * A bulk run of ten million uploads over synthetic listings, with the clock of a test: what it holds in memory, how many
 * requests it makes, how long it takes, and what it costs. `TEN_MILLION=1` runs all of them; a hundredth runs otherwise.
 */
import { expect, it } from 'vitest';
import { PRICES } from '../../../lib/batch/estimate/prices.ts';
import type { MessageQueue, ObjectStore, ObjectVersion } from '../../../lib/batch/ports.ts';
import { RUN_STEP_MEMORY_MB } from '../../../lib/infra/state-machines/bulk-run.ts';
import { DayClock, RUN, runBulk, runReport } from '../../support/bulk-run.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

const UPLOADS = process.env.TEN_MILLION === '1' ? 10_000_000 : 100_000;
/** Of all functions together: ten at a time, each a fifth of a second. */
const PER_SECOND = 50;
/** Uploads with such a number are rejected. */
const REJECTED = 1009;
/** Times of a request, and of a page of a listing: they are simulated, in milliseconds. */
const [REQUEST_MS, PAGE_MS] = [20, 200];
const FUNCTION_GB = RUN_STEP_MEMORY_MB / 1024;

const keyOf = (k: number) => `inbox/${String(k).padStart(9, '0')}.txt`;

/** Buckets with `UPLOADS` versions of which the first `solved` have a marker, and those of a run in memory. */
function world(solved: () => number, pass: (ms: number) => void) {
  const buckets = new MemoryBuckets();
  const memory = memoryStore(buckets);
  const requests: Record<string, number> = {};
  const count = (name: string, ms: number, requestsMade = 1) => {
    requests[name] = (requests[name] ?? 0) + requestsMade;
    pass(ms);
  };
  const numberOf = (key: string) => Number(/inbox\/(\d{9})/.exec(key)?.[1] ?? -1);
  const marker = (k: number) =>
    k % REJECTED === 0
      ? '{"jobId":"a","outcome":"rejected","message":"no puzzles found"}'
      : '{"jobId":"a","outcome":"completed","puzzles":{"total":1,"solved":1},"seconds":0.2,"gbSeconds":0.35}';
  const own: Partial<ObjectStore> = {
    async get(bucket, key, ...more) {
      // Markers are read 32 at a time.
      count(`get ${key.split('/', 1)[0]}`, key.startsWith('done/') ? REQUEST_MS / 32 : REQUEST_MS);
      if (!key.startsWith('done/')) return memory.get(bucket, key, ...more);
      const k = numberOf(key);
      if (k >= solved()) return undefined;
      const body = new TextEncoder().encode(marker(k));
      return {
        size: body.length,
        etag: 'e',
        metadata: {},
        body: (async function* () {
          yield body;
        })(),
      };
    },
    async head(...request) {
      count('head', REQUEST_MS);
      return memory.head(...request);
    },
    async put(...request) {
      count('put', REQUEST_MS);
      return memory.put(...request);
    },
    async putIf(...request) {
      count('put', REQUEST_MS);
      return memory.putIf(...request);
    },
    async *list(bucket, prefix, after) {
      if (!prefix.startsWith('done/')) {
        count('list', PAGE_MS);
        yield* memory.list(bucket, prefix, after);
        return;
      }
      const from = after === undefined ? 0 : numberOf(after) + 1;
      for (let k = from, read = 0; k < Math.min(solved(), UPLOADS); k++, read++) {
        if (read % 1000 === 0) count('list', PAGE_MS);
        yield `done/${keyOf(k)}/v`;
      }
    },
    async *listVersions(_bucket, prefix, after) {
      count('list', PAGE_MS);
      if (prefix !== 'inbox/') return;
      for (let k = after === undefined ? 0 : numberOf(after.key) + 1, read = 1; k < UPLOADS; k++, read++) {
        if (read % 1000 === 0) count('list', PAGE_MS);
        const version: ObjectVersion = {
          key: keyOf(k),
          versionId: 'v',
          bytes: 820,
          etag: 'e',
          lastModified: '2025-02-01T00:00:00.000Z',
          latest: true,
        };
        yield version;
      }
    },
  };
  const store = new Proxy(memory, {
    get: (_, name: keyof ObjectStore) => own[name] ?? memory[name].bind(memory),
  });
  return { buckets, store, requests };
}

/** What a run takes. */
async function takes(isSolved: boolean) {
  const clock = new DayClock();
  const startMs = clock.dayMs;
  let sent = 0;
  let [worked, workedMs, mostWaiting] = [0, startMs, 0];
  const work = () => {
    // A function that has nothing to do does not work ahead.
    worked = Math.min(sent, worked + ((clock.dayMs - workedMs) / 1000) * PER_SECOND);
    workedMs = clock.dayMs;
    return Math.floor(worked);
  };
  let [functionMs, stepMs, longestMs, heap] = [0, 0, 0, 0];
  const { buckets, store, requests } = world(
    () => (isSolved ? UPLOADS : work()),
    (ms) => {
      clock.dayMs += ms;
      functionMs += ms;
      stepMs += ms;
      longestMs = Math.max(longestMs, stepMs);
    },
  );
  const queue: MessageQueue = {
    async send(bodies) {
      work();
      sent += bodies.length;
      mostWaiting = Math.max(mostWaiting, sent - worked);
      clock.dayMs += REQUEST_MS;
      return [];
    },
  };
  let begun = 0;
  const steps = await runBulk(buckets, RUN, {
    queue,
    clock,
    hooks() {
      stepMs = 0;
      if (++begun % 50 === 0) {
        globalThis.gc?.();
        heap = Math.max(heap, process.memoryUsage().heapUsed);
      }
      return {};
    },
    dependencies: { store, remainingMs: () => 900_000 - stepMs },
  });
  const readsAndHeads = Object.entries(requests).filter(([name]) => /^(get|head)/.test(name));
  const reads = readsAndHeads.reduce((sum, [, n]) => sum + n, 0);
  const writes = (requests.put ?? 0) + (requests.list ?? 0);
  const dollars =
    reads * PRICES.s3Read +
    writes * PRICES.s3Write +
    steps.length * 4 * PRICES.stateTransition +
    (functionMs / 1000) * FUNCTION_GB * PRICES.lambdaGbSecond;
  return {
    report: runReport(buckets),
    hours: (clock.dayMs - startMs) / 3_600_000,
    longestStepMinutes: longestMs / 60_000,
    steps: steps.length,
    requests,
    mostWaiting,
    dollars,
    heapMb: heap / 1e6,
  };
}

it('follows all uploads with few requests for each, and with what waits in the plan', async ({
  annotate,
}) => {
  const { report, ...taken } = await takes(false);
  await annotate(`${UPLOADS} uploads: ${JSON.stringify(taken)}`);
  const rejected = Math.ceil(UPLOADS / REJECTED);
  expect(report.versions).toMatchObject({
    found: UPLOADS,
    planned: UPLOADS,
    sent: UPLOADS,
    solved: UPLOADS - rejected,
    rejected,
    stalled: 0,
  });
  expect(report.puzzles.solved).toBe(UPLOADS - rejected);
  expect(report.unsolved).toHaveLength(Math.min(rejected, 1000));
  // One read for each upload, and in each step some of those that have no outcome yet.
  expect(taken.requests['get done']).toBeLessThan(UPLOADS + 512 * taken.steps);
  // Ten minutes of work at most: the rate is measured.
  expect(taken.mostWaiting).toBeLessThan(600 * PER_SECOND);
  expect(taken.longestStepMinutes).toBeLessThan(15);
  // All functions are busy.
  expect(taken.hours).toBeLessThan((1.25 * UPLOADS) / PER_SECOND / 3600 + 1);
}, 7_200_000);

it('costs what the listings do, if there is nothing to do', async ({ annotate }) => {
  const { report, ...taken } = await takes(true);
  await annotate(`${UPLOADS} uploads, all solved: ${JSON.stringify(taken)}`);
  expect(report.versions).toMatchObject({ found: UPLOADS, alreadyDone: UPLOADS, planned: 0 });
  expect(taken.dollars).toBeLessThan((0.15 * UPLOADS) / 10_000_000 + 0.01);
}, 7_200_000);
