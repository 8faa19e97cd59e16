/** A file that takes too much work to be read is rejected with the same error, whole and in shards. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { shardsOfCounts } from '../../../lib/batch/large/count-range.ts';
import { WorkLimitError, WorkMeter } from '../../../lib/formats/work-meter.ts';
import { wellFormedFiles } from '../../formats/catalogue.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/puzzles.txt';

afterEach(() => void vi.restoreAllMocks());

/** Lowers the limit of readers, not that of detection, to so many bytes for each byte of the file. */
function lowerLimit(perByte: number): void {
  vi.spyOn(WorkMeter.prototype, 'limit', 'get').mockImplementation(function (this: WorkMeter) {
    return this.isFed ? perByte * this.fileBytes : Number.POSITIVE_INFINITY;
  });
}

type Solve = (buckets: MemoryBuckets) => Promise<unknown>;

/** The reject, and that nothing else is left. */
async function errorOf(solve: Solve): Promise<{ code: string; message: string }> {
  const buckets = new MemoryBuckets();
  await solve(buckets);
  expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([`results/${KEY}/latest.json`]);
  const [key] = buckets.keys(RESULTS_BUCKET, 'rejects/');
  return (buckets.json(RESULTS_BUCKET, key!) as { error: { code: string; message: string } }).error;
}

/** Cheap lines, then grids above maps, which are examined several times. */
const EXPENSIVE = wellFormedFiles()['jigsaws above their maps']!.join('').repeat(20);
const LINES = `${EASY}\n`.repeat(400);

describe.each([
  ['a file that is scanned', EXPENSIVE],
  ['a file of lines, which are counted in ranges', `${LINES}${`${EASY.slice(0, 40)}\n`.repeat(60)}${LINES}`],
  ['compressed data', gzipSync(EXPENSIVE)],
])('%s and takes too much work to read', (_name, stored) => {
  /** The bytes that reading it examines for each byte: a limit a little below is reached near its end. */
  it.each([400, 5000])('is rejected in shards of %d bytes as it is whole', async (shardBytes) => {
    const spent: WorkMeter[] = [];
    const spend = WorkMeter.prototype.spend;
    vi.spyOn(WorkMeter.prototype, 'spend').mockImplementation(function (this: WorkMeter, bytes) {
      if (!spent.includes(this)) spent.push(this);
      spend.call(this, bytes);
    });
    const usual = new MemoryBuckets();
    await deliver(usual, upload(usual, KEY, stored));
    const reader = spent.at(-1)!;
    vi.restoreAllMocks();
    expect(reader.spent).toBeGreaterThan(0);
    lowerLimit((0.9 * reader.spent) / reader.fileBytes);

    const whole = await errorOf((buckets) => deliver(buckets, upload(buckets, KEY, stored)));
    expect(whole).toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/\d+ bytes were examined/),
    });
    const inShards = await errorOf((buckets) =>
      runLarge(buckets, largeJob(upload(buckets, KEY, stored)), { shardBytes }),
    );
    expect(inShards).toEqual(whole);
  });
});

it('a sample that takes too much work is a reject, not a failure', async () => {
  const text = EXPENSIVE;
  const inShards = errorOf((buckets) => {
    const job = largeJob(upload(buckets, KEY, text));
    return runLarge(buckets, job, {
      dependencies: (step) => {
        // After detection: the reader of the sample.
        // The first reader after detection is that of the sample.
        if (step === 'plan') {
          vi.spyOn(WorkMeter.prototype, 'feed').mockImplementation(function (this: WorkMeter) {
            if (this.isFed) throw new WorkLimitError(1, 1);
          });
        }
        return {};
      },
    });
  });
  expect(await inShards).toMatchObject({ code: 'too_large' });
});

it('work that a whole file may take is no reason to reject one of its shards', async () => {
  // Most of the file is cheap, so the grids may take more than the average.
  const text = `${`${EASY}\n`.repeat(2500)}${EXPENSIVE.repeat(4)}`;
  const resultOf = async (solve: Solve) => {
    const buckets = new MemoryBuckets();
    await solve(buckets);
    return untimedOutcome(buckets, KEY);
  };
  let spent = 0;
  const spend = WorkMeter.prototype.spend;
  vi.spyOn(WorkMeter.prototype, 'spend').mockImplementation(function (this: WorkMeter, bytes) {
    spend.call(this, bytes);
    if (this.isFed) spent = Math.max(spent, this.spent);
  });
  const whole = await resultOf((buckets) => deliver(buckets, upload(buckets, KEY, text)));
  lowerLimit((1.01 * spent) / text.length);
  expect(await resultOf((buckets) => deliver(buckets, upload(buckets, KEY, text)))).toEqual(whole);
  const inShards = await resultOf((buckets) =>
    runLarge(buckets, largeJob(upload(buckets, KEY, text)), { shardBytes: 30_000 }),
  );
  expect(inShards).toEqual(whole);
});

it('ranges that are below the limit one by one are read again as a whole if their sum may exceed it', () => {
  const [first, second] = [1, 2].map((end) => ({
    from: (end - 1) * 100,
    to: end * 100,
    records: 1,
    commentLines: 0,
  }));
  const state = { line: 2, text: {}, sink: {} };
  const shards = (examined: number) =>
    shardsOfCounts([
      { segments: [{ ...first!, examined: 10, end: state }] },
      { segments: [{ ...second!, examined, start: state }] },
    ])?.length;
  expect(shards(200 * 1000 - 10)).toBe(2);
  expect(shards(200 * 1000 - 9)).toBeUndefined();
});
