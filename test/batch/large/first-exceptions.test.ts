/** The report of a large file has the first exceptions of all parts, and the number of all. */
import { expect, it } from 'vitest';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { CLASHING, EASY } from '../../support/puzzles.ts';
import { readResultSet } from '../../support/result-set.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/puzzles.txt';

const exceptionsOf = (buckets: MemoryBuckets) =>
  /<section aria-labelledby="exceptions">.*?<\/section>/s.exec(
    readResultSet(buckets, KEY).files['report.html']!,
  )![0];

it.each([
  ['a few, from as many parts as needed', 5],
  ['a hundred of more', 130],
])('%s', async (_name, clashing) => {
  const text = Array.from({ length: clashing }, () => `${`${EASY}\n`.repeat(3)}${CLASHING}\n`).join('');
  const [whole, parts] = [new MemoryBuckets(), new MemoryBuckets(64)];
  await deliver(whole, upload(whole, KEY, text));
  const steps = await runLarge(parts, largeJob(upload(parts, KEY, text)), { shardBytes: 1000 });
  expect(steps).toContain('solve 1');
  const exceptions = exceptionsOf(parts);
  expect(exceptions).toBe(exceptionsOf(whole));
  expect(exceptions.match(/<li>/g)).toHaveLength(Math.min(clashing, 100));
});
