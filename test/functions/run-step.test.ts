import type { Context } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import type { RunStepInput } from '../../lib/batch/bulk-run/steps.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { INPUT_BUCKET } from '../support/dependencies.ts';
import { startEmbeddedS3 } from '../support/embedded-s3.ts';
import { newProcess } from '../support/new-process.ts';
import { EASY } from '../support/puzzles.ts';
import { stubStackEnvironment } from './stack-environment.ts';

const MACHINE = 'arn:aws:states:eu-central-1:123456789012:stateMachine:BulkRun';
const CONTEXT = { getRemainingTimeInMillis: () => 900_000 } as unknown as Context;

afterEach(() => vi.unstubAllEnvs());

it.each<{ of: string; variables: Record<string, string>; key: string; results: string }>([
  { of: 'the default', variables: {}, key: 'scheduled/a.txt', results: '' },
  {
    of: 'another app',
    variables: {
      [ENVIRONMENT.inboxPrefix]: 'in/new/',
      [ENVIRONMENT.scheduledPrefix]: 'in/later/',
      [ENVIRONMENT.resultsPrefix]: 'solved/',
    },
    key: 'in/later/a.txt',
    results: 'solved/',
  },
])('plans a run with the prefixes of $of', async ({ variables, key, results }) => {
  const s3 = await startEmbeddedS3();
  try {
    stubStackEnvironment(s3.endpoint, {
      [ENVIRONMENT.inputBucket]: INPUT_BUCKET,
      [ENVIRONMENT.queueUrl]: 'https://example.com/1/q',
      [ENVIRONMENT.queueArn]: 'arn:aws:sqs:eu-central-1:1:q',
      [ENVIRONMENT.deadLettersArn]: 'arn:aws:sqs:eu-central-1:1:dead',
      ...variables,
    });
    const { handler } = await newProcess()<typeof import('../../functions/run-step.ts')>('run-step');
    await s3.upload(key, EASY);
    await s3.upload('elsewhere/b.txt', EASY);
    let input: RunStepInput = {
      run: { runId: 'night' },
      startedAt: '2025-03-02T02:00:00Z',
      step: 'plan',
      cursor: null,
    };
    while (input.step === 'plan') {
      const { next, cursor } = await handler({ ...input, stateMachine: MACHINE }, CONTEXT);
      input = { ...input, step: next as RunStepInput['step'], cursor };
    }
    expect(input.step).toBe('follow');
    const { versions } = await s3.json<{ versions: string }>(`${results}runs/night/plan/00000.json`);
    const plan = await s3.json<{ key: string; why: string }>(`${results}${versions}`);
    expect(plan).toMatchObject({ key, why: 'scheduled' });
    expect((await s3.results()).filter((found) => !found.startsWith(results))).toEqual([]);
  } finally {
    await s3.stop();
  }
});
