/** Uploads whose event was lost, against the local stack: the hints of status and upload, and retry. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { s3Store } from '../../../lib/aws/s3-store.ts';
import { writeStatus } from '../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../lib/batch/delivery/result-keys.ts';
import type { ObjectStore } from '../../../lib/batch/ports.ts';
import type { Job } from '../../../lib/cli/remote/jobs.ts';
import { type RunningStack, recordStack } from '../../../lib/local/running-stack.ts';
import { startS3Server } from '../../../lib/local/s3/server.ts';
import { type LocalStack, startLocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { systemClock, systemHashing } from '../../../lib/node/system.ts';
import type { AtEnd } from '../../local/fixture-function.ts';
import { CREDENTIALS } from '../../support/embedded-s3.ts';
import { EASY } from '../../support/puzzles.ts';
import { type Ended, endOf, folderWith, runProgram, startProgram } from '../program.ts';
import { recordProxy, startRecordingProxy } from '../recording-proxy.ts';

const { inputBucket, resultsBucket } = LOCAL_STACK;
const WHY =
  'either the bucket is new (for 15 minutes after the deployment, EventBridge may send no events and S3 may not find uploads, which are tried again) or all functions are busy';

/** Buckets that send no events, so uploads are never solved. */
async function eventlessBuckets(
  dataDir: string,
  atEnd: AtEnd,
): Promise<[Awaited<ReturnType<typeof startS3Server>>, ObjectStore]> {
  const buckets = [inputBucket, resultsBucket].map((name) => ({ name, versioned: true }));
  const signer = { region: LOCAL_STACK.region, ...CREDENTIALS };
  const server = await startS3Server({ ...signer, dataDir, port: 0, buckets });
  return [server, clientStore({ ...signer, endpoint: server.endpoint }, atEnd)];
}

/** The storage of a stack, which the commands find by its endpoint. */
function clientStore(stack: RunningStack, atEnd: AtEnd): ObjectStore {
  atEnd(recordStack(stack));
  const s3 = s3ClientFor(stack);
  atEnd(() => s3.destroy());
  return s3Store(s3);
}

/** Writes the status of a running job. */
async function putRunning(store: ObjectStore, key: string, deadline: Date): Promise<void> {
  const { versionId } = (await store.head(inputBucket, key))!;
  const jobId = '0123456789abcdef';
  const job = { jobId, input: { bucket: inputBucket, key, versionId: versionId! } };
  const keys = jobKeys(key, versionId!, jobId, systemHashing);
  const storage = { store, resultsBucket, clock: systemClock };
  const updatedAt = '2025-03-01T12:00:00.000Z';
  await writeStatus({ ...job, keys }, storage, {
    state: 'running',
    updatedAt,
    deadline: deadline.toISOString(),
  });
}

/** Puts an object that was last modified some seconds ago. */
async function putAgo(store: ObjectStore, key: string, body: string, seconds: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - seconds * 1000 });
  try {
    await store.put(inputBucket, key, Buffer.from(body), 'text/plain');
  } finally {
    vi.useRealTimers();
  }
}

function occurrences(of: string, within: string): number {
  return within.split(of).length - 1;
}

