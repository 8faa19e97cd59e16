/** Executions over HTTP, through the real SDK. Answers recorded from AWS: `test/conformance/recorded/services.test.ts`. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SFN } from '@aws-sdk/client-sfn';
import { describe, expect, onTestFinished, test } from 'vitest';
import { statusChangeEvent } from '../../../lib/local/events/service-events.ts';
import { JournalFile } from '../../../lib/local/journal-file.ts';
import { loadDefinition } from '../../../lib/local/states/definition.ts';
import { type Execution, LocalExecutions } from '../../../lib/local/states/executions.ts';
import { statesService } from '../../../lib/local/states/states-service.ts';
import { startJsonEndpoint } from '../../support/json-endpoint.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { ManualClock } from '../manual-clock.ts';
import { task } from './scripted-run.ts';

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:M';
const credentials = { accessKeyId: 'AKIDLOCAL', secretAccessKey: 'not-a-secret' };

/** A machine whose function answers when the test calls `answer`; an execution times out after one hour. */
async function start(path = join(temporaryFolder(), 'executions.jsonl'), newest = 'newest') {
  const definition = loadDefinition(
    JSON.stringify({
      StartAt: 'First',
      States: {
        First: task({ ResultPath: null, Next: 'Second' }),
        Second: task({ ResultPath: null, End: true }),
      },
      TimeoutSeconds: 3600,
    }),
  );
  const clock = new ManualClock();
  const waiting: ((ok: boolean) => void)[] = [];
  const ended: Execution[] = [];
  const loaded: string[] = [];
  const executions = new LocalExecutions({
    journal: new JournalFile(path, 'execution journal'),
    machineArns: [stateMachineArn],
    load: (_arn, deployment = newest) => {
      loaded.push(deployment);
      return { deployment, machine: definition, isAllowed: () => true };
    },
    onEnd: (execution) => void ended.push(execution),
    dependencies: {
      invoke: () =>
        new Promise((resolve) => {
          const facts = { requestId: 'r' };
          waiting.push((ok) =>
            resolve({
              ...facts,
              ...(ok ? { ok, payload: {} } : { ok, error: { errorType: 'E', errorMessage: 'bad' } }),
            }),
          );
        }),
      readText: async () => undefined,
      clock,
      random: () => 1,
      newId: () => 'run',
      concurrency: 1,
    },
  });
  const endpoint = await startJsonEndpoint([statesService(executions)], {
    ...credentials,
    region: 'us-east-1',
  });
  const sfn = new SFN({ endpoint: endpoint.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const close = async () => {
    sfn.destroy();
    await endpoint.close();
    await executions.close();
  };
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  onTestFinished(closeOnce);
  /** Answers the oldest pending invocation. */
  const answer = async (ok: boolean) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.(ok);
  };
  return {
    sfn,
    url: endpoint.url,
    clock,
    executions,
    ended,
    loaded,
    answer,
    waiting,
    close: closeOnce,
    path,
  };
}

const begin = (sfn: SFN, name = 'a', input = '{"b":1}') =>
  sfn.startExecution({ stateMachineArn, name, input });

describe('StartExecution', () => {
  test('is rejected after the execution has ended', async () => {
    const { sfn, answer, executions } = await start();
    const { executionArn } = await begin(sfn);
    expect(executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:M:a');
    await answer(false);
    await executions.idle();
    await expect(begin(sfn)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });

  test.each([
    { what: 'a colon in the name', change: { name: 'a:b' }, error: 'InvalidName' },
    { what: 'a space in the name', change: { name: 'a b' }, error: 'InvalidName' },
    { what: 'a name of 81 characters', change: { name: 'a'.repeat(81) }, error: 'InvalidName' },
    { what: 'an input that is not JSON', change: { input: '{' }, error: 'InvalidExecutionInput' },
    {
      what: 'an input over 256 KiB',
      change: { input: `"${'a'.repeat(262_144)}"` },
      error: 'InvalidExecutionInput',
    },
    {
      what: 'an input over 256 KiB because of its spaces',
      change: { input: `{}${' '.repeat(262_143)}` },
      error: 'InvalidExecutionInput',
    },
    { what: 'an unsupported parameter', change: { traceHeader: 'x' }, error: 'ValidationException' },
  ])('rejects $what', async ({ change, error }) => {
    const { sfn } = await start();
    await expect(
      sfn.startExecution({ stateMachineArn, name: 'a', input: '{}', ...change }),
    ).rejects.toMatchObject({
      name: error,
    });
  });

  test('accepts a name of 80 characters', async () => {
    const { sfn } = await start();
    expect((await begin(sfn, 'a'.repeat(80))).executionArn).toMatch(/:a{80}$/);
  });
});

describe('an execution', () => {
  test('that succeeded is SUCCEEDED, and cannot be redriven', async () => {
    const { sfn, answer, executions, ended } = await start();
    const { executionArn } = await begin(sfn);
    await answer(true);
    await answer(true);
    await executions.idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      input: '{"b":1}',
      output: '{"b":1}',
      redriveStatus: 'NOT_REDRIVABLE',
    });
    await expect(sfn.redriveExecution({ executionArn })).rejects.toMatchObject({
      name: 'ExecutionNotRedrivable',
    });
    expect(ended).toHaveLength(1);
  });

  test('that runs cannot be redriven', async () => {
    const { sfn } = await start();
    const { executionArn } = await begin(sfn);
    await expect(sfn.redriveExecution({ executionArn })).rejects.toMatchObject({
      name: 'ExecutionNotRedrivable',
    });
  });

  test('that failed is redriven from the state that failed', async () => {
    const { sfn, answer, executions, ended } = await start();
    const { executionArn } = await begin(sfn);
    await answer(true);
    await answer(false);
    await executions.idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ status: 'FAILED', error: 'E' });
    await sfn.redriveExecution({ executionArn });
    await answer(true);
    await executions.idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      redriveCount: 1,
    });
    expect(ended.map(({ outcome }) => outcome?.status)).toEqual(['FAILED', 'SUCCEEDED']);
  });

  test('that failed longer than 14 days ago cannot be redriven', async () => {
    const { sfn, answer, executions, clock } = await start();
    const { executionArn } = await begin(sfn);
    await answer(false);
    await executions.idle();
    clock.advance(14 * 24 * 3600 * 1000 + 1);
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ redriveStatus: 'NOT_REDRIVABLE' });
    await expect(sfn.redriveExecution({ executionArn })).rejects.toMatchObject({
      name: 'ExecutionNotRedrivable',
    });
  });

  test('that was redriven a thousand times cannot be redriven', async () => {
    const { executions, answer, sfn } = await start();
    const { executionArn } = await begin(sfn);
    for (let redrives = 0; redrives < 1000; redrives++) {
      executions.stop(executionArn!);
      await executions.idle();
      executions.redrive(executionArn!);
    }
    await answer(false);
    executions.stop(executionArn!);
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution redrive limit exceeded',
    });
  });

  test('that is stopped is ABORTED, and its event has the reason', async () => {
    const { sfn, executions, ended } = await start();
    const { executionArn } = await begin(sfn);
    await sfn.stopExecution({ executionArn, error: 'Enough', cause: 'of it' });
    await executions.idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      error: 'Enough',
    });
    expect(ended.map(statusChangeEvent)).toMatchObject([
      {
        source: 'aws.states',
        'detail-type': 'Step Functions Execution Status Change',
        resources: [executionArn],
        detail: {
          executionArn,
          stateMachineArn,
          name: 'a',
          status: 'ABORTED',
          input: '{"b":1}',
          error: 'Enough',
        },
      },
    ]);
  });

  test('that takes too long is TIMED_OUT, and gets its full time again after a redrive', async () => {
    const { sfn, executions, clock, waiting, answer } = await start();
    const { executionArn } = await begin(sfn);
    await expect.poll(() => waiting.length).toBe(1);
    clock.advance(3_600_000);
    await executions.idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ status: 'TIMED_OUT' });
    waiting.length = 0;
    await sfn.redriveExecution({ executionArn });
    await expect.poll(() => waiting.length).toBe(1);
    clock.advance(3_599_999);
    await answer(true);
    await answer(true);
    await executions.idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('that does not exist gives ExecutionDoesNotExist', async () => {
    const { sfn } = await start();
    const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:M:none';
    const results = await Promise.allSettled([
      sfn.describeExecution({ executionArn }),
      sfn.redriveExecution({ executionArn }),
      sfn.stopExecution({ executionArn }),
    ]);
    const reason = expect.objectContaining({ name: 'ExecutionDoesNotExist' });
    expect(results).toEqual(results.map(() => ({ status: 'rejected', reason })));
  });

  test('that was running when the stack was closed continues from its state at the next start', async () => {
    const first = await start();
    const { executionArn } = await begin(first.sfn);
    await first.answer(true);
    await expect.poll(() => first.waiting.length).toBe(1);
    await first.close();
    const second = await start(first.path);
    await second.answer(true);
    await second.executions.idle();
    expect(await second.sfn.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
    await second.close();
    const third = await start(first.path);
    await third.executions.idle();
    expect(third.waiting).toEqual([]);
  });
});

