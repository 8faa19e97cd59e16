/** Uploads whose event was lost, against the local stack: what status says, and retry. */
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
import { type LocalStack, startLocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { systemClock, systemHashing } from '../../../lib/node/system.ts';
import type { AtEnd } from '../../local/fixture-function.ts';
import { EASY } from '../../support/puzzles.ts';
import { type Ended, folderWith, runProgram } from '../program.ts';
import { recordProxy } from '../recording-proxy.ts';

const { inputBucket, resultsBucket } = LOCAL_STACK;

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

  test('status says that no event has come, and what to do', async () => {
    const { stdout } = await run(['status', 'inbox/lost.txt']);
    expect(stdout).toContain(
      `next      dlx-batch retry inbox/lost.txt --endpoint ${endpoint}, if its event was lost`,
    );
    const table = (await run(['status'])).stdout;
    expect(table).toMatch(/inbox\/june\/1.txt .* {2}for over a minute/);
    expect(table).not.toMatch(/(it's new|night).txt .* {2}for over/);
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

  test('retry sends the newest version of a key', async () => {
    await run(['retry', 'inbox/old.txt']);
    const jobs = await settled('inbox/old.txt');
    expect(jobs).toMatchObject([{ state: 'done', puzzles: { solved: 1 } }, { state: 'queued' }]);
  });

  test('a running upload is not sent again, and a stalled one is', async () => {
    expect(await run(['retry', 'inbox/begun/running.txt'])).toMatchObject({
      status: 0,
      stderr: 'dlx-batch: upload inbox/begun/running.txt: running since 2025-03-01T12:00:00.000Z\n',
    });
    await run(['retry', 'inbox/begun/stalled.txt']);
    expect(await settled('inbox/begun/stalled.txt')).toMatchObject([{ state: 'done' }]);
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
