/** Ceilings of a day: an upload over each one, and a count that deliveries, crashes and races do not change. */
import { describe, expect, it, test } from 'vitest';
import type { UploadDependencies, UploadOutcome } from '../../../lib/batch/delivery/solve-upload.ts';
import { USAGE_CEILING_NAMES } from '../../../lib/batch/limits.ts';
import { UPLOAD_PREFIXES } from '../../../lib/batch/names.ts';
import type { OptionTexts } from '../../../lib/batch/options.ts';
import {
  isUsageCeiling,
  parseUsageCeilings,
  UsageCeilingError,
  usageFolder,
} from '../../../lib/batch/usage/usage-ceilings.ts';
import { readUsage, reserveUsage } from '../../../lib/batch/usage/usage-ledger.ts';
import { FakeClock, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { crashAt, loseAnswerAndRetry, recording } from '../../support/faults.ts';
import { interleave } from '../../support/interleave.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets, memoryStore, type StoreCall } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { callsOf, deliver, upload } from '../../support/uploads.ts';

const OFF: OptionTexts = { 'max-day-dollars': 'none' };
const DAY = '2025-03-01';
const NEXT_DAY = '2025-03-02';
/** 82,000 bytes. */
const FILE = `${EASY}\n`.repeat(1000);

/** A clock on a day, on which solving takes no time. */
function clockOn(day: string): FakeClock {
  const clock = new FakeClock(0);
  clock.timeOfDay = () => `${day}T12:00:00.000Z`;
  return clock;
}

/** The dependencies of a stack with ceilings. */
function under(texts: OptionTexts, day = DAY): Partial<UploadDependencies> {
  return {
    clock: clockOn(day),
    usage: { ceilings: parseUsageCeilings({ ...OFF, ...texts }), prefixes: UPLOAD_PREFIXES },
  };
}

async function used(buckets: MemoryBuckets, day = DAY) {
  return (await readUsage(memoryStore(buckets), RESULTS_BUCKET, day)).total;
}

/** Ceilings that admit one such file and not two, and what their message says. */
const CEILINGS = [
  [
    'max-day-mb',
    '0.1',
    /^the ceiling max-day-mb is 104,858 bytes for all uploads of a day in UTC: .*this file takes 82,000 bytes/,
    'dlx:maxDayMb',
  ],
  [
    'max-day-dollars',
    '0.0001',
    /^the ceiling max-day-dollars is 0\.0001 dollars .*takes about 0\.\d+ dollars/,
    'dlx:maxDayDollars',
  ],
  [
    'max-folder-mb',
    '0.1',
    /^the ceiling max-folder-mb is 104,858 bytes for the uploads under inbox\/team\/ of a day/,
    'dlx:maxFolderMb',
  ],
  [
    'max-folder-dollars',
    '0.0001',
    /^the ceiling max-folder-dollars is 0\.0001 dollars/,
    'dlx:maxFolderDollars',
  ],
] as const;

describe.each(CEILINGS)('%s', (name, max, message, setting) => {
  const dependencies = (day?: string) => under({ [name]: max }, day);

  it('rejects the upload that would exceed it, with what to do, and solves it on the next day', async () => {
    const buckets = new MemoryBuckets();
    const first = upload(buckets, 'inbox/team/a.txt', FILE);
    expect(await deliver(buckets, first, { dependencies: dependencies() })).toMatchObject({
      kind: 'completed',
    });
    const second = upload(buckets, 'inbox/team/b.txt', FILE);
    const rejected = await deliver(buckets, second, { dependencies: dependencies() });
    expect(rejected).toMatchObject({
      kind: 'rejected',
      error: { code: 'ceiling_reached', message: expect.stringMatching(message) },
    });
    const text = (rejected as UploadOutcome & { kind: 'rejected' }).error.message;
    expect(text).toContain(`--${name} of local, or ${setting} of the stack`);
    expect(text).toMatch(/of 2025-03-01 are used/);
    expect(text).toMatch(/after midnight in UTC.*dlx-batch redrive inbox\/team\/b\.txt$/);
    const again = await deliver(buckets, second, {
      attempt: 'attempt-b',
      dependencies: dependencies(NEXT_DAY),
    });
    expect(again).toMatchObject({ kind: 'completed' });
    expect(buckets.keys(RESULTS_BUCKET, 'rejects/')).toEqual([]);
  });

  it('counts other folders only if it is of the whole day', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/team/a.txt', FILE), { dependencies: dependencies() });
    const other = await deliver(buckets, upload(buckets, 'inbox/other/a.txt', FILE), {
      dependencies: dependencies(),
    });
    expect(other.kind).toBe(name.includes('day') ? 'rejected' : 'completed');
  });

  it('is no option of an upload', async () => {
    const buckets = new MemoryBuckets();
    const wished = upload(buckets, 'inbox/team/a.txt', FILE, { [name]: '999999' });
    expect(await deliver(buckets, wished, { dependencies: dependencies() })).toMatchObject({
      kind: 'rejected',
      error: { code: 'bad_option' },
    });
  });

  it('rejects a large file before its shards are counted', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/team/a.txt', FILE), { dependencies: dependencies() });
    const large = upload(buckets, 'inbox/team/b.txt', FILE);
    const steps = await runLarge(buckets, largeJob(large), {
      shardBytes: 20_000,
      dependencies: () => dependencies(),
    });
    expect(steps).toEqual(['plan']);
    const [key] = buckets.keys(RESULTS_BUCKET, 'rejects/');
    expect(buckets.json(RESULTS_BUCKET, key!)).toMatchObject({ error: { code: 'ceiling_reached' } });
  });
});

