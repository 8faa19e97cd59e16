import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { StatusDocument } from '../../lib/batch/job-report.ts';
import { UNPACK_RATIO_FREE_BYTES } from '../../lib/batch/limits.ts';
import type { ObjectInfo } from '../../lib/batch/ports.ts';
import { tooLargeByEstimate } from '../../lib/batch/solve-upload.ts';
import { failing, justBefore } from '../support/faults.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from '../support/machinery.ts';
import { MemoryBuckets, memoryStore } from '../support/memory-store.ts';
import { EASY, MIXED_FILE, MIXED_OPTIONS, MIXED_STATUSES, SOLUTION } from '../support/puzzles.ts';
import { jsonLines, readResultSet, statsOf } from '../support/result-set.ts';
import { callsOf, deliver, upload } from '../support/uploads.ts';

const KEY = 'inbox/team/mixed.txt';

/** The one status document of a key. */
function statusOf(buckets: MemoryBuckets, key = KEY): StatusDocument {
  return buckets.json(RESULTS_BUCKET, buckets.keys(RESULTS_BUCKET, `status/${key}/`)[0]!);
}

/** A look at an object that tells no version, as in a bucket that keeps none. */
function withoutVersion<Info extends ObjectInfo>(
  look: (bucket: string, key: string) => Promise<Info | undefined>,
): (bucket: string, key: string) => Promise<Info | undefined> {
  return async (bucket, key) => {
    const info = await look(bucket, key);
    return info === undefined ? undefined : { ...info, versionId: undefined };
  };
}

