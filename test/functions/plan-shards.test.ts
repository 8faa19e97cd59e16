import type { Context } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import { ENVIRONMENT, METRICS } from '../../lib/batch/names.ts';
import { canonicalOptions } from '../../lib/batch/options.ts';
import { INPUT_BUCKET, optionsFrom } from '../support/dependencies.ts';
import { startEmbeddedS3 } from '../support/embedded-s3.ts';
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
    const { handler } = await import('../../functions/plan-shards.ts');
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
