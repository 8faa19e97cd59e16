import type { Context } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import { ENVIRONMENT, METRICS } from '../../lib/batch/names.ts';
import { canonicalOptions } from '../../lib/batch/options.ts';
import { INPUT_BUCKET, optionsFrom, RESULTS_BUCKET } from '../support/dependencies.ts';
import { startEmbeddedS3 } from '../support/embedded-s3.ts';
import { newProcess } from '../support/new-process.ts';
import { EASY } from '../support/puzzles.ts';
import { stubStackEnvironment } from './stack-environment.ts';

const CONTEXT = {
  functionName: 'plan-shards',
  memoryLimitInMB: '1769',
  getRemainingTimeInMillis: () => 900_000,
} as unknown as Context;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it.each([
  ['a rejected file is counted, for the alarm', 'Dear Ms Knuth,\n', 'end', 1],
  ['a planned file is not counted', `${EASY}\n`, 'count', 0],
])('%s', async (_name, text, next, count) => {
  const s3 = await startEmbeddedS3();
  try {
    stubStackEnvironment(s3.endpoint, { [ENVIRONMENT.stackName]: 'Puzzles' });
    const { handler } = await newProcess()<typeof import('../../functions/plan-shards.ts')>('plan-shards');
    const event = JSON.parse(await s3.upload('inbox/a.txt', text));
    const versionId: string = event.detail.object['version-id'];
    let log = '';
    const write = (chunk: unknown) => {
      log += chunk;
      return true;
    };
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation(write);
    const job = {
      bucket: INPUT_BUCKET,
      key: 'inbox/a.txt',
      versionId,
      options: canonicalOptions(optionsFrom()),
    };
    const planned = await handler({ job, attempt: 'attempt-a', cursor: null }, CONTEXT);
    vi.restoreAllMocks();
    expect(planned.next).toBe(next);
    const counted = log
      .split('\n')
      .filter((line) => line.includes('_aws'))
      .map((line) => JSON.parse(line));
    expect(counted).toHaveLength(count);
    for (const line of counted) expect(line).toMatchObject({ stack: 'Puzzles', [METRICS.jobsRejected]: 1 });
  } finally {
    await s3.stop();
  }
});

it('names whole keys for the state machine if the results have a prefix', async () => {
  const s3 = await startEmbeddedS3();
  try {
    stubStackEnvironment(s3.endpoint, { [ENVIRONMENT.resultsPrefix]: 'solved/' });
    const { handler } = await newProcess()<typeof import('../../functions/plan-shards.ts')>('plan-shards');
    const event = JSON.parse(await s3.upload('inbox/a.txt', `${EASY}\n`));
    const job = {
      bucket: INPUT_BUCKET,
      key: 'inbox/a.txt',
      versionId: event.detail.object['version-id'] as string,
      options: canonicalOptions(optionsFrom()),
    };
    const planned = await handler({ job, attempt: 'attempt-a', cursor: null }, CONTEXT);
    expect(planned).toMatchObject({
      next: 'count',
      items: expect.stringMatching(/^solved\/work\/.*\/ranges\.jsonl$/),
      work: expect.stringMatching(/^solved\/work\/.*\/map\/$/),
    });
    await s3.s3.headObject({ Bucket: RESULTS_BUCKET, Key: planned.items });

    const prose = JSON.parse(await s3.upload('inbox/b.txt', 'Dear Ms Knuth,\n')).detail.object['version-id'];
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
    const rejected = { ...job, key: 'inbox/b.txt', versionId: prose };
    const ended = await handler({ job: rejected, attempt: 'attempt-b', cursor: null }, CONTEXT);
    vi.restoreAllMocks();
    expect(ended).toMatchObject({ next: 'end', items: '', work: '' });
    expect((await s3.results()).filter((key) => !key.startsWith('solved/'))).toEqual([]);
  } finally {
    await s3.stop();
  }
});
