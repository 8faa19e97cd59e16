import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { applyLifecycle, type LifecycleRule, parseLifecycle } from '../../../lib/local/s3/lifecycle.ts';
import { Storage } from '../../../lib/local/s3/storage.ts';
import { temporaryFolder } from '../fixture-function.ts';

const BUCKET = 'bucket';
const START_MS = Date.UTC(2026, 0, 15, 10, 30);
const HOUR_MS = 3_600_000;
const EMPTY = { bytes: 0, etag: '', files: [], system: {}, metadata: {} };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START_MS }));
afterEach(() => void vi.useRealTimers());

async function openStorage(): Promise<Storage> {
  const storage = await Storage.open(temporaryFolder(), (fault) => {
    throw fault;
  });
  onTestFinished(() => storage.close());
  storage.createBucket(BUCKET);
  storage.enableVersioning(BUCKET);
  return storage;
}

const put = (storage: Storage, key: string) => storage.put(BUCKET, key, EMPTY);
const remove = (storage: Storage, key: string) => storage.delete(BUCKET, key);

function contents(storage: Storage): Record<string, string> {
  const { versions } = storage.bucket(BUCKET);
  return Object.fromEntries(
    [...versions].map(([key, all]) => [key, all.map((one) => (one.deleteMarker ? 'D' : 'o')).join('')]),
  );
}

/** Applies the rules every half hour, for some days: each change of the contents, and its time. */
async function changes(storage: Storage, rules: readonly LifecycleRule[], days: number) {
  const found: [at: string, contents: Record<string, string>][] = [];
  let last = JSON.stringify(contents(storage));
  for (let nowMs = Date.now(); nowMs <= START_MS + 24 * days * HOUR_MS; nowMs += HOUR_MS / 2) {
    vi.setSystemTime(nowMs);
    await applyLifecycle(storage, BUCKET, rules, nowMs);
    const now = contents(storage);
    if (JSON.stringify(now) !== last) found.push([new Date(nowMs).toISOString().slice(5, 16), now]);
    last = JSON.stringify(now);
  }
  return found;
}

const enabled = { Status: 'Enabled' };
const pieces = { ...enabled, Prefix: 'work/', ExpirationInDays: 3 };
const oldVersions = { ...enabled, NoncurrentVersionExpiration: { NoncurrentDays: 2 } };
const markers = { ...enabled, ExpiredObjectDeleteMarker: true };

describe('an object', () => {
  test('is hidden after its days, from midnight on; then its version and its marker are removed', async () => {
    const storage = await openStorage();
    put(storage, 'work/a');
    put(storage, 'worker');
    expect(await changes(storage, parseLifecycle([pieces, oldVersions, markers]), 9)).toEqual([
      ['01-19T00:00', { 'work/a': 'oD', worker: 'o' }],
      ['01-21T00:00', { worker: 'o' }],
    ]);
  });

  test('that was written at midnight is hidden after exactly its days', async () => {
    const storage = await openStorage();
    vi.setSystemTime(Date.UTC(2026, 0, 16));
    put(storage, 'work/a');
    expect(await changes(storage, parseLifecycle([pieces]), 9)).toEqual([
      ['01-19T00:00', { 'work/a': 'oD' }],
    ]);
  });

  test('counts from the write of its newest version', async () => {
    const storage = await openStorage();
    put(storage, 'work/a');
    vi.setSystemTime(START_MS + 48 * HOUR_MS);
    put(storage, 'work/a');
    expect(await changes(storage, parseLifecycle([pieces]), 9)).toEqual([
      ['01-21T00:00', { 'work/a': 'ooD' }],
    ]);
  });
});

describe('an older version', () => {
  test('is removed after its days, counted from the next version; the shorter of two rules is followed', async () => {
    const storage = await openStorage();
    for (const key of ['work/a', 'b']) put(storage, key);
    vi.setSystemTime(START_MS + 24 * HOUR_MS);
    for (const key of ['work/a', 'b']) put(storage, key);
    vi.setSystemTime(START_MS + 48 * HOUR_MS);
    for (const key of ['work/a', 'b']) put(storage, key);
    const shorter = { ...oldVersions, Prefix: 'work/', NoncurrentVersionExpiration: { NoncurrentDays: 1 } };
    expect(await changes(storage, parseLifecycle([oldVersions, shorter]), 30)).toEqual([
      ['01-18T00:00', { 'work/a': 'oo', b: 'ooo' }],
      ['01-19T00:00', { 'work/a': 'o', b: 'oo' }],
      ['01-20T00:00', { 'work/a': 'o', b: 'o' }],
    ]);
  });
});

describe('a delete marker', () => {
  test('stays while it hides a version', async () => {
    const storage = await openStorage();
    put(storage, 'a');
    remove(storage, 'a');
    expect(await changes(storage, parseLifecycle([markers]), 9)).toEqual([]);
  });

  test.for([
    ['at once by the rule for it', markers, '01-15T10:30'],
    ['by the expiration after its days', pieces, '01-19T00:00'],
  ] as const)('that hides nothing is removed %s', async ([, rule, at]) => {
    const storage = await openStorage();
    remove(storage, 'work/a');
    expect(await changes(storage, parseLifecycle([rule]), 9)).toEqual([[at, {}]]);
  });
});

test('an unfinished upload is aborted after its days, and one of a program without start times at once', async () => {
  const storage = await openStorage();
  const rules = parseLifecycle([{ ...enabled, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 3 } }]);
  const uploadId = storage.createUpload({ bucket: BUCKET, key: 'a', system: {}, metadata: {} });
  const left = async (nowMs: number) => {
    await applyLifecycle(storage, BUCKET, rules, nowMs);
    return [...storage.uploads.keys()];
  };
  const dueMs = Date.UTC(2026, 0, 19);
  expect(await left(dueMs - 1)).toEqual([uploadId]);
  expect(await left(dueMs)).toEqual([]);
});

test('a disabled rule removes nothing', async () => {
  const storage = await openStorage();
  put(storage, 'work/a');
  expect(await changes(storage, parseLifecycle([{ ...pieces, Status: 'Disabled' }]), 9)).toEqual([]);
});

test.for([
  { ...pieces, Transitions: [] },
  { ...pieces, TagFilters: [] },
  { ...pieces, ObjectSizeGreaterThan: 1 },
  { ...oldVersions, NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 1 } },
  { ...pieces, ExpirationInDays: 0 },
])('a rule that is not implemented is refused: %j', (rule) => {
  expect(() => parseLifecycle([rule])).toThrow('lifecycle rules');
});
