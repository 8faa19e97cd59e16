/** A file that is too large for one function is handed to the state machine. More: `test/batch/deliveries/large-files.txt`. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ExecutionState, Executions } from '../../../lib/batch/delivery/executions.ts';
import type { StatusDocument } from '../../../lib/batch/delivery/status-document.ts';
import type { Unpacking } from '../../../lib/batch/ports.ts';
import { executionFailureIn, recordExecutionFailure } from '../../../lib/batch/upload/execution-failure.ts';
import type { UploadDependencies } from '../../../lib/batch/upload/solve-upload.ts';
import { SPLIT_RULE } from '../../../lib/exact-cover/split/split-search.ts';
import { zlibUnpacking } from '../../../lib/node/unpacking.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { FakeClock, RESULTS_BUCKET, UnevenClock, uploadDependencies } from '../../support/dependencies.ts';
import { MemoryExecutions } from '../../support/executions.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY, SOLUTION } from '../../support/puzzles.ts';
import { readResultSet, statsOf } from '../../support/result-set.ts';
import { deliver, upload } from '../../support/uploads.ts';
import { zipOf } from '../../support/zip.ts';

const KEY = 'inbox/large.txt';
/** 9 MB, of which the first MiB is sampled. */
const LARGE = `${EASY}\n`.repeat(110_000);

/** A process for which a file of some seconds is large. */
function withExecutions(executions: Executions, jobMs = 100): Partial<UploadDependencies> {
  return { large: { executions, jobMs } };
}

function setUp(text: string | Uint8Array = LARGE) {
  const buckets = new MemoryBuckets();
  const uploaded = upload(buckets, KEY, text);
  const executions = new MemoryExecutions();
  return { buckets, uploaded, executions };
}

/** 300 puzzles in 25 kB. */
const SMALL = `${EASY}\n`.repeat(300);
const FORMS = {
  'plain text': (text: string) => Buffer.from(text),
  gzip: (text: string) => gzipSync(text),
  zstd: (text: string) => zstdCompressSync(text),
  zip: (text: string) => zipOf({ name: 'puzzles.txt', content: text }),
  'UTF-16': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
};

describe.each(Object.entries(FORMS))('a file of slow puzzles as %s', (_name, stored) => {
  /** Delivers a file whose puzzles take `puzzleMs` each, when a second is large. */
  async function outcomeOf(text: string, puzzleMs: number) {
    const { buckets, uploaded, executions } = setUp(stored(text));
    const clock = new FakeClock(puzzleMs);
    const outcome = await deliver(buckets, uploaded, {
      dependencies: { ...withExecutions(executions, 1000), clock, remainingMs: () => 900_000 },
    });
    return { outcome, buckets, uploaded };
  }

  it('is split by its time, however small it is, before anything is solved', async () => {
    const { outcome, buckets, uploaded } = await outcomeOf(SMALL, 10);
    expect(outcome).toMatchObject({ kind: 'handed-over', how: 'started' });
    expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([]);
    await runLarge(buckets, largeJob(uploaded), {
      largeSeconds: 1,
      dependencies: () => ({ clock: new FakeClock(10) }),
    });
    const result = readResultSet(buckets, KEY);
    expect(statsOf(result).used?.shards).toBe(4);
    expect(result.files['solutions.txt']).toBe(`${SOLUTION}\n`.repeat(300));
  });

  it('is not split if it takes less', async () => {
    const { outcome, buckets } = await outcomeOf(SMALL, 1);
    expect(outcome.kind).toBe('completed');
    expect(readResultSet(buckets, KEY).files['solutions.txt']).toBe(`${SOLUTION}\n`.repeat(300));
  });

  it('is judged by all of its text, not by its first MiB or its stored size', async () => {
    // 13 us for each of 110,000 puzzles.
    expect((await outcomeOf(LARGE, 0.01)).outcome.kind).toBe('handed-over');
  });
});

it('compressed data whose unpacking alone takes too long is handed over before all of it is unpacked', async () => {
  const text = `${EASY}\n`.repeat(2) + '# nothing here\n'.repeat(400_000);
  const { buckets, uploaded, executions } = setUp(gzipSync(text));
  let unpackedBytes = 0;
  const unpacking: Unpacking = {
    async *unpack(format, packed) {
      for await (const bytes of zlibUnpacking.unpack(format, packed)) {
        unpackedBytes += bytes.length;
        yield bytes;
      }
    },
  };
  const outcome = await deliver(buckets, uploaded, {
    // Each 64 KiB of text takes 40 ms.
    dependencies: { ...withExecutions(executions, 1000), clock: new FakeClock(40), unpacking },
  });
  expect(outcome).toMatchObject({ kind: 'handed-over', how: 'started' });
  expect(unpackedBytes).toBeLessThan(text.length);
});

