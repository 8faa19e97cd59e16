/**
 * One table of crashes: a process crashes before or after any storage call of a step, the next event comes, and what is left
 * is the same as without a crash. A row is a scenario; a step of which a row expects calls and finds none fails. Below it: several
 * crashes, lost and refused answers to the commit, and processes at the same time.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatestPointer } from '../../lib/batch/delivery/latest.ts';
import type { DoneMarker } from '../../lib/batch/delivery/status-document.ts';
import type { Upload } from '../../lib/batch/delivery/upload-event.ts';
import { SPLIT_RULE } from '../../lib/exact-cover/split/split-search.ts';
import { langford } from '../exact-cover/classic-problems.ts';
import { knuthText } from '../formats/exact-cover/problem-files.ts';
import { planOf, RUN, runBulk, runReport, solvingQueue, threeUploads } from '../support/bulk-run.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../support/dependencies.ts';
import { DEEP, propertyRuns } from '../support/depth.ts';
import { RecordedEvents } from '../support/event-bus.ts';
import { conflict, crashAt, loseAnswer, loseAnswerAndRetry, recording } from '../support/faults.ts';
import { interleave, type Turn } from '../support/interleave.ts';
import { type LargeRun, largeJob, runLarge } from '../support/large-job.ts';
import { type CallHooks, MemoryBuckets, type StoreCall } from '../support/memory-store.ts';
import { CLASHING, EASY, HARD, TWO_SOLUTIONS } from '../support/puzzles.ts';
import { outcomeOf, readResultSet } from '../support/result-set.ts';
import { untimedOutcome } from '../support/untimed-outcome.ts';
import { callsOf, type Delivery, deliver, upload } from '../support/uploads.ts';

/** The hooks of one try of a step. */
type Hooks = (step: string) => CallHooks;

interface Scenario {
  readonly name: string;
  /** The steps whose calls are crashed. */
  readonly steps: readonly string[];
  /** Tests every so many calls. @default 1 */
  readonly every?: number;
  /** Does everything in a new world; after a crash, the next event follows. @returns what is left */
  run(hooks: Hooks): Promise<unknown>;
}

const KEY = 'inbox/puzzles.txt';
const PUZZLES = `${EASY}\n${CLASHING}\n`;
/** A process without remaining time: it rejects files that others solve. */
const NO_TIME = { remainingMs: () => 0 };

/** An upload whose first delivery may crash, and which is delivered again then. */
function delivered(file: string, dependencies: Delivery['dependencies'] = {}) {
  return async (hooks: Hooks) => {
    const buckets = new MemoryBuckets();
    // The time of the deliveries: an attempt that wrote files may still run.
    buckets.now = '2025-03-01T12:00:00.000Z';
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, file);
    const attempt = (name: string, own: CallHooks) =>
      deliver(buckets, uploaded, { attempt: name, hooks: own, dependencies: { events, ...dependencies } });
    const isCommitted = () =>
      buckets.keys(RESULTS_BUCKET).some((key) => /\/(manifest|error)\.json$/.test(key));
    await unlessCrashed(attempt('attempt-a', hooks('delivery')), async () => {
      // Nothing is announced that does not exist.
      if (!isCommitted()) expect(events.types).toEqual([]);
      await attempt('attempt-b', {});
    });
    // An event may be sent twice. Files of two attempts have one name in `left`.
    const types = [...new Set(events.types)];
    const left = outcomeOf(buckets, ['attempt-a', 'attempt-b']);
    return { types, left, keys: buckets.keys(RESULTS_BUCKET).length };
  };
}

/** An upload that is deleted after the crash, and delivered again after the visibility timeout. */
async function deletedUpload(hooks: Hooks): Promise<unknown> {
  const buckets = new MemoryBuckets();
  const uploaded = upload(buckets, KEY, PUZZLES);
  await unlessCrashed(deliver(buckets, uploaded, { hooks: hooks('delivery') }), async () => {
    buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
    const clock = { monotonicMs: () => 0, timeOfDay: () => '2025-03-01T13:30:00.000Z' };
    await deliver(buckets, uploaded, { attempt: 'attempt-b', dependencies: { clock } });
  });
  return oneOutcome(buckets, uploaded);
}

