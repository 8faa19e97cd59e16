/** The command retry, against a local stack whose functions fail and whose events are lost on purpose. */
import type { IncomingHttpHeaders } from 'node:http';
import type { S3 } from '@aws-sdk/client-s3';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import type { RunReport } from '../../../lib/batch/bulk-run/report/run-report.ts';
import { writeStatus } from '../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../lib/batch/delivery/result-keys.ts';
import { findOutcome } from '../../../lib/batch/delivery/result-set.ts';
import { ENVIRONMENT } from '../../../lib/batch/names.ts';
import { run as retry } from '../../../lib/cli/commands/retry.ts';
import { CommandError } from '../../../lib/cli/exit.ts';
import { recordStack } from '../../../lib/local/running-stack.ts';
import type { LocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { LocalExecutions } from '../../../lib/local/states/executions.ts';
import { systemClock, systemHashing } from '../../../lib/node/system.ts';
import { endThreadStack, startThreadStack, ThreadFunctions } from '../../local/access/thread-functions.ts';
import { temporaryFolder } from '../../local/fixture-function.ts';
import { builtProgram } from '../../support/built-program.ts';
import { EASY, HARD } from '../../support/puzzles.ts';
import { forwarded, scriptedServer } from '../../support/scripted-server.ts';

const functions = new ThreadFunctions();
let stack: LocalStack;
let s3: S3;
let forget: () => void;
/** Whether events of uploads are lost. */
let areEventsLost = false;

beforeAll(async () => {
  const { template } = await builtProgram(temporaryFolder(afterAll));
  vi.stubEnv('XDG_STATE_HOME', temporaryFolder(afterAll));
  stack = await startThreadStack(functions, {
    template,
    onEvent: (body) => {
      if (!areEventsLost) stack.send(body);
    },
    maxReceives: 2,
    jitter: () => 0,
    environment: { [ENVIRONMENT.largeJobSeconds]: '0.000001', [ENVIRONMENT.shardBytes]: '100' },
  });
  s3 = s3ClientFor(stack);
  forget = recordStack(stack);
});

afterAll(async () => {
  forget();
  s3.destroy();
  await endThreadStack(stack);
});

afterEach(() => {
  functions.crashing.clear();
  functions.variables = {};
  areEventsLost = false;
});

/** Uploads a file. @returns its version, after all work is done */
async function upload(key: string, text: string): Promise<string> {
  const { VersionId } = await s3.putObject({ Bucket: stack.inputBucket, Key: key, Body: text });
  await stack.idle();
  return VersionId!;
}

async function outcomeOf(key: string, versionId: string): Promise<string | undefined> {
  await stack.idle();
  return (await findOutcome(stack, { key, versionId }, systemHashing))?.kind;
}

/** What the command says with `--json`: of a run that is planned, started or has ended, or of each upload. */
interface Said {
  readonly counts: { readonly found: number; readonly planned: number };
  readonly planned: readonly { readonly key: string; readonly why: string }[];
  readonly run: { readonly runId: string };
  readonly report: RunReport;
  readonly items: readonly { readonly name: string; readonly outcome: string }[];
}

/** Runs the command. @returns its exit status, and what it says */
async function run(keys: readonly string[], flags: Parameters<typeof retry>[1] = {}) {
  let text = '';
  const capture = (written: string | Uint8Array) => {
    text += written;
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(capture),
  );
  try {
    const status = await retry(keys, { endpoint: stack.endpoint, json: true, ...flags });
    return { status, said: JSON.parse(text) as Said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Retries with `--wait`. @returns the report of the run */
async function retried(keys: readonly string[], flags: Parameters<typeof retry>[1] = {}): Promise<RunReport> {
  return (await run(keys, { wait: true, ...flags })).said.report;
}

/** Retries uploads by their keys. @returns what was done with each */
async function outcomesOf(...keys: readonly string[]): Promise<string[]> {
  return (await run(keys)).said.items.map(({ outcome }) => outcome);
}

describe('retry', () => {
  test('starts a run that has nothing to do if nothing has failed', async () => {
    const { said, status } = await run([], { wait: true });
    expect([status, said.report.versions.planned]).toEqual([0, 0]);
  });

  test('says what a run would do; the run solves what has failed, and then the dead letters end', async () => {
    functions.crashing.add('solve-batch');
    const versionId = await upload('inbox/june/dead.txt', EASY);
    const other = await upload('inbox/other.txt', EASY);
    functions.crashing.clear();
    stack.send('?');
    await stack.idle();
    expect(stack.deadLetters).toHaveLength(3);
    const { planned } = (await run(['inbox/june/'], { dryRun: true })).said;
    expect(planned).toMatchObject([{ key: 'inbox/june/dead.txt', bytes: 81, why: 'missed' }]);
    expect(stack.deadLetters).toHaveLength(3);
    expect((await retried(['inbox/june/'])).versions).toMatchObject({ found: 1, planned: 1, solved: 1 });
    expect(await outcomeOf('inbox/june/dead.txt', versionId)).toBe('completed');
    // Those of solved uploads have ended, that of the other one was tried once more, and no try of the third can succeed.
    expect(await outcomeOf('inbox/other.txt', other)).toBe('completed');
    expect(stack.deadLetters.map(({ body }) => body)).toEqual(['?']);
    expect((await retried([])).versions).toMatchObject({ planned: 0 });
  });

  test('continues a failed execution where it stopped', async () => {
    functions.crashing.add('solve-shard');
    const versionId = await upload('inbox/large.txt', `${EASY}\n${EASY}\n`);
    functions.crashing.clear();
    expect((await retried(['inbox/'])).versions).toMatchObject({ planned: 1, solved: 1 });
    expect(await outcomeOf('inbox/large.txt', versionId)).toBe('completed');
    expect(await outcomesOf('inbox/large.txt')).toEqual(['skipped']);
  });

  test('starts an execution again that can no longer be redriven', async () => {
    functions.crashing.add('solve-shard');
    const versionId = await upload('inbox/old.txt', `${EASY}\n\n${EASY}\n`);
    functions.crashing.clear();
    const tooOld = vi
      .spyOn(LocalExecutions.prototype, 'notRedrivableReason')
      .mockReturnValue('Execution redrivable period exceeded');
    const { versions } = await retried(['inbox/']);
    tooOld.mockRestore();
    expect(versions).toMatchObject({ planned: 1, solved: 1 });
    expect(await outcomeOf('inbox/old.txt', versionId)).toBe('completed');
  });

  test('sends rejected uploads after a limit was raised, by their code or by their key', async () => {
    const junk = await upload('inbox/junk.txt', 'Dear all,\n');
    functions.variables = { [ENVIRONMENT.jobLimits]: '{"max-job-nodes":"1"}' };
    const versionId = await upload('inbox/refused.txt', HARD);
    expect(await outcomeOf('inbox/refused.txt', versionId)).toBe('rejected');
    functions.variables = { [ENVIRONMENT.jobLimits]: '{}' };
    const code = 'too_large';
    const { planned } = (await run([], { code, dryRun: true })).said;
    expect(planned).toMatchObject([{ key: 'inbox/refused.txt', why: 'rejected' }]);
    // A bulk run repeats many.
    expect(await run([], { code })).toMatchObject({ status: 0, said: { run: { retry: true } } });
    expect(await outcomeOf('inbox/refused.txt', versionId)).toBe('completed');
    const rejected = (await run([], { rejected: true, dryRun: true })).said;
    expect(rejected).toMatchObject({
      planned: [{ key: 'inbox/junk.txt', why: 'rejected' }],
      estimates: [],
    });
    expect(await outcomesOf('inbox/junk.txt')).toEqual(['repeated']);
    expect(await outcomeOf('inbox/junk.txt', junk)).toBe('rejected');
  });

  test('continues a run whose execution has failed, and no other one', async () => {
    functions.crashing.add('run-step');
    await upload('scheduled/night.txt', EASY);
    const { runId } = (await run(['scheduled/'])).said.run;
    await stack.idle();
    functions.crashing.clear();
    expect((await run([], { run: runId, dryRun: true })).said.run).toEqual({
      ...{ runId, execution: runId },
      why: expect.stringContaining('crashed'),
    });
    expect((await run([], { run: runId })).said.run.runId).toBe(runId);
    await stack.idle();
    // Again, until its end.
    functions.crashing.add('run-step');
    await upload('scheduled/night.txt', `${EASY}\n${EASY}\n`);
    const second = (await run(['scheduled/'])).said.run.runId;
    await stack.idle();
    functions.crashing.clear();
    expect((await retried([], { run: second })).versions).toMatchObject({ planned: 1, solved: 1 });
    expect((await run([], { run: runId, dryRun: true })).said.counts.found).toBe(0);
    await expect(run([], { run: '2020-01-01T00-00-00Z' })).rejects.toThrow(CommandError);
  });
});

describe('an upload whose event was lost', () => {
  beforeEach(() => {
    areEventsLost = true;
  });

  /** Writes the status of a job that runs until a time. */
  async function putRunning(key: string, versionId: string, untilMs: number): Promise<void> {
    const jobId = '0123456789abcdef';
    const input = { bucket: stack.inputBucket, key, versionId };
    const updatedAt = '2025-03-01T12:00:00.000Z';
    const clock = { ...systemClock, timeOfDay: () => updatedAt };
    const storage = { store: stack.store, resultsBucket: stack.resultsBucket, clock, hashing: systemHashing };
    const keys = jobKeys(key, versionId, jobId, systemHashing);
    const runsMs = untilMs - Date.parse(updatedAt);
    await writeStatus({ jobId, input, keys }, storage, { state: 'running' }, runsMs);
  }

  test('is sent by its key: the newest version, unless it is running', async () => {
    const replaced = await upload('inbox/lost.txt', 'replaced\n');
    const versionId = await upload('inbox/lost.txt', EASY);
    const stalled = await upload('inbox/stalled.txt', EASY);
    await putRunning('inbox/stalled.txt', stalled, Date.now() - 1000);
    const running = await upload('inbox/running.txt', EASY);
    await putRunning('inbox/running.txt', running, Date.now() + 3_600_000);
    expect(await outcomesOf('inbox/lost.txt', 'inbox/stalled.txt', 'inbox/running.txt')).toEqual([
      'repeated',
      'repeated',
      'skipped',
    ]);
    expect(await outcomeOf('inbox/lost.txt', versionId)).toBe('completed');
    expect(await outcomeOf('inbox/lost.txt', replaced)).toBe(undefined);
    expect(await outcomeOf('inbox/stalled.txt', stalled)).toBe('completed');
    expect(await outcomeOf('inbox/running.txt', running)).toBe(undefined);
  });

  /** A proxy of the stack that answers some requests itself. */
  async function intercepting(
    answerTo: (
      headers: IncomingHttpHeaders,
    ) => { readonly status: number; readonly body: string } | undefined,
  ): Promise<string> {
    const proxy = await scriptedServer((response, incoming) => {
      const own = answerTo(incoming.headers);
      if (own !== undefined) return response.writeHead(own.status).end(own.body);
      return forwarded(() => stack.endpoint)(response, incoming);
    });
    const { region, accessKeyId, secretAccessKey } = stack;
    onTestFinished(recordStack({ region, accessKeyId, secretAccessKey, endpoint: proxy.endpoint }));
    return proxy.endpoint;
  }

  const Failed = [{ Id: '0', Code: 'InternalError', SenderFault: false }];
  test.each([
    ['denies', 403, { __type: 'AccessDeniedException' }],
    ['does not accept', 200, { Successful: [], Failed }],
  ])('stays if the queue %s its message, which is an error', async (_name, status, body) => {
    const versionId = await upload('inbox/stays.txt', EASY);
    const endpoint = await intercepting((headers) =>
      headers['x-amz-target'] === 'AmazonSQS.SendMessageBatch'
        ? { status, body: JSON.stringify(body) }
        : undefined,
    );
    const failed = run(['inbox/stays.txt'], { endpoint });
    if (status === 403) await expect(failed).rejects.toThrow(CommandError);
    else expect(await failed).toMatchObject({ status: 2, said: { items: [{ outcome: 'failed' }] } });
    expect(await outcomeOf('inbox/stays.txt', versionId)).toBe(undefined);
  });

  test('is solved by a run, whose state machine a deployed stack has as an output', async () => {
    const versionId = await upload('inbox/many/0.txt', EASY);
    const { inputBucket, resultsBucket, bulkRunArn } = LOCAL_STACK;
    const outputs = {
      InputBucketName: inputBucket,
      ResultsBucketName: resultsBucket,
      BulkRunArn: bulkRunArn,
    };
    const members = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    const described = `<Stacks><member><Outputs>${members.join('')}</Outputs></member></Stacks>`;
    const body = `<DescribeStacksResponse><DescribeStacksResult>${described}</DescribeStacksResult></DescribeStacksResponse>`;
    const endpoint = await intercepting((headers) =>
      headers['content-type']?.includes('x-www-form-urlencoded') ? { status: 200, body } : undefined,
    );
    const keys = { AWS_ACCESS_KEY_ID: stack.accessKeyId, AWS_SECRET_ACCESS_KEY: stack.secretAccessKey };
    const variables = { ...keys, AWS_ENDPOINT_URL: endpoint, AWS_REGION: stack.region };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    await run(['inbox/many/'], { endpoint: undefined, stack: 'Mine' });
    expect(await outcomeOf('inbox/many/0.txt', versionId)).toBe('completed');
  });
});
