import { describe, expect, it } from 'vitest';
import type { ObjectInfo } from '../../../lib/batch/ports.ts';
import type { UploadDependencies } from '../../../lib/batch/upload/solve-upload.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET, uploadDependencies } from '../../support/dependencies.ts';
import { justBefore } from '../../support/faults.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY, MIXED_FILE, MIXED_OPTIONS } from '../../support/puzzles.ts';
import { readResultSet } from '../../support/result-set.ts';
import { callsOf, deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/team/mixed.txt';

/** A request whose response has no version id, as in a bucket without versions. */
function withoutVersion<Info extends ObjectInfo>(
  request: (bucket: string, key: string) => Promise<Info | undefined>,
): (bucket: string, key: string) => Promise<Info | undefined> {
  return async (bucket, key) => {
    const info = await request(bucket, key);
    return info === undefined ? undefined : { ...info, versionId: undefined };
  };
}

describe('an upload with a puzzle of every status', () => {
  const buckets = new MemoryBuckets();
  const uploaded = upload(buckets, KEY, MIXED_FILE, { ...MIXED_OPTIONS, records: 'true' });
  const solved = deliver(buckets, uploaded);

  it('passes the size of its file to openSolver, so that threads start before it is read', async () => {
    const sizes: (number | undefined)[] = [];
    const others = new MemoryBuckets();
    const { openSolver } = uploadDependencies(memoryStore(others), 'any');
    const dependencies: Partial<UploadDependencies> = {
      openSolver(options, storedBytes) {
        sizes.push(storedBytes);
        return openSolver(options);
      },
    };
    await deliver(others, upload(others, KEY, MIXED_FILE), { dependencies });
    expect(sizes).toEqual([MIXED_FILE.length]);
  });

  it('leaves only the result set, the pointer, the done marker and the status', async () => {
    expect(await solved).toMatchObject({ kind: 'completed' });
    const { manifest } = readResultSet(buckets, KEY);
    const folder = `results/${KEY}/${manifest.jobId}`;
    expect(buckets.keys(RESULTS_BUCKET)).toEqual([
      `done/${KEY}/${uploaded.versionId}`,
      `${folder}/attempt-a/exceptions.jsonl`,
      `${folder}/attempt-a/records.jsonl`,
      `${folder}/attempt-a/report.html`,
      `${folder}/attempt-a/solutions.txt`,
      `${folder}/attempt-a/stats.json`,
      `${folder}/manifest.json`,
      `results/${KEY}/latest.json`,
      `status/${KEY}/${manifest.jobId}.json`,
    ]);
  });

  it('has the solved object in its manifest', async () => {
    await solved;
    const { bucket, key, versionId, bytes, etag, sequencer } = uploaded;
    expect(readResultSet(buckets, KEY).manifest.input).toEqual({
      bucket,
      key,
      versionId,
      bytes,
      etag,
      sequencer,
    });
  });

  it('has a pointer to its manifest, with the keys of the files', async () => {
    await solved;
    const { manifest, manifestKey } = readResultSet(buckets, KEY);
    expect(buckets.json(RESULTS_BUCKET, `results/${KEY}/latest.json`)).toEqual({
      schema: 'dlx-batch/latest@1',
      outcome: 'completed',
      jobId: manifest.jobId,
      input: manifest.input,
      key: manifestKey,
      files: manifest.files,
    });
  });
});

describe('a duplicate delivery', () => {
  it('gives one result: it changes nothing, and is reported as a duplicate', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE, MIXED_OPTIONS);
    await deliver(buckets, uploaded, { attempt: 'attempt-a' });
    const before = buckets.texts(RESULTS_BUCKET);

    const again = await deliver(buckets, uploaded, { attempt: 'attempt-b' });

    expect(again).toMatchObject({ kind: 'duplicate', puzzles: { total: 7 } });
    expect(buckets.texts(RESULTS_BUCKET)).toEqual(before);
  });

  it('of a version that was completed under another job id solves nothing, unless the results were removed', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE);
    // As after an upgrade that raised the result schema, the same version has another job id.
    const upgraded = { dependencies: { defaults: { solutions: '3' } } };
    await deliver(buckets, uploaded, { attempt: 'attempt-a' });
    const before = buckets.texts(RESULTS_BUCKET);
    const { manifest } = readResultSet(buckets, KEY);

    const again = await deliver(buckets, uploaded, { attempt: 'attempt-b', ...upgraded });

    expect(again).toMatchObject({ kind: 'duplicate', jobId: manifest.jobId });
    expect(buckets.texts(RESULTS_BUCKET)).toEqual(before);

    for (const key of buckets.keys(RESULTS_BUCKET, 'results/')) {
      for (const { versionId } of buckets.list(RESULTS_BUCKET, key))
        buckets.deleteVersion(RESULTS_BUCKET, key, versionId);
    }
    const anew = await deliver(buckets, uploaded, { attempt: 'attempt-c', ...upgraded });
    expect(anew.kind).toBe('completed');
  });

  it('does not read the input again', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE);
    await deliver(buckets, uploaded);
    const calls = await callsOf(buckets, uploaded, { attempt: 'attempt-b' });
    expect(calls.filter(({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET)).toEqual(
      [],
    );
  });

  it('does not change the results of a key that looks like its own job folder', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    const outcome = await deliver(buckets, uploaded);
    const jobId = outcome.kind === 'completed' ? outcome.jobId : '';
    const inside = `${KEY}/${jobId}/b`;
    await deliver(buckets, upload(buckets, inside, EASY));
    const before = buckets.keys(RESULTS_BUCKET, `results/${inside}/`);
    await deliver(buckets, uploaded);
    expect(buckets.keys(RESULTS_BUCKET, `results/${inside}/`)).toEqual(before);
    expect(before).toHaveLength(6);
  });

  it('of the same bytes under another version is another job', async () => {
    const buckets = new MemoryBuckets();
    const first = await deliver(buckets, upload(buckets, KEY, EASY));
    const second = await deliver(buckets, upload(buckets, KEY, EASY), { attempt: 'attempt-b' });
    expect([first.kind, second.kind]).toEqual(['completed', 'completed']);
  });
});