it.each([1, 2, 3, 4])(
  'a file that takes longer than its sample predicts is handed over, and its attempt leaves no files (seed %i)',
  async (seed) => {
    const { buckets, uploaded, executions } = setUp(`${EASY}\n`.repeat(3000));
    // Each reading of the clock takes 50 ms on average, so the first five seconds pass quickly.
    const slow = { clock: new UnevenClock(seed, 5), remainingMs: () => 30_000 };
    const outcome = await deliver(buckets, uploaded, {
      dependencies: { ...withExecutions(executions, 1e9), ...slow },
    });
    expect(outcome).toMatchObject({ kind: 'handed-over', how: 'started' });
    expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([]);
    await runLarge(buckets, largeJob(uploaded), {
      attempt: [...executions.inputs.keys()][0],
      shardBytes: 100_000,
      functionMs: 8000,
      seed,
    });
    const result = readResultSet(buckets, KEY);
    expect(result.manifest.puzzles).toMatchObject({ total: 3000, solved: 3000 });
    expect(result.files['solutions.txt']).toBe(`${SOLUTION}\n`.repeat(3000));
  },
);

describe('a long search of an exact cover', () => {
  const splitRule = { ...SPLIT_RULE, work: 1, nodes: 100 };

  async function outcomeOf(pairs: number, clock: FakeClock, options = {}) {
    const buckets = new MemoryBuckets();
    const executions = new MemoryExecutions();
    const uploaded = upload(buckets, 'inbox/pairs.dlx', knuthText(langford(pairs)), options);
    const time = { clock, splitRule, remainingMs: () => 100_000 - clock.nowMs };
    const outcome = await deliver(buckets, uploaded, {
      dependencies: { ...withExecutions(executions, 1000), ...time },
    });
    return { outcome, files: buckets.keys(RESULTS_BUCKET, 'results/') };
  }

  it('is handed over before the deadline, once it is split and too long', async () => {
    const clock = new FakeClock(300);
    const { outcome, files } = await outcomeOf(12, clock, { solutions: 'all', 'max-nodes': '999999999' });
    expect(outcome).toMatchObject({ kind: 'handed-over', how: 'started' });
    expect(clock.nowMs).toBeLessThan(20_000);
    expect(files).toEqual([]);
  });

  it.each([
    ['its subproblems fit', 8, {}],
    ['its budget of nodes ends in time', 12, { solutions: 'all', 'max-nodes': '5000' }],
    ['enough solutions are found in time', 12, { solutions: '100', 'max-nodes': '999999999' }],
  ])('is not handed over if %s', async (_name, pairs, options) => {
    const { outcome } = await outcomeOf(pairs, new FakeClock(5), options);
    expect(outcome.kind).toBe('completed');
  });
});

describe('an execution that failed', () => {
  it('is described by its execution if the event has no input, as with a customer-managed key', async () => {
    const buckets = new MemoryBuckets(64);
    const job = largeJob(upload(buckets, KEY, EASY));
    const failure = executionFailureIn({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { name: 'attempt-a', status: 'FAILED' },
    })!;
    const input = JSON.stringify(job);
    const executions = new MemoryExecutions();
    const state: ExecutionState = { status: 'failed', redrivable: true, input, cause: 'out of memory' };
    executions.states.set('attempt-a', state);
    const storage = uploadDependencies(memoryStore(buckets), 'x');
    await recordExecutionFailure(failure, executions, storage);
    const [statusKey] = buckets.keys(RESULTS_BUCKET, 'status/');
    const { error: failed } = buckets.json<StatusDocument>(RESULTS_BUCKET, statusKey!);
    expect(failed!.message).toContain('execution attempt-a FAILED: out of memory');
    await expect(recordExecutionFailure(failure, undefined, storage)).rejects.toThrow(
      'attempt-a has no input',
    );
  });

  it('is distinguished from an upload', () => {
    expect(executionFailureIn({ source: 'aws.s3', 'detail-type': 'Object Created' })).toBeUndefined();
  });
});
