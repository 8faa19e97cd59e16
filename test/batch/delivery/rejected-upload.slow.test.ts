import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AttemptMayRunError, storedJob, writeStatus } from '../../../lib/batch/delivery/commit.ts';
import type { StatusDocument } from '../../../lib/batch/delivery/status-document.ts';
import type { Upload } from '../../../lib/batch/delivery/upload-event.ts';
import { MIN_RATIO_CHECK_BYTES } from '../../../lib/batch/limits.ts';
import { systemClock, systemHashing } from '../../../lib/node/system.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { crashAt, justBefore } from '../../support/faults.ts';
import { type CallHooks, MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY, MIXED_FILE } from '../../support/puzzles.ts';
import { callsOf, deliver, statusDocumentOf, upload } from '../../support/uploads.ts';

const KEY = 'inbox/team/mixed.txt';

interface Rejection {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly options?: Record<string, string>;
  /** Remaining time of the process, in milliseconds. */
  readonly remainingMs?: number;
  readonly error: Record<string, unknown>;
  readonly message: RegExp;
}

const REJECTIONS: readonly Rejection[] = [
  {
    name: 'prose',
    body: 'Dear all,\nplease find the puzzles attached.\n',
    error: { code: 'no_puzzles', line: 1 },
    message: /Dear all/,
  },
  {
    name: 'a file that does not fit in the time',
    body: MIXED_FILE,
    remainingMs: 0,
    error: { code: 'too_large' },
    message: /takes longer than the time limit of one function/,
  },
  {
    name: 'a decompression bomb',
    body: zstdCompressSync(
      Buffer.concat([Buffer.from(`${EASY}\n`), Buffer.alloc(MIN_RATIO_CHECK_BYTES * 1.1, '#')]),
    ),
    error: { code: 'too_large' },
    message: /unpacks to more than 1000 times its size/,
  },
];

