import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { JsonApiError, operation } from '../../lib/local/json-api.ts';
import { CREDENTIALS, REGION } from '../support/embedded-s3.ts';
import { type JsonEndpoint, startJsonEndpoint } from '../support/json-endpoint.ts';
import { newProcess } from '../support/new-process.ts';

const MACHINE = 'arn:aws:states:eu-central-1:000000000000:stateMachine:BulkRun';
const started: object[] = [];
let ended = false;
let endpoint: JsonEndpoint;

beforeAll(async () => {
  const text = z.string();
  const StartExecution = operation(
    'states:StartExecution',
    z.strictObject({ stateMachineArn: text, name: text, input: text }),
    () => MACHINE,
    (given) => {
      started.push(given);
      if (ended) throw new JsonApiError('ExecutionAlreadyExists', 'there was one');
      return { executionArn: `${MACHINE}:x`, startDate: 0 };
    },
  );
  endpoint = await startJsonEndpoint(
    [{ target: 'AWSStepFunctions.', signingName: 'states', operations: { StartExecution } }],
    { ...CREDENTIALS, region: REGION },
  );
});
afterAll(() => endpoint.close());
afterEach(() => {
  started.length = 0;
  ended = false;
  vi.unstubAllEnvs();
});

async function invoke(event: unknown) {
  vi.stubEnv('AWS_ENDPOINT_URL_SFN', endpoint.url);
  vi.stubEnv('AWS_REGION', REGION);
  vi.stubEnv('AWS_ACCESS_KEY_ID', CREDENTIALS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secretAccessKey);
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'SILENT');
  vi.stubEnv(ENVIRONMENT.bulkRun, MACHINE);
  const { handler } = await newProcess()<typeof import('../../functions/sweep-inbox.ts')>('sweep-inbox');
  return handler(event);
}

describe('sweep-inbox', () => {
  it('starts the run of the scheduled time', async () => {
    const runId = '2026-11-21T02-00-00Z';
    expect(await invoke({ scheduledTime: '2026-11-21T02:00:00Z' })).toEqual({ runId, started: true });
    expect(started).toEqual([{ stateMachineArn: MACHINE, name: runId, input: JSON.stringify({ runId }) }]);
  });

  it('starts the same run, with the same input, if the schedule fires twice', async () => {
    await Promise.all([1, 2].map(() => invoke({ scheduledTime: '2026-11-21T02:00:00Z' })));
    expect(started[1]).toEqual(started[0]);
  });

  it('does nothing if that run has finished', async () => {
    ended = true;
    expect((await invoke({ scheduledTime: '2026-11-21T02:00:00Z' })).started).toBe(false);
  });

  it.each([{}, { scheduledTime: 5 }, { scheduledTime: 'tonight' }])(
    'fails on %j, and names the expected value',
    async (event) => {
      await expect(invoke(event)).rejects.toThrow(/expected .*2026-11-21T02:00:00Z/);
      expect(started).toEqual([]);
    },
  );
});