/** Which outcome it is depends on the call; everything must agree on it. */
function oneOutcome(buckets: MemoryBuckets, { versionId }: Upload): unknown {
  const keys = buckets.keys(RESULTS_BUCKET);
  const { jobId, outcome } = buckets.json<DoneMarker>(RESULTS_BUCKET, `done/${KEY}/${versionId}`);
  const isRejected = outcome === 'rejected';
  return {
    outcomes: keys.filter((key) => /\/(manifest|error)\.json$/.test(key)).length,
    ofTheJob: keys.some((key) => key.endsWith(`/${jobId}/${isRejected ? 'error' : 'manifest'}.json`)),
    statuses: keys.filter((key) => key.startsWith('status/')).length,
    statusOfTheJob: keys.includes(`status/${KEY}/${jobId}.json`),
    filesOfRejected: isRejected && keys.some((key) => key.includes('attempt-a')),
  };
}

/** A large job, whose state machine repeats a step that crashed. */
async function largeOutcome(text: string, options: Readonly<Record<string, string>>, run: LargeRun) {
  const buckets = new MemoryBuckets(64);
  await runLarge(buckets, largeJob(upload(buckets, KEY, text, options), options), { tries: 2, ...run });
  return untimedOutcome(buckets, KEY);
}

const COVER = { text: knuthText(langford(7)), options: { solutions: 'all' } };

const SCENARIOS: readonly Scenario[] = [
  { name: 'an upload that is solved', steps: ['delivery'], run: delivered(PUZZLES) },
  { name: 'an upload that is rejected', steps: ['delivery'], run: delivered('no puzzles here\n') },
  {
    name: 'an upload that is rejected after its solving began',
    steps: ['delivery'],
    run: delivered(PUZZLES, NO_TIME),
  },
  { name: 'an upload that is deleted in between', steps: ['delivery'], run: deletedUpload },
  {
    name: 'a large file',
    every: DEEP ? 1 : 2,
    steps: ['plan', 'count 1', 'solve 0', 'solve 2', 'merge'],
    run: (hooks) =>
      largeOutcome(`${EASY}\n${TWO_SOLUTIONS}\n${HARD}\n`.repeat(9), {}, { shardBytes: 800, hooks }),
  },
  {
    name: 'a long search of an exact cover',
    steps: ['plan', 'solve 1', 'merge'],
    every: DEEP ? 1 : 5,
    run: (hooks) =>
      largeOutcome(COVER.text, COVER.options, {
        splitRule: { ...SPLIT_RULE, work: 1, nodes: 20, least: 96 },
        hooks,
      }),
  },
  {
    name: 'a bulk run',
    steps: ['plan', 'follow', 'report'],
    async run(hooks) {
      const buckets = await threeUploads();
      const world = solvingQueue(buckets);
      await runBulk(buckets, RUN, { ...world, tries: 2, hooks });
      return {
        plan: await planOf(buckets),
        versions: runReport(buckets).versions,
        // A message may be sent twice.
        sent: [...new Set(world.queue.uploads.map(({ key }) => key))],
      };
    },
  },
  {
    name: 'a bulk run of many steps',
    // Each of its steps, by the number of tries before it.
    steps: ['plan 0', 'plan 1', 'plan 2', ...Array.from({ length: 3 }, (_, k) => `follow ${k}`), 'report 0'],
    every: DEEP ? 1 : 3,
    async run(hooks) {
      const buckets = new MemoryBuckets();
      for (let k = 0; k < 24; k++) upload(buckets, `scheduled/${k}.txt`, k % 8 === 3 ? 'none\n' : EASY);
      const world = solvingQueue(buckets);
      // Each step has time for a few versions, so a plan has several slices, and versions wait in it.
      let calls = 0;
      const remainingMs = () => (calls++ % 8 === 7 ? 0 : 100_000);
      const tries: Record<string, number> = {};
      const numbered = (step: string) => {
        tries[step] = (tries[step] ?? -1) + 1;
        return hooks(`${step} ${tries[step]}`);
      };
      await runBulk(buckets, RUN, { ...world, tries: 2, hooks: numbered, dependencies: { remainingMs } });
      return {
        plan: (await planOf(buckets)).map(({ key }) => key),
        versions: runReport(buckets).versions,
        unsolved: runReport(buckets)
          .unsolved.map(({ key }) => key)
          .sort(),
        sent: [...new Set(world.queue.uploads.map(({ key }) => key))].length,
        holds: buckets.json<{ runs: object }>(RESULTS_BUCKET, 'runs/holds.json').runs,
      };
    },
  },
];

/** Waits for a process, and for the next event if it crashed. */
async function unlessCrashed(process: Promise<unknown>, next: () => Promise<unknown>): Promise<void> {
  try {
    await process;
  } catch (error) {
    if (!String(error).includes('crashed')) throw error;
    await next();
  }
}

/** The hooks for the first try of a step; all others have none. */
function firstTryOf(step: string, hooks: CallHooks): Hooks {
  let tried = false;
  return (name) => {
    if (name !== step || tried) return {};
    tried = true;
    return hooks;
  };
}