it('a file that exceeds a ceiling alone is not solved on any day', async () => {
  const buckets = new MemoryBuckets();
  const alone = upload(buckets, 'inbox/a.txt', FILE);
  expect(await deliver(buckets, alone, { dependencies: under({ 'max-day-mb': '0.05' }) })).toMatchObject({
    error: {
      message: expect.stringMatching(
        /0 bytes of 2025-03-01 are used.*82,000 bytes; split the file, or raise/,
      ),
    },
  });
});

describe('a job counts once', () => {
  const texts = { 'max-day-mb': '1', 'max-day-dollars': '1' };
  const key = 'inbox/a.txt';
  const text = `${EASY}\n`.repeat(50);

  it.each(['before', 'after'] as const)(
    'after a crash %s each call, also if it is solved on the next day',
    async (when) => {
      const clean = new MemoryBuckets();
      const calls = await callsOf(clean, upload(clean, key, text), { dependencies: under(texts) });
      for (const { index } of calls) {
        const buckets = new MemoryBuckets();
        const uploaded = upload(buckets, key, text);
        const crash = deliver(buckets, uploaded, { hooks: crashAt(index, when), dependencies: under(texts) });
        await expect(crash).rejects.toThrow('crashed');
        for (const attempt of ['attempt-b', 'attempt-c']) {
          await deliver(buckets, uploaded, { attempt, dependencies: under(texts, NEXT_DAY) });
        }
        const days = [await used(buckets), await used(buckets, NEXT_DAY)];
        const total = days.reduce((sum, { bytes }) => sum + bytes, 0);
        expect(total, `crash ${when} call ${index}`).toBe((await used(clean)).bytes);
      }
    },
  );

  it('in races of two deliveries', async () => {
    const totals = new Set<number>();
    for (let turn = 0; turn < 40; turn++) {
      const buckets = new MemoryBuckets();
      const uploaded = upload(buckets, key, text);
      const start = (attempt: string) => (hooks: object) =>
        deliver(buckets, uploaded, { attempt, hooks, dependencies: under(texts) });
      const turns = [...Array(turn).fill(0), ...Array(turn).fill(1)];
      await interleave(turns, [start('attempt-a'), start('attempt-b')]);
      const { jobs } = buckets.json<{ jobs: object }>(RESULTS_BUCKET, `usage/${DAY}.json`);
      expect(Object.keys(jobs)).toHaveLength(1);
      totals.add((await used(buckets)).bytes);
    }
    expect(totals.size).toBe(1);
  });

  it('if the answer to its write is lost', async () => {
    const buckets = new MemoryBuckets();
    const hooks = loseAnswerAndRetry((call) => call.key.startsWith('usage/'));
    const delivery = { hooks, dependencies: under({ 'max-day-mb': '0.1' }) };
    expect(await deliver(buckets, upload(buckets, key, text), delivery)).toMatchObject({ kind: 'completed' });
    expect(
      Object.keys(buckets.json<{ jobs: object }>(RESULTS_BUCKET, `usage/${DAY}.json`).jobs),
    ).toHaveLength(1);
  });
});

it('concurrent uploads never exceed a ceiling, and use all of it', async () => {
  const buckets = new MemoryBuckets();
  const deliveries = Array.from({ length: 8 }, (_, index) =>
    deliver(buckets, upload(buckets, `inbox/${index}.txt`, FILE), {
      attempt: `attempt-${index}`,
      dependencies: under({ 'max-day-mb': '0.4' }),
    }),
  );
  const kinds = (await Promise.all(deliveries)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'completed')).toHaveLength(5);
  expect(kinds.filter((kind) => kind === 'rejected')).toHaveLength(3);
});

describe('a ceiling that is far away costs a small job', () => {
  const usageCalls = async (texts: OptionTexts) => {
    const buckets = new MemoryBuckets();
    const calls: StoreCall[] = [];
    const small = upload(buckets, 'inbox/small.txt', `${EASY}\n`);
    await deliver(buckets, small, { hooks: recording(calls), dependencies: under(texts) });
    return calls.filter(({ key }) => key.startsWith('usage/')).map(({ operation }) => operation);
  };

  test('one request that reads', async () => {
    expect(await usageCalls({ 'max-day-dollars': '250', 'max-day-mb': '1000' })).toEqual(['get']);
  });

  test('none if no ceiling is set', async () => {
    expect(await usageCalls({})).toEqual([]);
  });
});

