/** Limits on what a file unpacks to, searches and writes: clear errors, the same whole and in shards. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { JobLimitError, type JobLimits, parseJobLimits } from '../../lib/batch/job-limits.ts';
import { JOB_LIMIT_NAMES } from '../../lib/batch/limits.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { EASY, HARD } from '../support/puzzles.ts';
import { MemoryFiles, runText, solveText } from '../support/run-job.ts';
import { deliver, upload } from '../support/uploads.ts';
import { zipOf } from '../support/zip.ts';

const EMPTY_4X4 = '................';
const KEY = 'inbox/puzzles.txt';

const MIB = 1024 * 1024;
/** Unpacks to more than 1 MiB. */
const LONG = `${EASY}\n`.repeat(MIB / 82 + 100);

describe('unpacked bytes', () => {
  it('do not count for plain text', async () => {
    const jobLimits = parseJobLimits({ 'max-unpacked-mb': '1' });
    expect(await runText(LONG, {}, { jobLimits })).toMatchObject({ kind: 'completed' });
  });

  it('count for all members of an archive that are skipped', async () => {
    const content = Buffer.alloc(23 * MIB);
    const skipped = Array.from({ length: 3 }, (_, k) => ({
      name: `__MACOSX/${k}`,
      content,
      sizes: 'descriptor' as const,
    }));
    const outcome = await runText(zipOf(...skipped, { name: 'puzzles.txt', content: EASY }));
    expect(outcome).toMatchObject({
      error: { code: 'corrupt', message: expect.stringMatching(/too large/) },
    });
  });
});

/** Less than a MiB, to be exceeded soon. */
const SMALL = { base: 60_000, perByte: 0 };
const SMALL_OUTPUT: JobLimits = { ...parseJobLimits({}), outputBytes: SMALL, exceptionBytes: SMALL };

/** Files whose totals exceed a limit, although no puzzle does. */
const EXCESSES: readonly {
  readonly name: string;
  readonly text: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly jobLimits: JobLimits;
  readonly message: RegExp;
}[] = [
  {
    name: 'search nodes',
    text: `${HARD}\n`.repeat(20),
    options: { 'max-nodes': '1000000' },
    jobLimits: parseJobLimits({ 'max-job-nodes': '300' }),
    message:
      /more than 300 search nodes in all, the limit for a file of 1,640 bytes; .*--max-job-nodes.*dlx:maxJobNodes/,
  },
  {
    name: 'solutions',
    text: `${EMPTY_4X4}\n`.repeat(10),
    options: { solutions: 'all' },
    jobLimits: SMALL_OUTPUT,
    message: /more than 60,000 bytes, the limit for a file of 170 bytes; .*--max-output-mb.*dlx:maxOutputMb/,
  },
  {
    name: 'exceptions',
    text: `${EASY}\n${'junk\n'.repeat(1200)}`,
    jobLimits: { ...SMALL_OUTPUT, outputBytes: parseJobLimits({}).outputBytes },
    message: /exceptions take more than 60,000 bytes.*--max-output-mb/,
  },
];

describe.each(EXCESSES)('$name above a limit of the file', ({ text, options = {}, jobLimits, message }) => {
  it('reject it, and names what was spent, the limit and the settings', async () => {
    const outcome = await runText(text, options, { jobLimits, storedBytes: text.length });
    expect(outcome).toMatchObject({
      kind: 'rejected',
      error: { code: 'too_large', message: expect.stringMatching(message) },
    });
    expect(await runText(text, options)).toMatchObject({ kind: 'completed' });
  });

  it.each([200, 100_000])('reject it in shards of %d bytes with the same error', async (shardBytes) => {
    const errorOf = async (solve: (buckets: MemoryBuckets) => Promise<unknown>) => {
      const buckets = new MemoryBuckets();
      await solve(buckets);
      expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([`results/${KEY}/latest.json`]);
      const [key] = buckets.keys(RESULTS_BUCKET, 'rejects/');
      return (buckets.json(RESULTS_BUCKET, key!) as { error: unknown }).error;
    };
    const whole = await errorOf((buckets) =>
      deliver(buckets, upload(buckets, KEY, text, options), { dependencies: { jobLimits } }),
    );
    const inShards = await errorOf((buckets) =>
      runLarge(buckets, largeJob(upload(buckets, KEY, text, options), options), {
        shardBytes,
        options,
        dependencies: () => ({ jobLimits }),
      }),
    );
    expect(inShards).toEqual(whole);
    expect(whole).toMatchObject({ message: expect.stringMatching(message) });
  });
});

