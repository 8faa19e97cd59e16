/** What people meet: each in one line that says what to do. AWS is a small server on this machine that refuses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EASY } from '../support/puzzles.ts';
import { folderWith, runProgram } from './program.ts';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server that refuses every request alike, in S3's words and in those of the query protocol. */
async function refusing({ status, code, message = '', headers = {} }: Refusal): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const error = `<Code>${code}</Code><Message>${message}</Message>`;
    const isQuery = request.headers['content-type']?.includes('x-www-form-urlencoded') === true;
    const body = isQuery
      ? `<ErrorResponse><Error><Type>Sender</Type>${error}</Error></ErrorResponse>`
      : `<Error>${error}</Error>`;
    response.writeHead(status, { 'content-type': 'application/xml', ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret' };

/** Runs the tool as somebody would whose AWS answers so; without an answer, nothing of AWS is there. */
async function runAgainst(
  args: readonly string[],
  endpoint: string | undefined,
  environment: Readonly<Record<string, string>>,
) {
  const folder = folderWith({ 'a.txt': `${EASY}\n` }, onTestFinished);
  return runProgram(folder, args, '', {
    PATH: process.env.PATH,
    HOME: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(endpoint !== undefined && { AWS_ENDPOINT_URL: endpoint }),
    ...environment,
  });
}

const REGION = { AWS_REGION: 'eu-west-1' };
const BUCKETS = ['--bucket', 'in', '--results-bucket', 'out'];

const CASES: readonly (readonly [
  name: string,
  args: readonly string[],
  refusal: Refusal | undefined,
  environment: Readonly<Record<string, string>>,
  message: RegExp,
])[] = [
  [
    'no credentials',
    ['upload', 'a.txt', ...BUCKETS],
    undefined,
    REGION,
    /there are no AWS credentials: set AWS_PROFILE/,
  ],
  [
    'no credentials, and a stack',
    ['status'],
    undefined,
    REGION,
    /asking CloudFormation for the stack DlxBatch: there are no AWS credentials/,
  ],
  ['no region', ['status', ...BUCKETS], undefined, CREDENTIALS, /no region is set: set AWS_REGION/],
  [
    'no region, and an object to estimate',
    ['estimate', 's3://in/a.txt'],
    undefined,
    CREDENTIALS,
    /estimating s3:\/\/in\/a.txt: no region is set/,
  ],
  [
    'no credentials, and an object to estimate',
    ['estimate', 's3://in/a.txt'],
    undefined,
    REGION,
    /estimating s3:\/\/in\/a.txt: there are no AWS credentials/,
  ],
  [
    'an object to estimate that is denied',
    ['estimate', 's3://in/a.txt'],
    { status: 403, code: 'AccessDenied' },
    { ...CREDENTIALS, ...REGION },
    /estimating s3:\/\/in\/a.txt: access is denied/,
  ],
  [
    'no such stack',
    ['upload', 'a.txt', '--stack', 'Nope'],
    { status: 400, code: 'ValidationError', message: 'Stack with id Nope does not exist' },
    { ...CREDENTIALS, ...REGION },
    /asking CloudFormation for the stack Nope: there is no such stack in this region and account: give its name with --stack/,
  ],
  [
    'no such stack to resend to',
    ['resend', 'inbox/a.txt', '--stack', 'Nope'],
    { status: 400, code: 'ValidationError', message: 'Stack with id Nope does not exist' },
    { ...CREDENTIALS, ...REGION },
    /asking CloudFormation for the stack Nope: there is no such stack in this region and account/,
  ],
  [
    'buckets that name no queue',
    ['resend', 'inbox/a.txt', ...BUCKETS],
    undefined,
    { ...CREDENTIALS, ...REGION },
    /--bucket does not give the stack's QueueUrl: give --stack, too/,
  ],
  [
    'a bucket elsewhere',
    ['upload', 'a.txt', ...BUCKETS],
    { status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'us-west-2' } },
    { ...CREDENTIALS, ...REGION },
    /uploading a.txt: the bucket is in the region us-west-2, and another one was asked: set AWS_REGION=us-west-2/,
  ],
  [
    'a bucket that is not there',
    ['download', 'inbox/a.txt', ...BUCKETS],
    { status: 404, code: 'NoSuchBucket' },
    { ...CREDENTIALS, ...REGION },
    /downloading: there is no such bucket: check --stack, --bucket, and the region/,
  ],
  [
    'a key that is not there',
    ['download', 'inbox/none.txt', ...BUCKETS],
    { status: 404, code: 'NoSuchKey' },
    { ...CREDENTIALS, ...REGION },
    /inbox\/none.txt has no result: give the key of an upload \(dlx-batch status lists them\)/,
  ],
  [
    'a bucket that is denied',
    ['status', ...BUCKETS],
    { status: 403, code: 'AccessDenied' },
    { ...CREDENTIALS, ...REGION },
    /looking at jobs: access is denied: these credentials may not do that/,
  ],
  [
    'credentials that have expired',
    ['status', '--stack', 'S'],
    { status: 403, code: 'ExpiredToken' },
    { ...CREDENTIALS, ...REGION },
    /the AWS credentials have expired: sign in again/,
  ],
  [
    'credentials of nobody',
    ['link', 'inbox/a.txt', '--stack', 'S'],
    { status: 403, code: 'InvalidClientTokenId' },
    { ...CREDENTIALS, ...REGION },
    /the AWS credentials are not accepted: check AWS_PROFILE/,
  ],
  [
    'a clock that is wrong',
    ['status', '--stack', 'S'],
    { status: 403, code: 'RequestTimeTooSkewed' },
    { ...CREDENTIALS, ...REGION },
    /the clock of this machine is wrong/,
  ],
  [
    'one bucket without the other',
    ['status', '--bucket', 'in'],
    undefined,
    {},
    /--bucket and --results-bucket go together/,
  ],
  [
    'an endpoint that is none',
    ['status', '--endpoint', 'nonsense'],
    undefined,
    {},
    /option "--endpoint" is "nonsense": expected a URL/,
  ],
];

describe('in one line that says what to do, people hear of', () => {
  test.each(CASES)('%s', async (_name, args, refusal, environment, message) => {
    const endpoint = refusal && (await refusing(refusal));
    const { status, stdout, stderr } = await runAgainst(args, endpoint, environment);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^dlx-batch: .*\n$/);
    expect([status, stdout]).toEqual([2, '']);
  });

  test('a connection that breaks in every try', async () => {
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, stderr } = await runAgainst(['status', ...BUCKETS], endpoint, {
      ...CREDENTIALS,
      ...REGION,
    });
    expect(stderr).toBe(
      'dlx-batch: looking at jobs: the connection broke, or no answer came in time: check --endpoint, and the network\n',
    );
    expect(status).toBe(2);
  });
});
