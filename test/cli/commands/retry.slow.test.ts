/** The command retry, against a local stack whose functions fail and whose events are lost on purpose. */
import { type IncomingHttpHeaders, request } from 'node:http';
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
import { FUNCTION_NAMES } from '../../../functions/bundle.ts';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import type { RunReport } from '../../../lib/batch/bulk-run/report/run-report.ts';
import { writeStatus } from '../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../lib/batch/delivery/result-keys.ts';
import { findOutcome } from '../../../lib/batch/delivery/result-set.ts';
import { ENVIRONMENT } from '../../../lib/batch/names.ts';
import { retry } from '../../../lib/cli/commands/retry.ts';
import { recordStack } from '../../../lib/local/running-stack.ts';
import { type LocalStack, startLocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { LocalExecutions } from '../../../lib/local/states/executions.ts';
import { systemClock, systemHashing } from '../../../lib/node/system.ts';
import { ThreadFunctions } from '../../local/access/thread-functions.ts';
import { temporaryFolder } from '../../local/fixture-function.ts';
import { builtProgram } from '../../support/built-program.ts';
import { EASY, HARD } from '../../support/puzzles.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { shortenWaits } from '../../support/short-waits.ts';

const functions = new ThreadFunctions();
let stack: LocalStack;
let s3: ReturnType<typeof s3ClientFor>;
let forget: () => void;
/** Whether events of uploads are lost. */
let areEventsLost = false;

beforeAll(async () => {
  const { template } = await builtProgram(temporaryFolder(afterAll));
  shortenWaits();
  await functions.load(FUNCTION_NAMES);
  vi.stubEnv('XDG_STATE_HOME', temporaryFolder(afterAll));
  stack = await startLocalStack({
    dataDir: temporaryFolder(afterAll),
    codeDir: temporaryFolder(afterAll),
    template,
    startFunction: functions.start,
    onEvent: (body) => {
      if (!areEventsLost) stack.send(body);
    },
    fastRetries: true,
    maxReceives: 2,
    jitter: () => 0,
    environment: { [ENVIRONMENT.largeJobSeconds]: '0.000001', [ENVIRONMENT.shardBytes]: '100' },
  });
  s3 = s3ClientFor(stack);
  forget = recordStack(stack);
});

afterEach(() => {
  functions.crashing.clear();
  functions.variables = {};
  areEventsLost = false;
});

afterAll(async () => {
  forget();
  s3.destroy();
  await stack.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Uploads a file. @returns its version, after all work is done */
async function upload(key: string, text: string): Promise<string> {
  const { VersionId } = await s3.putObject({ Bucket: stack.inputBucket, Key: key, Body: text });
  await stack.idle();
  return VersionId!;
}

async function outcomeOf(key: string, versionId: string): Promise<string | undefined> {
  await stack.idle();
  return (await findOutcome(stack.store, stack.resultsBucket, key, versionId, systemHashing))?.kind;
}

/** Runs the command. @returns its exit status and the lines of both outputs */
async function run(keys: readonly string[], flags: Parameters<typeof retry>[1] = {}) {
  const lines: string[] = [];
  const capture = (text: string | Uint8Array) => {
    lines.push(...String(text).trimEnd().split('\n'));
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(capture),
  );
  try {
    return { status: await retry(keys, { endpoint: stack.endpoint, ...flags }), lines };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Retries with `--wait`. @returns the report of the run */
async function retried(keys: readonly string[], flags: Parameters<typeof retry>[1] = {}): Promise<RunReport> {
  const { lines } = await run(keys, { wait: true, json: true, ...flags });
  return JSON.parse(lines.join('\n')).report;
}

const AT_END = 'at its end, the messages of the dead-letter queue go back to the queue';

describe('retry', () => {
  test('starts a run that has nothing to do if nothing has failed', async () => {
    const { lines, status } = await run([], { wait: true });
    expect(status).toBe(0);
    expect(lines[0]).toMatch(/^run \S+: 0 of 0 files solved/);
  });

  test('says what a run would do; the run solves what has failed, and then the dead letters end', async () => {
    functions.crashing.add('solve-batch');
    const versionId = await upload('inbox/june/dead.txt', EASY);
    const other = await upload('inbox/other.txt', EASY);
    functions.crashing.clear();
    stack.send('?');
    await stack.idle();
    expect(stack.deadLetters).toHaveLength(3);
    const listed = await run(['inbox/june/'], { dryRun: true });
    expect(listed.lines[0]).toMatch(/^inbox\/june\/dead\.txt {2}\S+ {2}81 bytes {2}missed$/);
    expect(listed.lines.at(-1)).toBe(AT_END);
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
    expect((await run(['inbox/large.txt'])).lines).toEqual([
      'dlx-batch: upload inbox/large.txt: already solved',
    ]);
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
    const planned = (await run([], { code, dryRun: true })).lines;
    expect(planned[0]).toMatch(/^inbox\/refused.txt {2}\S+ {2}\d+ bytes {2}rejected$/);
    expect(planned[1]).toContain(', 1 to solve (');
    // A bulk run repeats many.
    expect(await run([], { code })).toMatchObject({
      status: 0,
      lines: [expect.stringMatching(/^run \S+ started; dlx-batch run --list /)],
    });
    expect(await outcomeOf('inbox/refused.txt', versionId)).toBe('completed');
    expect((await run([], { rejected: true, dryRun: true })).lines).toEqual([
      expect.stringMatching(/^inbox\/junk.txt .* rejected$/),
      expect.stringContaining(', 1 to solve ('),
      'no estimate: no sample has puzzles in cells',
      AT_END,
    ]);
    expect((await run(['inbox/junk.txt'])).lines).toEqual([
      expect.stringMatching(/^upload inbox\/junk.txt: sent to the queue \(no puzzles/),
    ]);
    expect(await outcomeOf('inbox/junk.txt', junk)).toBe('rejected');
  });

  test('continues a run whose execution has failed, and no other one', async () => {
    functions.crashing.add('run-step');
    await upload('scheduled/night.txt', EASY);
    const [started] = (await run(['scheduled/'])).lines;
    await stack.idle();
    functions.crashing.clear();
    const runId = started!.split(' ')[1]!;
    const failed = /^run \S+ (would go|goes) on: its execution failed while planning \(.*crashed.*\)/;
    expect((await run([], { run: runId, dryRun: true })).lines).toEqual([expect.stringMatching(failed)]);
    expect((await run([], { run: runId })).lines).toEqual([expect.stringMatching(failed)]);
    await stack.idle();
    // Again, until its end.
    functions.crashing.add('run-step');
    await upload('scheduled/night.txt', `${EASY}\n${EASY}\n`);
    const [second] = (await run(['scheduled/'])).lines;
    await stack.idle();
    functions.crashing.clear();
    expect((await retried([], { run: second!.split(' ')[1]! })).versions).toMatchObject({
      planned: 1,
      solved: 1,
    });
    expect((await run([], { run: runId, dryRun: true })).lines).toContainEqual(
      expect.stringContaining('0 versions found'),
    );
    await expect(run([], { run: '2020-01-01T00-00-00Z' })).rejects.toThrow(/: no such run; see /);
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
    const storage = { store: stack.store, resultsBucket: stack.resultsBucket, clock: systemClock };
    const keys = jobKeys(key, versionId, jobId, systemHashing);
    const deadline = new Date(untilMs).toISOString();
    const updatedAt = '2025-03-01T12:00:00.000Z';
    await writeStatus({ jobId, input, keys }, storage, { state: 'running', updatedAt, deadline });
  }

  test('is sent by its key: the newest version, unless it is running', async () => {
    const replaced = await upload('inbox/lost.txt', 'replaced\n');
    const versionId = await upload('inbox/lost.txt', EASY);
    const stalled = await upload('inbox/stalled.txt', EASY);
    await putRunning('inbox/stalled.txt', stalled, Date.now() - 1000);
    const running = await upload('inbox/running.txt', EASY);
    await putRunning('inbox/running.txt', running, Date.now() + 3_600_000);
    expect((await run(['inbox/lost.txt', 'inbox/stalled.txt', 'inbox/running.txt'])).lines).toEqual([
      'upload inbox/lost.txt: sent to the queue',
      expect.stringMatching(/^upload inbox\/stalled.txt: sent to the queue/),
      'dlx-batch: upload inbox/running.txt: running since 2025-03-01T12:00:00.000Z',
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
      const { method, url, headers } = incoming;
      const own = answerTo(headers);
      if (own !== undefined) return response.writeHead(own.status).end(own.body);
      const outgoing = request(new URL(url!, stack.endpoint), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      return incoming.pipe(outgoing);
    });
    const { region, accessKeyId, secretAccessKey } = stack;
    onTestFinished(recordStack({ region, accessKeyId, secretAccessKey, endpoint: proxy.endpoint }));
    return proxy.endpoint;
  }

  const Failed = [{ Id: '0', Code: 'InternalError', SenderFault: false }];
  test.each([
    ['denies', 403, { __type: 'AccessDeniedException' }, /^retrying: access denied: /],
    [
      'does not accept',
      200,
      { Successful: [], Failed },
      /: the queue did not accept the message: try again$/,
    ],
  ])(
    'stays if the queue %s its message, which is reported in one line',
    async (_name, status, body, line) => {
      const versionId = await upload('inbox/stays.txt', EASY);
      const endpoint = await intercepting((headers) =>
        headers['x-amz-target'] === 'AmazonSQS.SendMessageBatch'
          ? { status, body: JSON.stringify(body) }
          : undefined,
      );
      const failed = await run(['inbox/stays.txt'], { endpoint }).catch(({ message }) => ({
        status: 2,
        lines: [message],
      }));
      expect(failed).toEqual({ status: 2, lines: [expect.stringMatching(line)] });
      expect(await outcomeOf('inbox/stays.txt', versionId)).toBe(undefined);
    },
  );

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
    const { lines } = await run(['inbox/many/'], { endpoint: undefined, stack: 'Mine' });
    expect(lines).toEqual([expect.stringMatching(/^run \S+ started; /)]);
    expect(await outcomeOf('inbox/many/0.txt', versionId)).toBe('completed');
  });
});
