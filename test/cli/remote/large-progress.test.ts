import { describe, expect, test } from 'vitest';
import { jobIdOf } from '../../../lib/batch/delivery/job-id.ts';
import {
  type LargeJobProgress,
  LargeProgress,
  largeJobProgressText,
} from '../../../lib/cli/remote/large-progress.ts';
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

/** Polls a job of four shards with ten puzzles each, at the first storage call of each of its steps. */
async function progressByStep(): Promise<Map<string, LargeJobProgress | undefined>> {
  const buckets = new MemoryBuckets(1);
  const job = largeJob(upload(buckets, 'inbox/big.txt', `${EASY}\n`.repeat(40)));
  const poller = new LargeProgress(memoryConnection(buckets));
  const seen = new Map<string, LargeJobProgress | undefined>();
  await runLarge(buckets, job, {
    shardBytes: (EASY.length + 1) * 10,
    hooks: (step) => ({
      before: async () => {
        if (!seen.has(step)) seen.set(step, await poller.of(jobIdOf(job, systemHashing), 'attempt-a', NOW));
        return undefined;
      },
    }),
  });
  return seen;
}

describe('the progress of a large job', () => {
  test('is unknown before planning, then counts shards and puzzles, then joins', async () => {
    const seen = await progressByStep();
    expect(seen.get('plan')).toBeUndefined();
    expect(seen.get('count 3')).toEqual({ phase: 'planning' });
    const puzzles = { done: 30, total: 40 };
    expect(seen.get('solve 0')).toMatchObject({ phase: 'solving', done: 0, puzzles: { done: 0, total: 40 } });
    expect(seen.get('solve 0')!.secondsLeft).toBeUndefined();
    expect(seen.get('solve 3')).toEqual({
      phase: 'solving',
      done: 3,
      total: 4,
      puzzles,
      puzzlesPerSecond: 3,
      secondsLeft: 3,
    });
    expect(seen.get('merge')).toMatchObject({ phase: 'joining', done: 4, puzzles: { done: 40, total: 40 } });
  });
});

test('the progress of an exact-cover problem counts subproblems', async () => {
  const buckets = new MemoryBuckets(1);
  const options = { solutions: 'all' };
  const job = largeJob(upload(buckets, 'inbox/pairs.dlx', knuthText(langford(8)), options), options);
  const poller = new LargeProgress(memoryConnection(buckets));
  const seen = new Map<string, LargeJobProgress | undefined>();
  await runLarge(buckets, job, {
    splitRule: { ...SPLIT_RULE, work: 1, nodes: 20, least: 64 },
    hooks: (step) => ({
      before: async () => {
        if (!seen.has(step)) seen.set(step, await poller.of(jobIdOf(job, systemHashing), 'attempt-a', NOW));
        return undefined;
      },
    }),
  });
  expect(seen.get('plan')).toBeUndefined();
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

test.each<[LargeJobProgress, string]>([
  [
    { phase: 'solving', done: 3, total: 256, subproblems: { done: 1234, total: 4100 } },
    '3 of 256 shards done, 1,234 of 4,100 subproblems',
  ],
  [
    { phase: 'joining', done: 2, total: 2, subproblems: { done: 30, total: 30 } },
    'joining the files of 2 shards',
  ],
  [{ phase: 'planning' }, 'planning shards'],
  [
    { phase: 'solving', done: 0, total: 40, puzzles: { done: 0, total: 4_000_000 }, puzzlesPerSecond: 0 },
    '0 of 40 shards done, 0 of 4,000,000 puzzles',
  ],
  [
    {
      phase: 'solving',
      done: 12,
      total: 40,
      puzzles: { done: 1_200_000, total: 4_000_000 },
      puzzlesPerSecond: 35_000,
      secondsLeft: 80,
    },
    '12 of 40 shards done, 1,200,000 of 4,000,000 puzzles, 35,000/s, about 80 s left',
  ],
  [
    { phase: 'joining', done: 40, total: 40, puzzles: { done: 4_000_000, total: 4_000_000 } },
    'joining the files of 40 shards',
  ],
])('%o as text', (progress, text) => {
  expect(largeJobProgressText(progress)).toBe(text);
});
