/** Plans and joins a billion puzzles, and the most that one object can contain, without solving any. */
import { describe, expect, it } from 'vitest';
import { jobIdOf } from '../../../lib/batch/delivery/job-id.ts';
import type { Manifest } from '../../../lib/batch/delivery/manifest.ts';
import { countRange } from '../../../lib/batch/large/count-range.ts';
import { workKeys } from '../../../lib/batch/large/keys.ts';
import type { RangeItem, Shard, ShardPlan } from '../../../lib/batch/large/large-job.ts';
import { mergeShards } from '../../../lib/batch/large/merge-shards.ts';
import { planShards } from '../../../lib/batch/large/plan-shards.ts';
import type { RecordsPart } from '../../../lib/batch/large/records.ts';
import type { Segment } from '../../../lib/batch/large/segments.ts';
import type { LargeJob } from '../../../lib/batch/large/steps.ts';
import { canonicalOptions } from '../../../lib/batch/options.ts';
import { counted } from '../../../lib/batch/quantities.ts';
import { JobStatistics } from '../../../lib/batch/results/statistics.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import {
  FakeClock,
  INPUT_BUCKET,
  optionsFrom,
  RESULTS_BUCKET,
  uploadDependencies,
} from '../../support/dependencies.ts';
import { EASY } from '../../support/puzzles.ts';
import { SyntheticStore } from '../../support/synthetic-store.ts';

const KEY = 'inbox/billion.txt';
const LINE = `${EASY}\n`;
const ATTEMPT = 'attempt-a';
const EXCEPTION_RECORD = { index: 1, line: 1, lineEnd: 1, status: 'unreadable' } as const;
const EXCEPTION = `${JSON.stringify(EXCEPTION_RECORD)}\n`;

function setUp(puzzles: number) {
  const synthetic = new SyntheticStore(KEY, puzzles * LINE.length, LINE);
  const store = synthetic.store();
  const job: LargeJob = {
    bucket: INPUT_BUCKET,
    key: KEY,
    versionId: 'v1',
    options: canonicalOptions(optionsFrom()),
  };
  const dependencies = {
    // A puzzle takes a few readings of the clock, some microseconds in total.
    ...uploadDependencies(store, ATTEMPT, { clock: new FakeClock(0.004) }),
  };
  const keys = workKeys(jobIdOf(job, systemHashing), ATTEMPT);
  const lines = <Item>(key: string): Item[] =>
    synthetic.buckets
      .text(RESULTS_BUCKET, key)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { synthetic, store, job, dependencies, keys, lines };
}

/** Computes the count of a range of equal lines from one range that was really counted. */
function countOf(range: RangeItem, { start }: Segment, fileBytes: number): Segment {
  const width = LINE.length;
  // The line in which a range begins is skipped, and so is the first whole line.
  const cut = (at: number) => (Math.floor(at / width) + 2) * width;
  const from = range.shard === 0 ? 0 : cut(range.from);
  const to = range.to === fileBytes ? fileBytes : cut(range.to);
  const records = (to - from) / width;
  // The line number of the state before each segment is 3: after the first line, which is not the file's.
  const end = start && { ...start, line: (range.shard === 0 ? 1 : start.line) + records };
  return {
    from,
    to,
    records,
    commentLines: 0,
    examined: 0,
    start: range.shard === 0 ? undefined : start,
    end: range.to === fileBytes ? undefined : end,
  };
}

