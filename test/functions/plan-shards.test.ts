import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ENVIRONMENT, METRICS, SERVICE_NAME } from '../../lib/batch/names.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import { type EmbeddedS3, startEmbeddedS3 } from '../support/embedded-s3.ts';
import { newProcess } from '../support/new-process.ts';
import { EASY } from '../support/puzzles.ts';
import { CONTEXT, logged, uploadJob } from './invocation.ts';
import { stubStackEnvironment } from './stack-environment.ts';

const PROSE = 'Dear Ms Knuth,\n';

let s3: EmbeddedS3;
beforeEach(async () => {
  s3 = await startEmbeddedS3();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
});

/** Plans files with this text in a new process. */
async function planner(variables: Readonly<Record<string, string>>) {
  stubStackEnvironment(s3.endpoint, variables);
  const { handler } = await newProcess()<typeof import('../../functions/plan-shards.ts')>('plan-shards');
  return async (key: string, text: string) => {
    const job = await uploadJob(s3, key, text);
    return logged(() => handler({ job, attempt: 'attempt-a', cursor: null }, CONTEXT));
  };
}

it.each([
  ['a rejected file is counted, for the alarm', PROSE, 'end', 1],
  ['a planned file is not counted', `${EASY}\n`, 'count', 0],
])('%s', async (_name, text, next, count) => {
  const plan = await planner({ [ENVIRONMENT.stackName]: 'Puzzles' });
  const { result, metrics } = await plan('inbox/a.txt', text);
  expect(result.next).toBe(next);
  expect(metrics).toHaveLength(count);
  for (const line of metrics) {
    expect(line).toMatchObject({ stack: 'Puzzles', service: SERVICE_NAME, [METRICS.jobsRejected]: 1 });
  }
});

it('names whole keys for the state machine if the results have a prefix', async () => {
  const plan = await planner({ [ENVIRONMENT.resultsPrefix]: 'solved/' });
  const { result } = await plan('inbox/a.txt', `${EASY}\n`);
  expect(result).toMatchObject({
    next: 'count',
    items: expect.stringMatching(/^solved\/work\/.*\/ranges\.jsonl$/),
    work: expect.stringMatching(/^solved\/work\/.*\/map\/$/),
  });
  await s3.s3.headObject({ Bucket: RESULTS_BUCKET, Key: result.items });
  expect(await plan('inbox/b.txt', PROSE)).toMatchObject({ result: { next: 'end', items: '', work: '' } });
  expect((await s3.results()).filter((key) => !key.startsWith('solved/'))).toEqual([]);
});
