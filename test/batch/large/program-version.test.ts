/** A plan contains the version of the program, and every step compares it with its own. */
import { expect, it } from 'vitest';
import type { ShardPlan } from '../../../lib/batch/large/large-job.ts';
import { PROGRAM_VERSION_ERROR } from '../../../lib/batch/names.ts';
import { PROGRAM_VERSION } from '../../../lib/batch/version.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { upload } from '../../support/uploads.ts';

const TEXT = `${EASY}\n`.repeat(20);
const SHARD_BYTES = 800;

/** Runs a job, and changes the version in its plan before the n-th run of a step. */
async function runWithOtherPlan(changed: string, nth: number, program: string | undefined) {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, 'inbox/a.txt', TEXT));
  let runs = 0;
  const work = runLarge(buckets, job, {
    shardBytes: SHARD_BYTES,
    hooks(step) {
      if (step !== changed || ++runs !== nth) return {};
      const key = planKey(buckets);
      const plan: ShardPlan = JSON.parse(buckets.text(RESULTS_BUCKET, key));
      buckets.write(RESULTS_BUCKET, key, JSON.stringify({ ...plan, program }));
      return {};
    },
  });
  return { work, buckets };
}

function planKey(buckets: MemoryBuckets): string {
  return buckets.keys(RESULTS_BUCKET).find((key) => key.endsWith('/plan.json'))!;
}

it('the plan contains the version of the program that made it', async () => {
  const { work, buckets } = await runWithOtherPlan('none', 1, undefined);
  await work;
  expect(JSON.parse(buckets.text(RESULTS_BUCKET, planKey(buckets))).program).toBe(PROGRAM_VERSION);
});

it.each([
  { step: 'plan', nth: 2 },
  { step: 'count 1', nth: 1 },
  { step: 'solve 0', nth: 1 },
  { step: 'solve 1', nth: 1 },
  { step: 'merge', nth: 1 },
])(
  'run $nth of step "$step" fails if another version made the plan, and names both versions',
  async ({ step, nth }) => {
    const { work, buckets } = await runWithOtherPlan(step, nth, '0123456789abcdef');
    await expect(work).rejects.toMatchObject({
      name: PROGRAM_VERSION_ERROR,
      message: expect.stringMatching(
        new RegExp(
          `plan\\.json was made by version 0123456789abcdef .* this is version ${PROGRAM_VERSION}: `,
        ),
      ),
    });
    expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([]);
  },
);

it('a plan without a version, from an older program, is rejected', async () => {
  const { work } = await runWithOtherPlan('solve 1', 1, undefined);
  await expect(work).rejects.toThrow('was made by version unknown of the program');
});
