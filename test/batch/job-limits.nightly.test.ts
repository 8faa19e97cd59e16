/** Limits on what a file unpacks to, searches and writes, beside those of `test/batch/jobs/limits.txt`. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { JobLimitError, type JobLimits, parseJobLimits } from '../../lib/batch/job-limits.ts';
import { JOB_LIMIT_NAMES } from '../../lib/batch/limits.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { EASY, HARD } from '../support/puzzles.ts';
import { MemoryFiles, runText, solveText } from '../support/run-job.ts';
import { upload } from '../support/uploads.ts';
import { zipOf } from '../support/zip.ts';

const KEY = 'inbox/puzzles.txt';

it('unpacked bytes count for all members of an archive that are skipped', async () => {
  const content = Buffer.alloc(23 * 1024 * 1024);
  const skipped = Array.from({ length: 3 }, (_, k) => ({
    name: `__MACOSX/${k}`,
    content,
    sizes: 'descriptor' as const,
  }));
  const outcome = await runText(zipOf(...skipped, { name: 'puzzles.txt', content: EASY }));
  expect(outcome).toMatchObject({ error: { code: 'corrupt', message: expect.stringMatching(/too large/) } });
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

  it.each(forms)(
    'of %s, and the reject above it names it, whole and in shards',
    async (_name, stored, storedBytes) => {
      // The stream reuses its memory, so nothing may be read ahead without a copy.
      const outcomeOf = (limitedBytes: number, files = new MemoryFiles()) => {
        const jobLimits = perByteFor(limitedBytes, nodes);
        return runText(stored, {}, { jobLimits, storedBytes, files, input: reusing(stored) });
      };
      const files = new MemoryFiles();
      expect(await outcomeOf(text.length - 100, files)).toMatchObject({ kind: 'completed' });
      expect(files.closed['solutions.txt']).toBe((await solveText(text)).solutions);
      const outcome = await outcomeOf(text.length * 1.1);
      expect(outcome).toMatchObject({ kind: 'rejected' });
      const buckets = new MemoryBuckets();
      await runLarge(buckets, largeJob(upload(buckets, KEY, stored)), {
        shardBytes: 10_000,
        dependencies: () => ({ jobLimits: perByteFor(text.length * 1.1, nodes) }),
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

  it('of nodes grows with those of a puzzle', () => {
    expect(parseJobLimits({ 'max-nodes': '100000000' }).nodes.base).toBe(2 * parseJobLimits({}).nodes.base);
  });
});