describe('an object', () => {
  it('that is a folder marker is ignored', async () => {
    const buckets = new MemoryBuckets();
    const outcome = await deliver(buckets, upload(buckets, 'inbox/new-folder/', ''));
    expect(outcome).toEqual({ kind: 'ignored', reason: 'a folder marker' });
    expect(buckets.keys(RESULTS_BUCKET)).toEqual([]);
  });

  it('with puzzles is solved even if its key ends like a folder', async () => {
    const buckets = new MemoryBuckets();
    expect(await deliver(buckets, upload(buckets, 'inbox/odd/', EASY))).toMatchObject({ kind: 'completed' });
  });

  it('that is empty gives an empty, completed job', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, KEY, ''));
    const { manifest, files } = readResultSet(buckets, KEY);
    expect(manifest.puzzles.total).toBe(0);
    expect(files['solutions.txt']).toBe('');
  });

  it('that was deleted is solved from its version', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    buckets.markDeleted(INPUT_BUCKET, KEY);
    expect(await deliver(buckets, uploaded)).toMatchObject({ kind: 'completed' });
  });

  it('that was overwritten is solved from its version', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    upload(buckets, KEY, MIXED_FILE);
    expect(await deliver(buckets, uploaded)).toMatchObject({ stats: { puzzles: { total: 1 } } });
  });

  it('whose event names no version is read in the version found first, even if it is overwritten then', async () => {
    const buckets = new MemoryBuckets();
    const { versionId, ...unversioned } = upload(buckets, KEY, EASY);
    const overwritten = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => upload(buckets, KEY, MIXED_FILE),
    );
    const outcome = await deliver(buckets, unversioned, { hooks: overwritten });
    expect(readResultSet(buckets, KEY).manifest.input).toMatchObject({ versionId, bytes: EASY.length });
    expect(outcome).toMatchObject({ stats: { puzzles: { total: 1 } } });
  });

  it('in a bucket without versions is not solved if it is overwritten after it was identified', async () => {
    const buckets = new MemoryBuckets();
    const { versionId, ...unversioned } = upload(buckets, KEY, EASY);
    const store = memoryStore(
      buckets,
      justBefore(
        ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
        () => upload(buckets, KEY, MIXED_FILE),
      ),
    );
    store.head = withoutVersion(store.head.bind(store));
    store.get = withoutVersion(store.get.bind(store));
    const delivery = deliver(buckets, unversioned, { dependencies: { store } });
    await expect(delivery).rejects.toThrow('was overwritten while its job started');
    expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([]);
  });
});

describe('a process with little time', () => {
  it('reserves a fifth of it, so that it ends before the timeout', async () => {
    const clock = new FakeClock(1);
    const buckets = new MemoryBuckets();
    const file = `${`${EASY}\n`.repeat(5_000)}`;
    const outcome = await deliver(buckets, upload(buckets, KEY, file), {
      dependencies: { clock, remainingMs: () => 1_000 },
    });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(clock.nowMs).toBeGreaterThan(800);
    expect(clock.nowMs).toBeLessThan(1_000);
  });
});