test('the sum of many small jobs is right within 3 %, with a short ledger', async () => {
  const buckets = new MemoryBuckets();
  const storage = {
    store: memoryStore(buckets),
    resultsBucket: RESULTS_BUCKET,
    ceilings: parseUsageCeilings({ ...OFF, 'max-day-mb': '1' }),
  };
  const jobs = 1500;
  for (let index = 0; index < jobs; index++) {
    const jobId = ((index * 2654435761) % 2 ** 32).toString(16).padStart(8, '0').padEnd(16, '0');
    const job = { jobId, key: 'inbox/a.txt', folder: 'inbox/', day: DAY };
    expect(await reserveUsage(job, { bytes: 100, microdollars: 0 }, storage)).toBeUndefined();
  }
  const { bytes } = await used(buckets);
  expect(Math.abs(bytes - 100 * jobs) / 2 ** 20).toBeLessThan(0.03);
  const ledger = buckets.json<{ jobs: object }>(RESULTS_BUCKET, `usage/${DAY}.json`);
  expect(Object.keys(ledger.jobs).length).toBeLessThan(jobs / 8);
});

test('a job that is counted stays admitted if it is estimated again, until it takes far more', async () => {
  const buckets = new MemoryBuckets();
  const ceilings = parseUsageCeilings({ 'max-day-dollars': '0.0003' });
  const storage = { store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET, ceilings };
  const reserve = (jobId: string, microdollars: number) =>
    reserveUsage(
      { jobId, key: 'inbox/a.txt', folder: 'inbox/', day: DAY },
      { bytes: 0, microdollars },
      storage,
    );
  expect(await reserve('00000000aaaaaaaa', 100)).toBeUndefined();
  expect(await reserve('00000000bbbbbbbb', 200)).toBeUndefined();
  expect(await reserve('00000000aaaaaaaa', 150)).toBeUndefined();
  expect(await reserve('00000000aaaaaaaa', 250)).toMatchObject({ code: 'ceiling_reached' });
  expect((await used(buckets)).microdollars).toBe(300);
});

test('a job costs what it took, not what was estimated', async () => {
  const texts = { 'max-day-dollars': '0.01' };
  const slow = clockOn(DAY);
  const buckets = new MemoryBuckets();
  const dependencies = { ...under(texts), clock: slow };
  await deliver(buckets, upload(buckets, 'inbox/a.txt', FILE), { dependencies });
  const fast = (await used(buckets)).microdollars;
  const hooks = {
    async after() {
      slow.nowMs += 2000;
      return undefined;
    },
  };
  await deliver(buckets, upload(buckets, 'inbox/b.txt', FILE), { hooks, dependencies });
  // Tens of seconds of a function, at 23 millionths of a dollar each.
  expect((await used(buckets)).microdollars).toBeGreaterThan(fast + 400);
});

test('a large job costs what its shards took', async () => {
  const buckets = new MemoryBuckets();
  const large = largeJob(upload(buckets, 'inbox/a.txt', FILE));
  const usage = under({ 'max-day-dollars': '1' }).usage!;
  await runLarge(buckets, large, { shardBytes: 20_000, dependencies: () => ({ usage }) });
  const { microdollars } = await used(buckets);
  expect(microdollars).toBeGreaterThan(0);
  await runLarge(buckets, large, { shardBytes: 20_000, dependencies: () => ({ usage }) });
  expect((await used(buckets)).microdollars).toBe(microdollars);
});

describe('the settings', () => {
  it.each([...USAGE_CEILING_NAMES])('%s are positive numbers, or none', (name) => {
    for (const text of ['0', '0.0', '-1', '', 'all', '1e3', '.5', '1.1234567', '1234567890', 'None']) {
      expect(isUsageCeiling(text)).toBe(false);
      expect(() => parseUsageCeilings({ [name]: text })).toThrow(UsageCeilingError);
    }
    for (const text of ['0.000001', '2.50', '999999999', 'none']) expect(isUsageCeiling(text)).toBe(true);
  });

  it('are off, but for a generous one in dollars', () => {
    expect(parseUsageCeilings({})).toMatchObject([{ name: 'max-day-dollars', max: 250e6 }]);
    expect(parseUsageCeilings(OFF)).toEqual([]);
  });

  it.each([
    ['inbox/a.txt', 'inbox/'],
    ['inbox/team/a.txt', 'inbox/team/'],
    ['inbox/team/june/a.txt', 'inbox/team/'],
    ['scheduled/team/a.txt', 'scheduled/team/'],
    ['inbox//a.txt', 'inbox//'],
  ])('of a folder are for %s those of %s', (key, folder) => {
    expect(usageFolder(key, UPLOAD_PREFIXES)).toBe(folder);
  });
});