describe('a limit that grows with the file counts all of its text', () => {
  // Puzzles of four shards, then comments: 1.5 MiB, of which the first MiB is read before a puzzle is solved.
  const text = `${`${HARD}\n`.repeat(400)}${`# ${'x'.repeat(1021)}\n`.repeat(1536)}`;
  const perByteFor = (bytes: number, nodes: number): JobLimits => ({
    ...parseJobLimits({}),
    nodes: { base: 0, perByte: nodes / bytes },
  });
  const forms: [name: string, stored: Uint8Array, storedBytes?: number][] = [
    ['plain text', Buffer.from(text), text.length],
    ['plain text of unknown size', Buffer.from(text)],
    ['gzip data', gzipSync(text), gzipSync(text).length],
    ['gzip data of unknown size', gzipSync(text)],
    ['a ZIP archive', zipOf({ name: 'puzzles.txt', content: text, method: 'stored' })],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 2 * text.length + 2],
  ];
  let nodes: number;
  beforeAll(async () => {
    nodes = (await solveText(text, {}, { storedBytes: text.length })).stats.search.nodes;
  });

  it.each(forms)('of %s', async (_name, stored: Uint8Array, storedBytes?: number) => {
    // The stream reuses its memory, so nothing may be read ahead without a copy.
    const input = reusing(stored);
    const files = new MemoryFiles();
    const request = { jobLimits: perByteFor(text.length - 100, nodes), storedBytes, files };
    expect(await runText(stored, {}, { ...request, input })).toMatchObject({ kind: 'completed' });
    const { closed } = files;
    expect(closed['solutions.txt']).toBe((await solveText(text)).solutions);
  });

  it.each(forms)(
    'of %s, and the reject names it, whole and in shards',
    async (_name, stored, storedBytes) => {
      const jobLimits = perByteFor(text.length * 1.1, nodes);
      const outcome = await runText(stored, {}, { jobLimits, storedBytes, input: reusing(stored) });
      expect(outcome).toMatchObject({ kind: 'rejected' });
      const buckets = new MemoryBuckets();
      await runLarge(buckets, largeJob(upload(buckets, KEY, stored)), {
        shardBytes: 10_000,
        dependencies: () => ({ jobLimits }),
      });
      const [key] = buckets.keys(RESULTS_BUCKET, 'rejects/');
      const reject = buckets.json(RESULTS_BUCKET, key!) as { error: unknown };
      expect(outcome).toMatchObject({ error: reject.error });
    },
  );
});

/** Pieces of 64 KiB, all in the same array. */
async function* reusing(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const memory = new Uint8Array(64 * 1024);
  for (let at = 0; at < bytes.length; at += memory.length) {
    const piece = bytes.subarray(at, at + memory.length);
    memory.set(piece);
    yield memory.subarray(0, piece.length);
    memory.fill(0);
  }
}

describe('the settings of limits', () => {
  it.each([...JOB_LIMIT_NAMES])('%s are whole numbers', (name) => {
    for (const text of ['0', '-1', '1.5', '', 'all', '1e3']) {
      expect(() => parseJobLimits({ [name]: text })).toThrow(JobLimitError);
    }
  });

  it.each([...JOB_LIMIT_NAMES])('%s are no option of an upload', async (name) => {
    const buckets = new MemoryBuckets();
    const outcome = await deliver(buckets, upload(buckets, KEY, EASY, { [name]: '999' }));
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'bad_option' } });
  });

  it('let the operator, not the upload, raise the nodes of a file with those of a puzzle', async () => {
    const buckets = new MemoryBuckets();
    const options = { 'max-nodes': '900000000000000' };
    const jobLimits = parseJobLimits({ 'max-job-nodes': '5' });
    const outcome = await deliver(buckets, upload(buckets, KEY, HARD, options), {
      dependencies: { jobLimits },
    });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(parseJobLimits({ 'max-nodes': '100000000' }).nodes.base).toBe(2 * parseJobLimits({}).nodes.base);
  });
});