describe('uploads without an event', () => {
  let endpoint: string;
  let folder: string;
  let stack: LocalStack;

  beforeAll(async () => {
    folder = folderWith({ 'a.txt': `${EASY}\n` }, afterAll);
    // Its events are lost.
    stack = await startLocalStack({ dataDir: join(folder, 'data'), onEvent: () => {} });
    afterAll(() => stack.close());
    ({ endpoint } = stack);
    const { region, accessKeyId, secretAccessKey } = stack;
    const store = clientStore({ endpoint, region, accessKeyId, secretAccessKey }, afterAll);
    await putAgo(store, 'inbox/lost.txt', `${EASY}\n`.repeat(3), 120);
    await putAgo(store, 'inbox/old.txt', 'replaced\n', 120);
    await putAgo(store, 'inbox/old.txt', `${EASY}\n`, 119);
    // Its date is in the future, so it stays new during slow tests.
    await putAgo(store, "inbox/it's new.txt", `${EASY}\n`, -600);
    await putAgo(store, 'inbox/june/1.txt', `${EASY}\n`, 120);
    await putAgo(store, 'inbox/june/2.txt', `${EASY}\n`, 120);
    await putAgo(store, 'inbox/junk.txt', 'nothing\n', 120);
    await putAgo(store, 'scheduled/night.txt', `${EASY}\n`, 120);
    for (let k = 0; k < 6; k++) await putAgo(store, `inbox/many/${k}.txt`, `${EASY}\n`, 120);
    for (const [name, deadline] of [
      ['running', Date.now() + 3_600_000],
      ['stalled', Date.now() - 1000],
    ] as const) {
      await putAgo(store, `inbox/begun/${name}.txt`, `${EASY}\n`, 120);
      await putRunning(store, `inbox/begun/${name}.txt`, new Date(deadline));
    }
  });

  const run = ([command, ...args]: readonly string[], at = endpoint): Promise<Ended> =>
    runProgram(folder, [command!, '--endpoint', at, ...args]);
  /** Waits until the newest version of a key has finished. @returns the jobs of the key */
  const settled = (key: string): Promise<Job[]> =>
    vi.waitFor(
      async () => {
        const { jobs } = JSON.parse((await run(['status', '--json', key])).stdout);
        expect(jobs[0].state).toMatch(/^(done|rejected)$/);
        return jobs;
      },
      { timeout: 200_000, interval: 200 },
    );
  const retryCommand = (...keys: string[]) => `dlx-batch retry ${keys.join(' ')} --endpoint ${endpoint}`;

  test('status reports why an upload has been queued for over a minute, and what to do', async () => {
    const { stdout, status } = await run(['status', 'inbox/lost.txt']);
    expect(stdout).toMatch(/^inbox\/lost.txt\n {2}state {5}queued\n/);
    expect(stdout.split('\n').at(-2)).toBe(
      `inbox/lost.txt has been queued for over a minute: ${WHY}; to send it again: ${retryCommand('inbox/lost.txt')}`,
    );
    expect(status).toBe(0);
  });

  test('status reports it below a table, once for all of them', async () => {
    const { stdout } = await run(['status', 'inbox/june/']);
    expect(stdout.split('\n').slice(-3)).toEqual([
      '2 jobs: 2 queued; 0 puzzles, 0 solved',
      `2 uploads are queued, some for over a minute: ${WHY}; to send them again: ${retryCommand('inbox/june/1.txt', 'inbox/june/2.txt')}`,
      '',
    ]);
  });

  test('status suggests the prefix of many keys', async () => {
    const { stdout } = await run(['status', 'inbox/many/']);
    expect(stdout).toContain(`to send them again: dlx-batch retry inbox/ --endpoint ${endpoint}\n`);
  });

  test.each([
    ['is queued for less than a minute', "inbox/it's new.txt"],
    ['waits for its scheduled run', 'scheduled/night.txt'],
  ])('status gives no hint on an upload that %s', async (_name, key) => {
    const { stdout } = await run(['status', key]);
    expect(stdout).toContain('queued');
    expect(stdout).not.toContain('over a minute');
  });

  test('status --json writes only JSON', async () => {
    const { stdout, stderr } = await run(['status', '--json', 'inbox/lost.txt']);
    expect(JSON.parse(stdout).jobs).toMatchObject([{ key: 'inbox/lost.txt', state: 'queued' }]);
    expect(stderr).toBe('');
  });

  test('retry sends an upload, and later reports that it is solved', async () => {
    // With another name of this machine.
    const first = await run(['retry', 'inbox/lost.txt'], endpoint.replace('127.0.0.1', 'localhost'));
    expect(first).toMatchObject({
      status: 0,
      stdout: 'upload inbox/lost.txt: sent to the queue\n',
      stderr: '',
    });
    expect(await settled('inbox/lost.txt')).toMatchObject([
      { state: 'done', puzzles: { total: 3, solved: 3 } },
    ]);
    expect(await run(['retry', 'inbox/lost.txt'])).toMatchObject({
      status: 0,
      stderr: 'dlx-batch: upload inbox/lost.txt: already solved\n',
    });
  });

  test('retry accepts several keys, each once, and scheduled ones', async () => {
    const keys = ['scheduled/night.txt', "inbox/it's new.txt", 'scheduled/night.txt'];
    const { stdout, status } = await run(['retry', '--json', ...keys]);
    const { items } = JSON.parse(stdout);
    expect(items).toMatchObject([
      { name: keys[0], outcome: 'repeated' },
      { name: keys[1], outcome: 'repeated' },
    ]);
    expect(items).toHaveLength(2);
    expect(status).toBe(0);
    for (const key of keys) expect(await settled(key)).toMatchObject([{ state: 'done' }]);
  });

  test('retry sends the newest version of a key', async () => {
    await run(['retry', 'inbox/old.txt']);
    const jobs = await settled('inbox/old.txt');
    expect(jobs).toMatchObject([{ state: 'done', puzzles: { solved: 1 } }, { state: 'queued' }]);
    // retry would not send the older version.
    expect((await run(['status', 'inbox/old.txt'])).stdout).not.toContain('over a minute');
  });

  test('a running upload is not sent again, and a stalled one is', async () => {
    expect(await run(['retry', 'inbox/begun/running.txt'])).toMatchObject({
      status: 0,
      stderr: 'dlx-batch: upload inbox/begun/running.txt: running since 2025-03-01T12:00:00.000Z\n',
    });
    expect((await run(['status', 'inbox/begun/running.txt'])).stdout).not.toContain('over a minute');
    await run(['retry', 'inbox/begun/stalled.txt']);
    expect(await settled('inbox/begun/stalled.txt')).toMatchObject([{ state: 'done' }]);
  });

  test.each([
    [
      'an unknown key',
      'inbox/none.txt',
      `inbox/none.txt: no upload in ${inputBucket} has this key; see dlx-batch status`,
    ],
    ['a prefix of a key', 'inbox/jun', 'has this key (inbox/june/1.txt exists); see dlx-batch status'],
    ['a key under the other prefix', 'inbox/night.txt', 'has this key (scheduled/night.txt exists)'],
    [
      'a key elsewhere',
      'lost.txt',
      'lost.txt: expected a key or a prefix under inbox/ or scheduled/, such as inbox/lost.txt',
    ],
  ])('retry rejects %s in one line', async (_name, key, message) => {
    const { status, stdout, stderr } = await run(['retry', key]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test('retry sends the other keys if one is unknown', async () => {
    const { status, stdout, stderr } = await run(['retry', 'inbox/none.txt', 'inbox/june/1.txt']);
    expect(stdout).toBe('upload inbox/june/1.txt: sent to the queue\n');
    expect(stderr).toMatch(/^dlx-batch: upload inbox\/none.txt: no upload.*\n$/);
    expect(status).toBe(2);
  });

  test('a missing permission for the queue is reported in one line', async () => {
    const denying = await startInterceptingProxy(endpoint, ({ headers }) =>
      headers['x-amz-target'] === undefined
        ? undefined
        : { status: 403, body: '{"__type":"com.amazon.coral.service#AccessDeniedException"}' },
    );
    const { status, stderr } = await run(['retry', 'inbox/june/2.txt'], denying);
    expect(stderr).toMatch(/^dlx-batch: retrying: access denied: .*\n$/);
    expect(status).toBe(2);
  });

  test('a message that the queue does not accept is reported in one line', async () => {
    const Failed = [{ Id: '0', Code: 'InternalError', SenderFault: false }];
    const busy = await startInterceptingProxy(endpoint, ({ headers }) =>
      headers['x-amz-target'] !== 'AmazonSQS.SendMessageBatch'
        ? undefined
        : { status: 200, body: JSON.stringify({ Successful: [], Failed }) },
    );
    const { status, stderr } = await run(['retry', 'inbox/june/2.txt'], busy);
    expect(stderr).toBe(
      'dlx-batch: upload inbox/june/2.txt: the queue did not accept the message: try again\n',
    );
    expect(status).toBe(2);
  });

  test('run finds the state machine of a deployed stack by its outputs', async () => {
    const buckets = { InputBucketName: inputBucket, ResultsBucketName: resultsBucket };
    const aws = await startInterceptingProxy(endpoint, ({ headers }) => {
      if (headers['content-type']?.includes('x-www-form-urlencoded') !== true) return undefined;
      return { status: 200, body: describedStack({ ...buckets, BulkRunArn: LOCAL_STACK.bulkRunArn }) };
    });
    const environment = {
      ...process.env,
      AWS_ENDPOINT_URL: aws,
      AWS_REGION: LOCAL_STACK.region,
      AWS_ACCESS_KEY_ID: stack.accessKeyId,
      AWS_SECRET_ACCESS_KEY: stack.secretAccessKey,
    };
    const args = ['retry', 'inbox/many/', '--stack', 'Mine'];
    const { stdout, stderr } = await runProgram(folder, args, '', environment);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/started; dlx-batch run --list --stack Mine shows its progress\n$/);
    expect(await settled('inbox/many/0.txt')).toMatchObject([{ state: 'done' }]);
  });
});

/** A proxy that answers some requests itself and forwards the others. */
async function startInterceptingProxy(
  target: string,
  answerTo: (incoming: IncomingMessage) => { readonly status: number; readonly body: string } | undefined,
): Promise<string> {
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const own = answerTo(incoming);
    if (own !== undefined) {
      incoming.resume();
      response.writeHead(own.status).end(own.body);
      return;
    }
    const outgoing = request(new URL(url!, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(recordProxy(endpoint, target));
  return endpoint;
}

/** CloudFormation's answer to DescribeStacks. */
function describedStack(outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<member><Outputs>${members.join('')}</Outputs></member>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

describe('waiting for an upload without an event', () => {
  let server: Awaited<ReturnType<typeof startS3Server>>;
  let store: ObjectStore;

  beforeAll(async () => {
    [server, store] = await eventlessBuckets(folderWith({}, afterAll), afterAll);
    afterAll(() => server.close());
  });

  /** Starts a command, waits for its listings of results, and interrupts it. */
  async function interruptedAfter(
    listings: number,
    args: readonly string[],
    environment?: NodeJS.ProcessEnv,
  ): Promise<Ended> {
    const proxy = await startRecordingProxy(server.endpoint);
    onTestFinished(() => proxy.close());
    const folder = folderWith({ 'slow.txt': `${EASY}\n`, 'slow2.txt': `${EASY}\n` }, onTestFinished);
    const [command, ...rest] = args;
    const program = startProgram(
      folder,
      [command!, '--endpoint', proxy.endpoint, ...rest],
      false,
      environment,
    );
    const ended = endOf(program);
    const enough = /prefix=status/;
    await vi.waitFor(
      () => expect(proxy.answered.filter((line) => enough.test(line)).length).toBeGreaterThan(listings),
      { timeout: 200_000, interval: 50 },
    );
    program.kill('SIGINT');
    return ended;
  }

  /** Makes the waits between polls 20 times as short. */
  const SHORT_SLEEPS =
    "import timers from 'node:timers/promises'; import { syncBuiltinESMExports } from 'node:module'; " +
    'const wait = timers.setTimeout; timers.setTimeout = (ms, ...others) => wait(ms / 20, ...others); syncBuiltinESMExports();';
  /** Makes the monotonic clock run 600 times faster: a minute passes in 0.1 s. */
  const FAST_CLOCK = 'const now = performance.now.bind(performance); performance.now = () => 600 * now();';
  /** Makes the time of day run 60 times faster from the start on. */
  const FAST_DATE =
    'const now = Date.now.bind(Date), start = now(); Date.now = () => start + 60 * (now() - start);';
  const withScripts = (...sources: readonly string[]) => ({
    ...process.env,
    NODE_OPTIONS: sources
      .map((source) => `--import "data:text/javascript,${encodeURIComponent(source)}"`)
      .join(' '),
  });

  test('status --watch gives the hint once, after a minute', async () => {
    await putAgo(store, 'inbox/watched.txt', EASY, 30);
    const { stdout } = await interruptedAfter(
      6,
      ['status', '--watch', 'inbox/watched.txt'],
      withScripts(FAST_DATE, SHORT_SLEEPS),
    );
    expect(occurrences('over a minute', stdout)).toBe(1);
    expect(stdout).toMatch(
      /; to send it again: .*dlx-batch\S* retry inbox\/watched.txt --endpoint http:\S+\n$/,
    );
  });

  test.each([[[]], [['--json']]])(
    'upload --wait %j gives the hint once, on standard error',
    async (options) => {
      const args = ['upload', '--wait', ...options, 'slow.txt', 'slow2.txt'];
      const { stdout, stderr } = await interruptedAfter(8, args, withScripts(FAST_CLOCK, SHORT_SLEEPS));
      expect(stdout).toBe('');
      expect(occurrences('over a minute', stderr)).toBe(1);
      expect(stderr).toContain(WHY);
      expect(stderr).toMatch(/again: .*dlx-batch\S* retry inbox\/slow2?.txt/);
    },
  );

  test('upload --schedule --wait gives no hint, because it waits for the next run', async () => {
    const args = ['upload', '--schedule', '--wait', 'slow.txt'];
    const { stderr } = await interruptedAfter(5, args, withScripts(FAST_CLOCK, SHORT_SLEEPS));
    expect(stderr).toMatch(
      /^\ndlx-batch: interrupted\nSTATE .*\nuploaded +slow.txt\n1 file: 1 uploaded\nto continue: .*\n$/,
    );
  });
});