describe.each([
  ['a billion puzzles', 1e9],
  ['fifty billion puzzles', 5e10],
])('%s', (_name, puzzles) => {
  it('are planned from the first MiB, indexed, and joined within the limits of S3', async () => {
    const { synthetic, store, job, dependencies, keys, lines } = setUp(puzzles);
    const bytes = puzzles * LINE.length;
    const planned = await planShards({ job, attempt: ATTEMPT, cursor: null }, dependencies);
    expect(planned.next).toBe('count');
    expect(synthetic.readBytes).toBeLessThanOrEqual(1024 * 1024);
    const ranges = lines<RangeItem>(planned.items);
    expect(ranges.length).toBeLessThanOrEqual(4900);
    const plan = synthetic.buckets.json<ShardPlan>(RESULTS_BUCKET, keys.plan);
    const sampleRange = { shard: 1, from: plan.shardBytes, to: 2 * plan.shardBytes };
    // One range, a thousandth of a shard long, is really counted; all others have the same result.
    const short = { ...plan, shardBytes: 16 * 1024, source: { ...plan.source, bytes: LINE.length * 2000 } };
    const sample = await countRange({ shard: 1, from: 16 * 1024, to: 32 * 1024 }, short, store);
    if (sample === 'unclear') throw new Error('the sample is unclear');
    const [segment] = sample.segments;
    expect(countOf({ shard: 1, from: 16 * 1024, to: 32 * 1024 }, segment!, short.source.bytes)).toEqual({
      ...segment,
      examined: 0,
    });
    expect(sampleRange.to).toBeLessThan(bytes);
    for (const range of ranges) {
      synthetic.buckets.write(
        RESULTS_BUCKET,
        keys.count(range.shard),
        JSON.stringify({ segments: [countOf(range, segment!, bytes)] }),
      );
    }
    const indexed = await planShards({ job, attempt: ATTEMPT, cursor: planned.cursor }, dependencies);
    expect(indexed.next).toBe('solve');
    const shards = lines<Shard>(indexed.items);
    expect(shards.at(-1)).toMatchObject({ last: true, to: bytes });
    expect(shards.reduce((sum, { records }) => sum + records, 0)).toBe(puzzles);

    const statistics = new JobStatistics().snapshot();
    for (const { shard, records } of shards) {
      const file = (name: string, size: number) => {
        const key = keys.partFile({ shard, part: 0, attemptId: 'attempt' }, name);
        if (size === EXCEPTION.length) synthetic.buckets.write(RESULTS_BUCKET, key, EXCEPTION);
        else synthetic.sizes.set(key, size);
        return { name, bytes: size, sha256: String(shard) };
      };
      const part: RecordsPart = {
        shard,
        part: 0,
        attemptId: 'attempt',
        from: 0,
        count: records,
        last: true,
        wallMs: 60_000,
        memoryMb: 1769,
        results: {
          files: [
            file('solutions.txt', records * LINE.length),
            file('exceptions.jsonl', shard % 3 === 0 ? EXCEPTION.length : 0),
          ],
          nodes: 0,
          sample: {
            ...{ total: shard % 3 === 0 ? 1 : 0, unexpected: 0, cut: 0 },
            groups: shard % 3 === 0 ? [{ name: 'a clash', count: 1, first: EXCEPTION_RECORD }] : [],
            ...{ listed: [], sources: [] },
          },
          writer: { first: 'line', last: 'line' },
          statistics: {
            ...statistics,
            counts: { ...statistics.counts, bySize: { '9x9': { 0: records } } },
          },
          times: { wallMs: 60_000, readMs: 0, parseMs: 0, writeMs: 0 },
          startedAt: '2025-03-01T12:00:00.000Z',
          engine: { name: 'dlx', version: 1, workers: 1 },
        },
      };
      synthetic.buckets.write(RESULTS_BUCKET, keys.part(shard, 0), JSON.stringify(part));
    }
    const merged = await mergeShards({ job, attempt: ATTEMPT, cursor: null }, dependencies);
    expect(merged.done).toBe(true);
    const manifestKey = synthetic.buckets
      .keys(RESULTS_BUCKET, 'results/')
      .find((key) => key.endsWith('/manifest.json'))!;
    const manifest = synthetic.buckets.json<Manifest>(RESULTS_BUCKET, manifestKey);
    expect(manifest.puzzles.total).toBe(puzzles);
    const solutions = manifest.files.find(({ name }) => name === 'solutions.txt')!;
    expect(solutions.bytes).toBe(bytes);
    expect(solutions.parts).toHaveLength(shards.length);
    expect(synthetic.sizes.get(solutions.key!)).toBe(bytes);
    const report = manifest.files.find(({ name }) => name === 'report.html')!;
    expect(report.bytes).toBeLessThan(100_000);
    const clashing = counted(Math.ceil(shards.length / 3), 'puzzle');
    expect(synthetic.buckets.text(RESULTS_BUCKET, report.key!)).toContain(
      `a clash</bdi>: <strong>${clashing}</strong>`,
    );
  });
});

it('a file with more parts than S3 can join is rejected before any work', async () => {
  const { job, dependencies, synthetic } = setUp(5e11);
  // Each reading of the clock takes a second: the puzzles seem hard.
  const rejected: string[] = [];
  const slow = {
    ...dependencies,
    clock: new FakeClock(1000),
    onReject: ({ code }: { code: string }) => rejected.push(code),
  };
  expect(await planShards({ job, attempt: ATTEMPT, cursor: null }, slow)).toMatchObject({ next: 'end' });
  const [rejectKey] = synthetic.buckets.keys(RESULTS_BUCKET, 'rejects/');
  expect(synthetic.buckets.text(RESULTS_BUCKET, rejectKey!)).toMatch(/too_large.*split it into/s);
  expect(rejected).toEqual(['too_large']);
});

it('a shard size that gives too many shards is rejected, and the error names a size that fits', async () => {
  const { job, dependencies, synthetic, keys } = setUp(800_000);
  const tooSmall = { ...dependencies, shardBytes: 100 };
  expect(await planShards({ job, attempt: ATTEMPT, cursor: null }, tooSmall)).toMatchObject({ next: 'end' });
  const [rejectKey] = synthetic.buckets.keys(RESULTS_BUCKET, 'rejects/');
  expect(synthetic.buckets.json(RESULTS_BUCKET, rejectKey!)).toMatchObject({
    error: {
      code: 'too_large',
      message:
        'the file gives 656,000 shards of 100 bytes, but S3 can join the results of at most 4,900: use shards of 13,388 bytes or more',
    },
  });
  expect(synthetic.buckets.keys(RESULTS_BUCKET, keys.plan)).toEqual([]);
});

it('the shard size in that error is accepted', async () => {
  const { job, dependencies } = setUp(800_000);
  const planned = await planShards(
    { job, attempt: ATTEMPT, cursor: null },
    { ...dependencies, shardBytes: 13_388 },
  );
  expect(planned.next).toBe('count');
});
