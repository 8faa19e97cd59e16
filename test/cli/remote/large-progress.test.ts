import { expect, test } from 'vitest';
import { jobIdOf } from '../../../lib/batch/delivery/job-id.ts';
import { type LargeJobProgress, LargeProgress } from '../../../lib/cli/remote/large-progress.ts';
import { SPLIT_RULE } from '../../../lib/exact-cover/split/split-search.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { upload } from '../../support/uploads.ts';
import { memoryConnection } from './memory-connection.ts';

/** Ten seconds after the memory store's time of writing, which is the start of solving. */
const NOW = Date.parse('2025-03-01T00:00:10Z');

/** Polls a job at the first storage call of each of its steps. */
async function progressByStep(
  job: (buckets: MemoryBuckets) => ReturnType<typeof largeJob>,
  settings: object,
): Promise<Map<string, LargeJobProgress | undefined>> {
  const buckets = new MemoryBuckets(1);
  const uploaded = job(buckets);
  const poller = new LargeProgress(memoryConnection(buckets));
  const seen = new Map<string, LargeJobProgress | undefined>();
  await runLarge(buckets, uploaded, {
    ...settings,
    hooks: (step) => ({
      before: async () => {
        if (!seen.has(step))
          seen.set(step, await poller.of(jobIdOf(uploaded, systemHashing), 'attempt-a', NOW));
        return undefined;
      },
    }),
  });
  expect(seen.get('plan')).toBeUndefined();
  return seen;
}

test('the progress of a large job is unknown before planning, then counts shards and puzzles, then joins', async () => {
  const text = `${EASY}\n`.repeat(40);
  const job = (buckets: MemoryBuckets) => largeJob(upload(buckets, 'inbox/big.txt', text));
  const seen = await progressByStep(job, { shardBytes: (EASY.length + 1) * 10 });
  expect(seen.get('count 3')).toEqual({ phase: 'planning' });
  const puzzles = { done: 30, total: 40 };
  expect(seen.get('solve 0')).toMatchObject({ phase: 'solving', done: 0, puzzles: { done: 0, total: 40 } });
  expect(seen.get('solve 0')!.secondsLeft).toBeUndefined();
  expect(seen.get('solve 3')).toEqual({
    ...{ phase: 'solving', done: 3, total: 4, puzzles },
    ...{ puzzlesPerSecond: 3, secondsLeft: 3 },
  });
  expect(seen.get('merge')).toMatchObject({ phase: 'joining', done: 4, puzzles: { done: 40, total: 40 } });
});

test('the progress of an exact-cover problem counts subproblems', async () => {
  const options = { solutions: 'all' };
  const text = knuthText(langford(8));
  const job = (buckets: MemoryBuckets) =>
    largeJob(upload(buckets, 'inbox/pairs.dlx', text, options), options);
  const seen = await progressByStep(job, { splitRule: { ...SPLIT_RULE, work: 1, nodes: 20, least: 64 } });
  const { subproblems, total } = seen.get('solve 0')!;
  expect(subproblems).toEqual({ done: 0, total: expect.any(Number) });
  expect(seen.get('solve 2')).toEqual({
    phase: 'solving',
    done: 2,
    total,
    subproblems: { done: 64, total: subproblems!.total },
  });
  const all = subproblems!.total;
  expect(seen.get('merge')).toEqual({
    phase: 'joining',
    done: total,
    total,
    subproblems: { done: all, total: all },
  });
});
