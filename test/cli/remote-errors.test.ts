/**
 * Frequent AWS errors: each is reported in one line with advice. A small server on this machine plays AWS.
 * `foreign-servers.nightly.test.ts` has those that every command may meet.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EASY } from '../support/puzzles.ts';
import { folderWith, runProgram } from './program.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server that answers every request with the same error, in the form of S3 or of the query protocol. */
async function startErrorServer({ status, code, message = '', headers = {} }: ErrorAnswer): Promise<string> {
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

/** Runs a command against a server; without one, no AWS service is reachable. */
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
  error: ErrorAnswer | undefined,
  environment: Readonly<Record<string, string>>,
  message: RegExp,
])[] = [
  [
    'no credentials',
    ['upload', 'a.txt', ...BUCKETS],
    undefined,
    REGION,
    /no AWS credentials found: set AWS_PROFILE/,
  ],
  [
    'no credentials, and a stack',
    ['status'],
    undefined,
    REGION,
    /reading the stack DlxBatch from CloudFormation: no AWS credentials found/,
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
    /estimating s3:\/\/in\/a.txt: no AWS credentials found/,
  ],
  [
    'no access to an object to estimate',
    ['estimate', 's3://in/a.txt'],
    { status: 403, code: 'AccessDenied' },
    { ...CREDENTIALS, ...REGION },
    /estimating s3:\/\/in\/a.txt: access denied/,
  ],
  [
    'no such stack',
    ['upload', 'a.txt', '--stack', 'Nope'],
    { status: 400, code: 'ValidationError', message: 'Stack with id Nope does not exist' },
    { ...CREDENTIALS, ...REGION },
    /reading the stack Nope from CloudFormation: no such stack in this region and account: give its name with --stack/,
  ],
  [
    'buckets without a queue',
    ['retry', 'inbox/a.txt', ...BUCKETS],
    undefined,
    { ...CREDENTIALS, ...REGION },
    /--bucket does not name the stack's QueueUrl: also give --stack/,
  ],
  [
    'a bucket in another region',
    ['upload', 'a.txt', ...BUCKETS],
    { status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'us-west-2' } },
    { ...CREDENTIALS, ...REGION },
    /uploading a.txt: the bucket is in another region: set AWS_REGION=us-west-2/,
  ],
  [
    'an unknown bucket',
    ['download', 'inbox/a.txt', ...BUCKETS],
    { status: 404, code: 'NoSuchBucket' },
    { ...CREDENTIALS, ...REGION },
    /downloading inbox\/a.txt: the bucket does not exist: check --stack, --bucket, and the region/,
  ],
  [
    'an unknown key',
    ['download', 'inbox/none.txt', ...BUCKETS],
    { status: 404, code: 'NoSuchKey' },
    { ...CREDENTIALS, ...REGION },
    /inbox\/none.txt has no result: give the key of an upload \(see dlx-batch status --bucket in --results-bucket out\)/,
  ],
  [
    'no access to a bucket',
    ['status', ...BUCKETS],
    { status: 403, code: 'AccessDenied' },
    { ...CREDENTIALS, ...REGION },
    /reading jobs: access denied: these credentials lack the permission/,
  ],
  [
    'unknown credentials',
    ['link', 'inbox/a.txt', '--stack', 'S'],
    { status: 403, code: 'InvalidClientTokenId' },
    { ...CREDENTIALS, ...REGION },
    /AWS does not accept the credentials: check AWS_PROFILE/,
  ],
];

describe('an error is reported in one line with advice', () => {
  test.each(CASES)('%s', async (_name, args, error, environment, message) => {
    const endpoint = error && (await startErrorServer(error));
    const { status, stdout, stderr } = await runAgainst(args, endpoint, environment);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^dlx-batch: .*\n$/);
    expect([status, stdout]).toEqual([2, '']);
  });
});