describe.each(SCENARIOS)('$name', ({ steps, every = 1, run }) => {
  describe.each(steps)('step %s', (step) => {
    // A crash before a call leaves what one after the last call leaves, unless calls run side by side: its turn is at night.
    it.each(DEEP ? (['before', 'after'] as const) : (['after'] as const))(
      'a crash %s any storage call changes nothing',
      async (when) => {
        const calls: StoreCall[] = [];
        const clean = await run(firstTryOf(step, recording(calls)));
        expect(calls.length).toBeGreaterThan(1);
        for (let index = 0; index < calls.length; index += every) {
          const { operation, key } = calls[index]!;
          const left = await run(firstTryOf(step, crashAt(index, when)));
          expect(left, `${when} call ${index}, ${operation} ${key}`).toEqual(clean);
        }
      },
    );
  });
});

const ATTEMPTS = ['attempt-a', 'attempt-b', 'attempt-c', 'attempt-d'];

/** An upload in a new world. @returns its deliveries, by the names of their attempts, and what they leave */
function newUpload() {
  const buckets = new MemoryBuckets();
  buckets.now = '2025-03-01T12:00:00.000Z';
  const uploaded = upload(buckets, KEY, PUZZLES);
  return {
    attempt: (name: string, delivery: Delivery = {}) =>
      deliver(buckets, uploaded, { ...delivery, attempt: name }),
    left: () => outcomeOf(buckets, ATTEMPTS),
  };
}

/** What is left without any fault. */
async function cleanRun() {
  const { attempt, left } = newUpload();
  await attempt('attempt-a');
  return left();
}

it('crashes at any calls of three deliveries change nothing after the fourth', async () => {
  const clean = await cleanRun();
  const crash = fc.record({ index: fc.nat(22), when: fc.constantFrom('before', 'after') });
  await fc.assert(
    fc.asyncProperty(crash, crash, crash, async (...crashes) => {
      const { attempt, left } = newUpload();
      for (const [k, { index, when }] of crashes.entries()) {
        await attempt(ATTEMPTS[k]!, { hooks: crashAt(index, when) }).catch(() => {});
      }
      await attempt('attempt-d');
      expect(left()).toEqual(clean);
    }),
    { numRuns: propertyRuns(10) },
  );
});

const isCommit = ({ operation, key }: StoreCall) => operation === 'putIf' && key.endsWith('/manifest.json');
const isPointer = ({ operation, key }: StoreCall) => operation === 'putIf' && key.endsWith('/latest.json');
const ALWAYS = Number.POSITIVE_INFINITY;

/** Answers of the storage; what the delivery is then, or its error, and what the next delivery is. */
it.each<[name: string, hooks: CallHooks, first: string | RegExp, next: string]>([
  ['is lost, with 412 to the retry', loseAnswerAndRetry(isCommit), 'completed', 'duplicate'],
  ['is lost', loseAnswer(isCommit), /no answer/, 'duplicate'],
  ['is 409, three times', conflict(isCommit, 3), 'completed', 'duplicate'],
  [
    'is always 409',
    conflict(isCommit, ALWAYS),
    /manifest\.json could not be written in 20 attempts/,
    'completed',
  ],
  ['of latest.json is lost, with 412 to the retry', loseAnswerAndRetry(isPointer), 'completed', 'duplicate'],
  ['of latest.json is 409, twice', conflict(isPointer, 2), 'completed', 'duplicate'],
  [
    'of latest.json is always 409',
    conflict(isPointer, ALWAYS),
    /latest\.json could not be written in 20 attempts/,
    'duplicate',
  ],
])('a commit whose answer %s leaves the same', async (_name, hooks, first, next) => {
  const { attempt, left } = newUpload();
  const delivery = attempt('attempt-a', { hooks });
  if (typeof first === 'string') expect((await delivery).kind).toBe(first);
  else await expect(delivery).rejects.toThrow(first);
  expect((await attempt('attempt-b')).kind).toBe(next);
  expect(left()).toEqual(await cleanRun());
});

/** Numbers of calls after which a switch of processes can matter: not within the reading and writing of a body. */
async function turningPoints(delivery: Delivery = {}): Promise<number[]> {
  const buckets = new MemoryBuckets();
  const calls = await callsOf(buckets, upload(buckets, KEY, PUZZLES), delivery);
  return calls
    .filter(({ operation }) => !['head', 'read', 'write'].includes(operation))
    .map(({ index }) => index + 1);
}

