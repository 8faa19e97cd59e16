import { describe, expect, it } from 'vitest';
import type { StatusDocument } from '../../../lib/batch/delivery/status-document.ts';
import { INPUT_BUCKET } from '../../support/dependencies.ts';
import { failing, justBefore } from '../../support/faults.ts';
import { type CallHooks, MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, statusDocumentOf, upload } from '../../support/uploads.ts';

const KEY = 'inbox/team/mixed.txt';

describe('the status of a job', () => {
  const running = async (remainingMs: number) => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    let status: StatusDocument | undefined;
    const readStatus = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => {
        status = statusDocumentOf(buckets, KEY);
      },
    );
    await deliver(buckets, uploaded, { hooks: readStatus, dependencies: { remainingMs: () => remainingMs } });
    return status;
  };

  it('is running, with the attempt and its deadline, while it runs', async () => {
    expect(await running(60_000)).toMatchObject({
      state: 'running',
      attempt: 'attempt-a',
      updatedAt: '2025-03-01T12:00:00.000Z',
      deadline: '2025-03-01T12:01:00.000Z',
    });
  });

  it('is done, with the counts, when it is committed', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, KEY, EASY));
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({
      state: 'done',
      attempt: 'attempt-a',
      puzzles: { solved: 1 },
    });
  });

  it('is failed, with the reason, when the last receive fails', async () => {
    const buckets = new MemoryBuckets();
    const broken = failing(({ operation }) => operation === 'close', new Error('disk on fire'));
    const delivery = deliver(buckets, upload(buckets, KEY, EASY), { hooks: broken, lastReceive: true });
    await expect(delivery).rejects.toThrow('disk on fire');
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({
      state: 'failed',
      error: { message: 'Error: disk on fire' },
    });
  });

  it('is running, with the reason and the deadline of the next attempt, when an earlier receive fails', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    const broken = failing(({ operation }) => operation === 'close', new Error('disk on fire'));
    await expect(deliver(buckets, uploaded, { hooks: broken })).rejects.toThrow('disk on fire');
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({
      state: 'running',
      updatedAt: '2025-03-01T12:00:00.000Z',
      // The longest delay is 15 minutes.
      deadline: '2025-03-01T12:16:00.000Z',
      error: { message: 'an attempt failed, another will follow: Error: disk on fire' },
    });
    await deliver(buckets, uploaded);
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'done' });
    expect(statusDocumentOf(buckets, KEY)).not.toHaveProperty('error');
  });

  it.each([false, true])(
    'remains done when a receive of a duplicate fails (last receive: %s)',
    async (lastReceive) => {
      const buckets = new MemoryBuckets();
      const uploaded = upload(buckets, KEY, EASY);
      await deliver(buckets, uploaded);
      const hooks = failing(({ operation }) => operation === 'list', new Error('disk on fire'));
      await expect(deliver(buckets, uploaded, { hooks, lastReceive })).rejects.toThrow('disk on fire');
      expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'done' });
    },
  );

  it('remains done if another attempt begins at the same time and is killed', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    let isKilled = false;
    const hooks: CallHooks = {
      async before({ operation, key, bucket }) {
        if (operation === 'putIf' && key.startsWith('status/') && !isKilled) {
          await deliver(buckets, uploaded, { attempt: 'attempt-b' });
        }
        isKilled ||= operation === 'get' && bucket === INPUT_BUCKET;
        if (isKilled) throw new Error('killed');
        return undefined;
      },
    };
    await expect(deliver(buckets, uploaded, { hooks })).rejects.toThrow('killed');
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'done', attempt: 'attempt-b' });
  });

  it('that cannot be written gives an error with both reasons', async () => {
    const buckets = new MemoryBuckets();
    const broken = failing(({ operation }) => operation !== 'head', new Error('no network'));
    const delivery = deliver(buckets, upload(buckets, KEY, EASY), { hooks: broken, lastReceive: true });
    await expect(delivery).rejects.toThrow(
      /the job failed \(Error: no network\), and its status could not be written/,
    );
  });
});
