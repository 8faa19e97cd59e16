/** smoke against storage without a stack, or storage that is none: what fails says so, and everything is removed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keyVersions } from '../../../../lib/aws/object-versions.ts';
import type { S3Client } from '../../../../lib/aws/s3-client.ts';
import { s3Store } from '../../../../lib/aws/s3-store.ts';
import type { MessageQueue, ObjectStore } from '../../../../lib/batch/ports.ts';
import type { Connection } from '../../../../lib/cli/remote/connection.ts';
import { checkEvent, uploadKnown } from '../../../../lib/cli/remote/smoke/checks/known.ts';
import { checkPicture } from '../../../../lib/cli/remote/smoke/checks/options.ts';
import { checkRaces } from '../../../../lib/cli/remote/smoke/checks/races.ts';
import { removeObjects } from '../../../../lib/cli/remote/smoke/smoke-objects.ts';
import { smokeSettings } from '../../../../lib/cli/remote/smoke/smoke-settings.ts';
import { SmokeStack } from '../../../../lib/cli/remote/smoke/smoke-stack.ts';
import type { Finding } from '../../../../lib/cli/terminal/finding.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../../support/dependencies.ts';
import { CREDENTIALS, type EmbeddedS3, REGION, startEmbeddedS3 } from '../../../support/embedded-s3.ts';
import { MemoryBuckets } from '../../../support/memory-store.ts';
import { folderWith, runProgram } from '../../program.ts';
import { memoryConnection } from '../memory-connection.ts';

const ID = 'smoke-2026-11-22T09-00-00Z-1a2b3c';
const SETTINGS = { ...smokeSettings };
const NO_QUEUE: MessageQueue = { send: async () => [] };

let embedded: EmbeddedS3;

beforeAll(async () => {
  embedded = await startEmbeddedS3();
  for (const name of Object.keys(smokeSettings)) {
    if (name.endsWith('Seconds')) Object.assign(smokeSettings, { [name]: 0.01 });
  }
});
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', CREDENTIALS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secretAccessKey);
  vi.stubEnv('AWS_REGION', REGION);
  return () => vi.unstubAllEnvs();
});
afterAll(async () => {
  Object.assign(smokeSettings, SETTINGS);
  await embedded.stop();
});

async function leftKeys(): Promise<string[]> {
  const buckets = [INPUT_BUCKET, RESULTS_BUCKET];
  const left = await Promise.all(buckets.map((bucket) => keyVersions(embedded.s3, bucket, '')));
  return left.flat().map(({ key }) => key);
}

/** A connection to the embedded S3. @param changes of its client */
function connection(changes: Partial<S3Client> = {}): Connection {
  const { s3 } = embedded;
  const changed: S3Client = Object.assign(Object.create(s3), changes);
  return { ...memoryConnection(new MemoryBuckets()), s3: changed, store: s3Store(s3) };
}

test('without a stack every check but that of the storage fails, and everything is removed', async () => {
  const folder = folderWith({});
  const buckets = ['--bucket', INPUT_BUCKET, '--results-bucket', RESULTS_BUCKET];
  const args = ['smoke', '--endpoint', embedded.endpoint, ...buckets, '--retry-for', '0s', '--json'];
  const { status, stdout, stderr } = await runProgram(folder, args);
  expect([status, stderr]).toEqual([1, '']);
  const report = JSON.parse(stdout);
  expect(JSON.parse(readFileSync(join(folder, 'smoke.json'), 'utf8'))).toEqual(report);
  const { id, counts }: { id: string; counts: object } = report;
  const findings: readonly Finding[] = report.findings;
  const noService = expect.stringMatching(/^a request failed: the server answered 400, but not as S3 does/);
  const notChecked = 'not checked, as the upload that it needs has no result';
  expect(findings.map((finding) => [finding.check, finding.status, finding.text])).toEqual([
    ['event', 'FAIL', noService],
    ['known puzzles', 'FAIL', `inbox/${id}/known.txt has no result after 0.01 s`],
    ['rejected picture', 'FAIL', noService],
    ['odd keys and options', 'FAIL', noService],
    ['conditional writes', 'ok', expect.any(String)],
    ['link', 'warn', notChecked],
    ['duplicate message', 'warn', notChecked],
    ['failed attempt', 'FAIL', noService],
    ['bulk run', 'FAIL', noService],
    ['large file', 'FAIL', noService],
    ['measurements', 'warn', notChecked],
    [
      'removal',
      'FAIL',
      expect.stringMatching(/^1\d jobs had no outcome, and may write again: .* and 1\d more$/),
    ],
  ]);
  expect(counts).toEqual({ ok: 1, warn: 3, FAIL: 8 });
  expect(findings.every((each) => (each.todo === undefined) === (each.status === 'ok'))).toBe(true);
  expect(await leftKeys()).toEqual([]);
}, 120_000);

test('without an event, the first upload and all later ones are sent to the queue', async () => {
  const keys: string[] = [];
  const queue: MessageQueue = {
    async send(bodies) {
      for (const body of bodies) keys.push(JSON.parse(body).detail.object.key);
      return [];
    },
  };
  const stack = new SmokeStack(ID, connection(), queue, undefined as never);
  const { finding } = await checkEvent(stack, await uploadKnown(stack));
  expect(finding).toMatchObject({ check: 'event', status: 'warn' });
  await expect(checkPicture(stack)).rejects.toThrow('has no result after 0.01 s');
  expect(keys).toEqual([`inbox/${ID}/known.txt`, `inbox/${ID}/picture.png`]);
  await removeObjects(connection(), ID, [], '');
});

test('storage that ignores conditions of writes fails the races', async () => {
  const memory = memoryConnection(new MemoryBuckets());
  const putIf: ObjectStore['putIf'] = async (bucket, key, body, contentType) => {
    await memory.store.put(bucket, key, body, contentType);
    return { written: true, etag: '' };
  };
  Object.assign(memory.store, { putIf });
  const stack = new SmokeStack(ID, memory, NO_QUEUE, undefined as never);
  expect(await checkRaces(stack)).toMatchObject({ status: 'FAIL', text: '8 of 8 writers won a race' });
});

test('a removal that is refused names what is left and the command that removes it', async () => {
  const stack = new SmokeStack(ID, connection(), NO_QUEUE, undefined as never);
  await uploadKnown(stack);
  const denied = Object.assign(new Error('denied'), {
    name: 'AccessDenied',
    $metadata: { httpStatusCode: 403 },
  });
  const refusing = connection({ deleteObject: (() => Promise.reject(denied)) as S3Client['deleteObject'] });
  const { status, text, todo } = await removeObjects(refusing, ID, [], 'dlx-batch smoke --remove x');
  expect(status).toBe('FAIL');
  expect(text).toContain(
    `${ID} in their keys are left (removing s3://${INPUT_BUCKET}/inbox/${ID}/: access denied`,
  );
  expect(todo).toBe('to remove them: dlx-batch smoke --remove x');
  expect(await removeObjects(connection(), ID, [], '')).toMatchObject({ status: 'ok' });
  expect(await leftKeys()).toEqual([]);
});
