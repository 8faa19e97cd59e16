import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RangeItem, Shard } from '../../lib/batch/large/large-job.ts';
import type { Cursor, LargeJob, PlanOutput } from '../../lib/batch/large/steps.ts';
import { ENVIRONMENT, METRICS } from '../../lib/batch/names.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import { startEmbeddedS3 } from '../support/embedded-s3.ts';
import { newProcess } from '../support/new-process.ts';
import { EASY, MIXED_FILE } from '../support/puzzles.ts';
import { CONTEXT, logged, uploadJob } from './invocation.ts';
import { stubStackEnvironment } from './stack-environment.ts';

afterEach(() => vi.unstubAllEnvs());

/** The functions in a new process, with the environment that the stack sets. */
async function startFunctions() {
  const s3 = await startEmbeddedS3();
  onTestFinished(() => s3.stop());
  stubStackEnvironment(s3.endpoint, { [ENVIRONMENT.stackName]: 'Puzzles', [ENVIRONMENT.shardBytes]: '200' });
  const { handler: plan } =
    await newProcess()<typeof import('../../functions/plan-shards.ts')>('plan-shards');
  const { handler: count } =
    await newProcess()<typeof import('../../functions/count-shard.ts')>('count-shard');
  const { handler: solve } =
    await newProcess()<typeof import('../../functions/solve-shard.ts')>('solve-shard');
  const { handler: merge } =
    await newProcess()<typeof import('../../functions/merge-shards.ts')>('merge-shards');
  return { s3, plan, count, solve, merge };
}

type Functions = Awaited<ReturnType<typeof startFunctions>>;

const upload = ({ s3 }: Functions) => uploadJob(s3, 'inbox/large.txt', `${MIXED_FILE}${EASY}\n`);

/** Runs every step of a job before its merge. */
async function solveShards({ s3, plan, count, solve }: Functions, job: LargeJob, attempt: string) {
  const items = async <Item>(key: string): Promise<Item[]> => {
    const { Body } = await s3.s3.getObject({ Bucket: RESULTS_BUCKET, Key: key });
    const lines = (await Body!.transformToString()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  let planned: PlanOutput = { next: 'plan', cursor: null, items: '', work: '' };
  while (planned.next === 'plan' || planned.next === 'count') {
    const cursor: Cursor = planned.cursor;
    planned = await plan({ job, attempt, cursor }, CONTEXT);
    if (planned.next !== 'count') continue;
    for (const shard of await items<RangeItem>(planned.items)) await count({ job, attempt, shard }, CONTEXT);
  }
  const shards = await items<Shard>(planned.items);
  for (const shard of shards) await solve({ job, attempt, shard, cursor: null }, CONTEXT);
}

describe('a large job that is committed', () => {
  it('is counted like one that a single function solved', async () => {
    const functions = await startFunctions();
    const job = await upload(functions);
    await solveShards(functions, job, 'attempt-a');
    const { metrics } = await logged(() =>
      functions.merge({ job, attempt: 'attempt-a', cursor: null }, CONTEXT),
    );
    expect(metrics).toEqual([
      expect.objectContaining({
        stack: 'Puzzles',
        [METRICS.jobsCompleted]: 1,
        [METRICS.puzzles]: 8,
        [METRICS.puzzlesUnsolved]: 4,
        [METRICS.solveTime]: expect.any(Number),
      }),
    ]);
  });

  it('is counted once, even if its merge is retried and another execution merges it too', async () => {
    const functions = await startFunctions();
    const job = await upload(functions);
    await solveShards(functions, job, 'attempt-a');
    // Both attempts have all their parts before either commits.
    await solveShards(functions, job, 'attempt-b');
    const lines: number[] = [];
    for (const attempt of ['attempt-a', 'attempt-a', 'attempt-b']) {
      const { metrics } = await logged(() => functions.merge({ job, attempt, cursor: null }, CONTEXT));
      lines.push(metrics.length);
    }
    expect(lines).toEqual([1, 0, 0]);
  });

  it('is counted even if a step after the commit fails', async () => {
    const functions = await startFunctions();
    const job = await upload(functions);
    await solveShards(functions, job, 'attempt-a');
    const merge = () => functions.merge({ job, attempt: 'attempt-a', cursor: null }, CONTEXT);
    // Invalid JSON cannot be compared, so writing latest.json fails.
    const latest = { Bucket: RESULTS_BUCKET, Key: `results/${job.key}/latest.json` };
    await functions.s3.s3.putObject({ ...latest, Body: '{' });
    const { metrics } = await logged(() => expect(merge()).rejects.toThrow());
    expect(metrics).toMatchObject([{ [METRICS.jobsCompleted]: 1 }]);
    await functions.s3.s3.deleteObject(latest);
    expect((await logged(merge)).metrics).toEqual([]);
  });
});