describe('the deployment of an execution', () => {
  test('does not change when the stack starts with another one, nor after a redrive', async () => {
    const first = await start(undefined, 'first');
    const { executionArn } = await begin(first.sfn);
    await first.answer(true);
    await expect.poll(() => first.waiting.length).toBe(1);
    await first.close();
    const second = await start(first.path, 'second');
    await begin(second.sfn, 'b');
    await second.answer(false);
    await second.answer(true);
    await expect.poll(() => second.waiting.length).toBe(1);
    expect(second.loaded).toEqual(['first', 'second']);
    expect(second.executions.deploymentsInUse.sort()).toEqual(['first', 'second']);
    await second.close();
    const third = await start(first.path, 'third');
    await third.answer(true);
    await third.executions.idle();
    await third.sfn.redriveExecution({ executionArn });
    await third.answer(true);
    await third.executions.idle();
    expect(third.loaded).toEqual(['second', 'first']);
    expect(await third.sfn.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('is in use only while the execution runs or can be redriven', async () => {
    const { sfn, answer, executions, clock, waiting } = await start(undefined, 'd');
    expect(executions.deploymentsInUse).toEqual([]);
    const { executionArn } = await begin(sfn);
    await expect.poll(() => waiting.length).toBe(1);
    expect(executions.deploymentsInUse).toEqual(['d']);
    await answer(false);
    await executions.idle();
    clock.advance(14 * 24 * 3600 * 1000);
    expect(executions.deploymentsInUse).toEqual(['d']);
    clock.advance(1);
    expect(executions.deploymentsInUse).toEqual([]);
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ redriveStatus: 'NOT_REDRIVABLE' });
  });

  test('is not in use after the execution succeeded', async () => {
    const { sfn, answer, executions } = await start();
    await begin(sfn);
    await answer(true);
    await answer(true);
    await executions.idle();
    expect(executions.deploymentsInUse).toEqual([]);
  });

  test('is the newest one if an older program started it and recorded none', async () => {
    const path = join(temporaryFolder(), 'executions.jsonl');
    const execution = stateMachineArn.replace('stateMachine', 'execution');
    const line = {
      execution: `${execution}:a`,
      op: 'start',
      machine: stateMachineArn,
      name: 'a',
      input: '{}',
    };
    writeFileSync(path, `${JSON.stringify({ ...line, atEpochMs: Date.UTC(2026, 0, 1) })}\n`);
    const { loaded, executions, waiting } = await start(path, 'new');
    await expect.poll(() => waiting.length).toBe(1);
    expect(loaded).toEqual(['new']);
    expect(executions.deploymentsInUse).toEqual(['new']);
  });
});

test('an unsupported operation gives UnknownOperationException', async () => {
  const { sfn } = await start();
  await expect(sfn.listExecutions({ stateMachineArn })).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});

test('a request signed with another key is rejected', async () => {
  const { url } = await start();
  const stranger = { accessKeyId: 'OTHER', secretAccessKey: 'x' };
  const sfn = new SFN({ endpoint: url, region: 'us-east-1', credentials: stranger, maxAttempts: 1 });
  onTestFinished(() => sfn.destroy());
  await expect(begin(sfn)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
});

test.each([
  ['another secret key', { ...credentials, secretAccessKey: 'x' }, 'us-east-1', 'InvalidSignatureException'],
  ['another region', credentials, 'eu-west-1', 'InvalidSignatureException'],
])('a request signed with %s is rejected', async (_name, signer, region, name) => {
  const { url } = await start();
  const sfn = new SFN({ endpoint: url, region, credentials: signer, maxAttempts: 1 });
  onTestFinished(() => sfn.destroy());
  await expect(begin(sfn)).rejects.toMatchObject({ name });
});

describe('a signed request', () => {
  /** Sends a signed StartExecution with changes. @returns the status and the name of the error */
  async function startWith(changes: {
    readonly headers?: Record<string, string>;
    readonly body?: (body: string) => string;
  }) {
    const { url, sfn } = await start();
    const sent: { headers: Record<string, string>; body: string }[] = [];
    sfn.middlewareStack.add(
      (next) => async (args) => {
        const { headers, body } = args.request as { headers: Record<string, string>; body: Uint8Array };
        sent.push({ headers, body: new TextDecoder().decode(body) });
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low', name: 'record' },
    );
    await begin(sfn);
    const [signed] = sent;
    const headers = { ...signed!.headers, ...changes.headers };
    const asked = request(url, { method: 'POST', headers, agent: false });
    asked.end(changes.body?.(signed!.body) ?? signed!.body);
    const [response] = await once(asked, 'response');
    return [response.statusCode, JSON.parse(await text(response)).__type];
  }

  test.each([
    ['is accepted again unchanged', {}, [200, undefined]],
    [
      'is rejected with another body',
      { body: (body: string) => body.replace('arn', 'nra') },
      [400, 'InvalidSignatureException'],
    ],
    [
      'is rejected with another operation',
      { headers: { 'x-amz-target': 'AWSStepFunctions.StopExecution' } },
      [400, 'InvalidSignatureException'],
    ],
  ])('%s', async (_name, changes, expected) => {
    expect(await startWith(changes as Parameters<typeof startWith>[0])).toEqual(expected);
  });
});