describe('a file that cannot be solved is rejected', () => {
  for (const { name, body, options, remainingMs = 900_000, error, message } of REJECTIONS) {
    it(`as ${error.code}: ${name}`, async () => {
      const buckets = new MemoryBuckets();
      const uploaded = upload(buckets, KEY, body, options);
      const outcome = await deliver(buckets, uploaded, { dependencies: { remainingMs: () => remainingMs } });

      expect(outcome).toMatchObject({ kind: 'rejected', error });
      const { jobId } = outcome as { jobId: string };
      const errorKey = `rejects/${KEY}/${jobId}/error.json`;
      expect(buckets.keys(RESULTS_BUCKET)).toEqual([
        `done/${KEY}/${uploaded.versionId}`,
        errorKey,
        `results/${KEY}/latest.json`,
        `status/${KEY}/${jobId}.json`,
      ]);
      const document = buckets.json<{ error: { message: string } }>(RESULTS_BUCKET, errorKey);
      expect(document).toMatchObject({ jobId, input: { key: KEY }, options: options ?? {}, error });
      expect(document.error.message).toMatch(message);
      expect(statusDocumentOf(buckets, KEY)).toMatchObject({
        state: 'rejected',
        error: { code: error.code },
      });
      expect(buckets.json(RESULTS_BUCKET, `results/${KEY}/latest.json`)).toMatchObject({
        outcome: 'rejected',
        key: errorKey,
      });
    });
  }

  it('as gone: a version that no longer exists', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
    const outcome = await deliver(buckets, uploaded);
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
    expect(statusDocumentOf(buckets, KEY).error?.message).toContain(`version ${uploaded.versionId}`);
  });

  it.each([
    ['its event is younger than 20 minutes', '2025-03-01T11:40:01Z', false, 'thrown'],
    ['its event is younger, at the last delivery', '2025-03-01T11:40:01Z', true, 'rejected'],
    ['its event is older', '2025-03-01T11:40:00Z', false, 'rejected'],
    ['its event has no time', undefined, false, 'rejected'],
  ])(
    'as gone, unless it may appear yet, a version that S3 does not find: %s',
    async (_, createdAt, lastReceive, how) => {
      const buckets = new MemoryBuckets();
      const uploaded = { ...upload(buckets, KEY, EASY), createdAt };
      const before = new MemoryBuckets();
      const first = deliver(before, uploaded, { lastReceive });
      if (how === 'rejected') {
        expect(await first).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
        return;
      }
      await expect(first).rejects.toThrow(/versioning of its bucket was enabled less than 15 minutes ago/);
      expect(before.keys(RESULTS_BUCKET)).toEqual([]);
      // It appears before the next delivery.
      expect(await deliver(buckets, uploaded)).toMatchObject({ kind: 'completed' });
    },
  );

  it('as gone: a version that is deleted while the job starts', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    const vanish = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!),
    );
    // Another delivery may have read it before, and commit: the reject waits until that has ended.
    await expect(deliver(buckets, uploaded, { hooks: vanish })).rejects.toThrow(AttemptMayRunError);
    const outcome = await deliver(buckets, uploaded);
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
  });

  it('as gone at the last delivery: a version that is deleted while the job starts', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    const vanish = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!),
    );
    const outcome = await deliver(buckets, uploaded, { hooks: vanish, lastReceive: true });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
  });

  it('and solved when it is delivered again with enough time', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE);
    await deliver(buckets, uploaded, { dependencies: { remainingMs: () => 0 } });
    const outcome = await deliver(buckets, uploaded, { attempt: 'attempt-b' });
    expect(outcome).toMatchObject({ kind: 'completed' });
    expect(buckets.keys(RESULTS_BUCKET, 'rejects/')).toEqual([]);
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'done' });
  });

  it('but not for its time, if storage took most of that', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE);
    let nowMs = 0;
    const clock = { monotonicMs: () => nowMs, timeOfDay: () => '2025-03-01T12:00:00.000Z' };
    const slowStatus = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => {
        nowMs += 59_000;
      },
    );
    const dependencies = { clock, remainingMs: () => 60_000 };
    const late = deliver(buckets, uploaded, { hooks: slowStatus, dependencies });
    await expect(late).rejects.toThrow('the upload was opened after 59 seconds, too late to solve it');
    expect(buckets.keys(RESULTS_BUCKET, 'rejects/')).toEqual([]);
  });

  it('for its options, and completely if it is deleted after the first try was killed', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY, { speed: 'fast' });
    let isKilled = false;
    const hooks: CallHooks = {
      async before({ operation, key }) {
        isKilled ||= operation !== 'get' && key.startsWith('done/');
        if (isKilled) throw new Error('killed');
        return undefined;
      },
    };
    await expect(deliver(buckets, uploaded, { hooks })).rejects.toThrow('killed');
    buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
    // The first try may still run, and commit after the reject.
    const early = deliver(buckets, uploaded, { attempt: 'attempt-b' });
    await expect(early).rejects.toThrow(AttemptMayRunError);
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'running', attempt: 'attempt-a' });
    const later = { monotonicMs: () => 0, timeOfDay: () => '2025-03-01T13:00:00.000Z' };
    await deliver(buckets, uploaded, { attempt: 'attempt-b', dependencies: { clock: later } });
    expect(buckets.keys(RESULTS_BUCKET, 'rejects/')).toHaveLength(1);
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'rejected', error: { code: 'gone' } });
  });

  describe('after an attempt that was killed with files', () => {
    async function killed(): Promise<{ buckets: MemoryBuckets; uploaded: Upload; files: () => string[] }> {
      const buckets = new MemoryBuckets();
      buckets.now = '2025-03-01T12:00:00.000Z';
      const uploaded = upload(buckets, KEY, EASY);
      const clean = new MemoryBuckets();
      const commit = (await callsOf(clean, upload(clean, KEY, EASY))).find(
        ({ operation, key }) => operation === 'putIf' && key.endsWith('/manifest.json'),
      )!;
      const hooks = crashAt(commit.index, 'before');
      await expect(deliver(buckets, uploaded, { hooks })).rejects.toThrow('crashed');
      buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
      const files = () =>
        buckets.keys(RESULTS_BUCKET, `results/${KEY}/`).filter((key) => key.includes('attempt-a'));
      expect(files()).not.toEqual([]);
      return { buckets, uploaded, files };
    }
    const at = (time: string) => ({
      attempt: 'attempt-b',
      dependencies: { clock: { monotonicMs: () => 0, timeOfDay: () => time } },
    });

    it('and its files are removed', async () => {
      const { buckets, uploaded, files } = await killed();
      expect(await deliver(buckets, uploaded, at('2025-03-01T12:16:00.001Z'))).toMatchObject({
        kind: 'rejected',
      });
      expect(files()).toEqual([]);
    });

    it('but not while that attempt may still run and commit', async () => {
      const { buckets, uploaded, files } = await killed();
      const early = deliver(buckets, uploaded, at('2025-03-01T12:15:59.000Z'));
      await expect(early).rejects.toThrow('another attempt at job');
      await expect(early).rejects.toMatchObject({ seconds: 1 });
      expect(files()).not.toEqual([]);
      expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'rejected', error: { code: 'gone' } });
    });

    it('and its message is no dead letter after its last receive', async () => {
      const { buckets, uploaded, files } = await killed();
      const last = deliver(buckets, uploaded, { ...at('2025-03-01T12:15:59.000Z'), lastReceive: true });
      expect(await last).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
      expect(files()).not.toEqual([]);
    });

    it('and no job of the deleted upload stays without an outcome', async () => {
      const { buckets, uploaded } = await killed();
      const { bucket, key, versionId } = uploaded;
      const input = { bucket, key, versionId: versionId! };
      const other = storedJob('0123456789abcdef', input, systemHashing);
      const storage = { store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET, clock: systemClock };
      // Of a delivery that did not know the options.
      await writeStatus(other, storage, { state: 'rejected', updatedAt: '2025-03-01T12:10:00.000Z' });
      await deliver(buckets, uploaded, at('2025-03-01T12:16:00.001Z'));
      const statuses = buckets.keys(RESULTS_BUCKET, 'status/');
      expect(statuses.map((each) => buckets.json<StatusDocument>(RESULTS_BUCKET, each).state)).toEqual([
        'rejected',
        'rejected',
      ]);
    });
  });
});
