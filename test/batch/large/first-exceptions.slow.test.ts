/** The report of a large file has the first exceptions of all parts, and the number of all. */
import { expect, it } from 'vitest';
import { counted } from '../../../lib/batch/quantities.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { CLASHING, EASY } from '../../support/puzzles.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/puzzles.txt';

const puzzlesOf = (buckets: MemoryBuckets) => String(untimedOutcome(buckets, KEY).puzzles);

it.each([
  ['a few, from as many parts as needed', 5],
  ['a thousand of more', 1300],
])('%s', async (_name, clashing) => {
  const text = Array.from({ length: clashing }, () => `${`${EASY}\n`.repeat(3)}${CLASHING}\n`).join('');
  const [whole, parts] = [new MemoryBuckets(), new MemoryBuckets(64)];
  await deliver(whole, upload(whole, KEY, text));
  const steps = await runLarge(parts, largeJob(upload(parts, KEY, text)), { shardBytes: 1000 });
  expect(steps).toContain('solve 1');
  const puzzles = puzzlesOf(parts);
  expect(puzzles).toBe(puzzlesOf(whole));
  expect(puzzles).toContain(`<strong>${counted(clashing, 'puzzle')}</strong></summary>`);
});