describe('an upload with a puzzle of every status', () => {
  const buckets = new MemoryBuckets();
  const uploaded = upload(buckets, KEY, MIXED_FILE, { ...MIXED_OPTIONS, records: 'true' });
  const solved = deliver(buckets, uploaded);

  it('is completed', async () => {
    expect(await solved).toMatchObject({ kind: 'completed' });
  });

  it('has every puzzle counted under its status', async () => {
    await solved;
    const counts = { total: 7, solved: 2, multiple: 1, unsolvable: 1, invalid: 1, unreadable: 1, limit: 1 };
    const resultSet = readResultSet(buckets, KEY);
    expect(resultSet.manifest.puzzles).toEqual(counts);
    expect(statsOf(resultSet).puzzles).toEqual(counts);
  });

  it('has one line for each puzzle in its solutions, in input order', async () => {
    await solved;
    const lines = readResultSet(buckets, KEY).files['solutions.txt']!.split('\n');
    expect(lines.map((line) => line.replace(/^(# puzzle \d+ \(line \d+\): \w+).*/, '$1'))).toEqual([
      SOLUTION,
      SOLUTION,
      '# puzzle 3 (line 4): unsolvable',
      '# puzzle 4 (line 5): invalid',
      '# puzzle 5 (line 6): unreadable',
      '# puzzle 6 (line 7): limit',
      SOLUTION,
      '',
    ]);
  });

  it('has a record for every puzzle, and an exception for every one that is not solved', async () => {
    await solved;
    const { files } = readResultSet(buckets, KEY);
    expect(jsonLines(files['records.jsonl']!).map(({ status }) => status)).toEqual(MIXED_STATUSES);
    expect(jsonLines(files['exceptions.jsonl']!).map(({ status }) => status)).toEqual(
      MIXED_STATUSES.filter((status) => status !== 'solved'),
    );
  });

  it('leaves the result set, the pointer, the done marker and the status, and nothing else', async () => {
    await solved;
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

  it('has the object that was solved in its manifest', async () => {
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
  it('changes nothing, and is told apart', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE, MIXED_OPTIONS);
    await deliver(buckets, uploaded, { attempt: 'attempt-a' });
    const before = buckets.texts(RESULTS_BUCKET);

    const again = await deliver(buckets, uploaded, { attempt: 'attempt-b' });

    expect(again).toMatchObject({ kind: 'duplicate', puzzles: { total: 7 } });
    expect(buckets.texts(RESULTS_BUCKET)).toEqual(before);
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

  it('leaves the results of a key alone that looks like a folder of its own job', async () => {
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

  it('of the same bytes under another version is a job of its own', async () => {
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

  it('with puzzles is solved though its key ends like a folder', async () => {
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

  it('that was overwritten is solved as it was', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    upload(buckets, KEY, MIXED_FILE);
    expect(await deliver(buckets, uploaded)).toMatchObject({ stats: { puzzles: { total: 1 } } });
  });

  it('whose event names no version is the version that was looked at first, whatever comes in between', async () => {
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

  it('in a bucket without versions is not solved when it is overwritten after it was identified', async () => {
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
    const delivery = deliver(buckets, unversioned, { machinery: { store } });
    await expect(delivery).rejects.toThrow('was overwritten while its job began');
    expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([]);
  });
});

interface Rejection {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly options?: Record<string, string>;
  /** Milliseconds that the process still has. */
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
    name: 'an option of an unknown name',
    body: EASY,
    options: { speed: 'fast' },
    error: { code: 'bad_option', options: [expect.objectContaining({ option: 'speed', found: 'fast' })] },
    message: /option "speed" is unknown/,
  },
  {
    name: 'an option with a bad value',
    body: EASY,
    options: { 'max-nodes': 'many' },
    error: { code: 'bad_option', options: [expect.objectContaining({ option: 'max-nodes', found: 'many' })] },
    message: /option "max-nodes" is "many": expected a whole number from 1 up/,
  },
  {
    name: 'a file that does not fit in the time',
    body: MIXED_FILE,
    remainingMs: 0,
    error: { code: 'too_large' },
    message: /does not fit in one function's time/,
  },
  {
    name: 'gzip data that is cut off',
    body: gzipSync(MIXED_FILE).subarray(0, 60),
    error: { code: 'corrupt' },
    message: /gzip data is damaged or cut off/,
  },
  {
    name: 'a ZIP archive',
    body: Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0),
    error: { code: 'unsupported_compression', found: 'a ZIP archive' },
    message: /expected plain text or gzip/,
  },
  {
    name: 'a decompression bomb',
    body: gzipSync(
      Buffer.concat([Buffer.from(`${EASY}\n`), Buffer.alloc(UNPACK_RATIO_FREE_BYTES * 1.1, '#')]),
    ),
    error: { code: 'too_large' },
    message: /unpacks to more than 1000 times its size/,
  },
];

describe('a file that cannot be taken is rejected', () => {
  for (const { name, body, options, remainingMs = 900_000, error, message } of REJECTIONS) {
    it(`as ${error.code}: ${name}`, async () => {
      const buckets = new MemoryBuckets();
      const uploaded = upload(buckets, KEY, body, options);
      const outcome = await deliver(buckets, uploaded, { machinery: { remainingMs: () => remainingMs } });

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
      expect(statusOf(buckets)).toMatchObject({ state: 'rejected', error: { code: error.code } });
      expect(buckets.json(RESULTS_BUCKET, `results/${KEY}/latest.json`)).toMatchObject({
        outcome: 'rejected',
        key: errorKey,
      });
    });
  }

  it('as gone: a version that is not there any more', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
    const outcome = await deliver(buckets, uploaded);
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
    expect(statusOf(buckets).error?.message).toContain(`version ${uploaded.versionId}`);
  });

  it('as gone: a version that goes while the job begins', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    const vanish = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!),
    );
    const outcome = await deliver(buckets, uploaded, { hooks: vanish });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'gone' } });
  });

  it('and solved after all when it is delivered again with time enough', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, MIXED_FILE);
    await deliver(buckets, uploaded, { machinery: { remainingMs: () => 0 } });
    const outcome = await deliver(buckets, uploaded, { attempt: 'attempt-b' });
    expect(outcome).toMatchObject({ kind: 'completed' });
    expect(buckets.keys(RESULTS_BUCKET, 'rejects/')).toEqual([]);
    expect(statusOf(buckets)).toMatchObject({ state: 'done' });
  });
});

describe('the estimate of the time that a file takes', () => {
  const progress = { storedBytes: 1_000_000, plainBytes: 1_000_000, puzzles: 12_000, elapsedMs: 10_000 };
  const rows = [
    {
      name: 'says nothing in the first seconds',
      change: { elapsedMs: 4_999 },
      totalBytes: 1e12,
      stops: false,
    },
    { name: 'lets a file go on that fits', change: {}, totalBytes: 80e6, stops: false },
    { name: 'lets a file go on that may just fit', change: {}, totalBytes: 160e6, stops: false },
    { name: 'stops a file that takes far longer', change: {}, totalBytes: 161e6, stops: true },
  ];
  for (const { name, change, totalBytes, stops } of rows) {
    it(name, () => {
      const error = tooLargeByEstimate({ ...progress, ...change }, totalBytes, 800_000);
      expect(error?.code).toBe(stops ? 'too_large' : undefined);
    });
  }

  it('says how much was done, and how much there is', () => {
    const error = tooLargeByEstimate(progress, 1e9, 800_000);
    expect(error?.message).toMatch(/about 10000 s.*800 s.*12000 puzzles and 1000000 of 1000000000 bytes/);
  });
});

describe('the status of a job', () => {
  const running = async (remainingMs: number) => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    let status: StatusDocument | undefined;
    const look = justBefore(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      () => {
        status = statusOf(buckets);
      },
    );
    await deliver(buckets, uploaded, { hooks: look, machinery: { remainingMs: () => remainingMs } });
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
    expect(statusOf(buckets)).toMatchObject({ state: 'done', attempt: 'attempt-a', puzzles: { solved: 1 } });
  });

  it('is failed, with the reason, when the last receive fails', async () => {
    const buckets = new MemoryBuckets();
    const broken = failing(({ operation }) => operation === 'close', new Error('disk on fire'));
    const delivery = deliver(buckets, upload(buckets, KEY, EASY), { hooks: broken, lastReceive: true });
    await expect(delivery).rejects.toThrow('disk on fire');
    expect(statusOf(buckets)).toMatchObject({ state: 'failed', error: { message: 'Error: disk on fire' } });
  });

  it('stays done when the last receive of a duplicate fails', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, EASY);
    await deliver(buckets, uploaded);
    const hooks = failing(({ operation }) => operation === 'list', new Error('disk on fire'));
    await expect(deliver(buckets, uploaded, { hooks, lastReceive: true })).rejects.toThrow('disk on fire');
    expect(statusOf(buckets)).toMatchObject({ state: 'done' });
  });

  it('stays as it was when a receive fails that is not the last', async () => {
    const buckets = new MemoryBuckets();
    const broken = failing(({ operation }) => operation === 'close', new Error('disk on fire'));
    const delivery = deliver(buckets, upload(buckets, KEY, EASY), { hooks: broken });
    await expect(delivery).rejects.toThrow('disk on fire');
    expect(statusOf(buckets)).toMatchObject({ state: 'running' });
  });

  it('names both reasons when it cannot be written either', async () => {
    const buckets = new MemoryBuckets();
    const broken = failing(({ operation }) => operation !== 'head', new Error('no network'));
    const delivery = deliver(buckets, upload(buckets, KEY, EASY), { hooks: broken, lastReceive: true });
    await expect(delivery).rejects.toThrow(
      /the job failed \(Error: no network\), and so did writing its status/,
    );
  });
});

describe('the time of a process', () => {
  it('is used up to a fifth before its end where it has little, so that it ends by itself', async () => {
    const clock = new FakeClock(1);
    const buckets = new MemoryBuckets();
    const file = `${`${EASY}\n`.repeat(5_000)}`;
    const outcome = await deliver(buckets, upload(buckets, KEY, file), {
      machinery: { clock, remainingMs: () => 1_000 },
    });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(clock.nowMs).toBeGreaterThan(800);
    expect(clock.nowMs).toBeLessThan(1_000);
  });
});