/** The first attempt makes `a` calls, then the second one `b` calls, then the first one ends, then the second one. */
const turns = (a: number, b: number): Turn[] => [...Array<Turn>(a).fill(0), ...Array<Turn>(b).fill(1)];

it.each<[name: string, second: Delivery]>([
  ['', {}],
  [', of which the second has no time,', { dependencies: NO_TIME }],
])(
  'two attempts at the same time%s leave one result set, however their calls interleave',
  async (_name, second) => {
    const clean = await cleanRun();
    const points = await turningPoints(second);
    for (const a of [0, ...(await turningPoints())]) {
      for (const b of points) {
        const { attempt, left } = newUpload();
        const ends = await interleave(turns(a, b), [
          (hooks) => attempt('attempt-a', { hooks }),
          (hooks) => attempt('attempt-b', { ...second, hooks }),
        ]);
        for (const end of ends) {
          if (end.status === 'fulfilled') continue;
          // A reject waits for other attempts that may still commit: its message is delivered again.
          expect(second.dependencies, `${a} and ${b} calls`).toBe(NO_TIME);
          expect(String(end.reason)).toContain('may still run');
          await attempt('attempt-c', second);
        }
        expect(left(), `${a} and ${b} calls`).toEqual(clean);
      }
    }
  },
);

it('two versions of one key at the same time leave the pointer at the newer, in any order of their last calls', async () => {
  const versions = () => {
    const buckets = new MemoryBuckets();
    return { buckets, older: upload(buckets, KEY, EASY), newer: upload(buckets, KEY, CLASHING) };
  };
  const probe = versions();
  const calls = await callsOf(probe.buckets, probe.older);
  // Before the commit the two are independent.
  const committed = calls.findIndex(isCommit);
  for (let a = committed; a <= calls.length; a++) {
    for (let b = committed; b <= calls.length; b++) {
      for (const swaps of [false, true]) {
        const { buckets, older, newer } = versions();
        const [first, second] = swaps ? [newer, older] : [older, newer];
        await interleave(turns(a, b), [
          (hooks) => deliver(buckets, first, { attempt: 'attempt-a', hooks }),
          (hooks) => deliver(buckets, second, { attempt: 'attempt-b', hooks }),
        ]);
        const pointer = buckets.json<LatestPointer>(RESULTS_BUCKET, `results/${KEY}/latest.json`);
        expect(pointer.input.versionId, `${a} and ${b} calls`).toBe(newer.versionId);
      }
    }
  }
});

it('an event and a bulk run that reach the same version leave one result set, however their calls interleave', async () => {
  const newWorld = () => {
    const buckets = new MemoryBuckets();
    const event = upload(buckets, KEY, PUZZLES);
    const byEvent = async (hooks: CallHooks) => void (await deliver(buckets, event, { hooks }));
    const byRun = async (hooks: CallHooks) => {
      const solve = (sent: Upload) => deliver(buckets, sent, { attempt: 'attempt-b', hooks });
      await runBulk(buckets, RUN, { ...solvingQueue(buckets, solve), hooks: () => hooks });
    };
    return { buckets, byEvent, byRun };
  };
  const callsOfOne = async (name: 'byEvent' | 'byRun') => {
    const calls: StoreCall[] = [];
    await newWorld()[name](recording(calls));
    return calls.length;
  };
  const [ofEvent, ofRun] = [await callsOfOne('byEvent'), await callsOfOne('byRun')];
  const orders = [
    ...Array.from({ length: ofEvent }, (_, a) => turns(a, ofRun + ofEvent)),
    ...Array.from({ length: ofRun }, (_, b) => [...Array<Turn>(b).fill(1), ...turns(ofEvent, ofRun)]),
  ];
  const found = { planned: 0, unplanned: 0, solvedTwice: 0 };
  for (const order of orders) {
    const { buckets, byEvent, byRun } = newWorld();
    const ends = await interleave(order, [byEvent, byRun]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const { manifestKey, manifest } = readResultSet(buckets, KEY);
    const folder = manifestKey.slice(0, -'manifest.json'.length);
    const others = buckets.keys(RESULTS_BUCKET, folder).filter((key) => !key.includes(manifest.attempt!));
    expect(others, order.join('')).toEqual([manifestKey]);
    const { planned, solved } = runReport(buckets).versions;
    expect(solved).toBe(planned);
    found[planned === 1 ? 'planned' : 'unplanned']++;
    if (planned === 1 && manifest.attempt === 'attempt-a') found.solvedTwice++;
  }
  // All that can happen has happened: the run finds a result, has none to find, or is overtaken.
  for (const times of Object.values(found)) expect(times).toBeGreaterThan(0);
});
