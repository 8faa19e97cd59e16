/**
 * From an upload to its results: the deployed bundle in the function host, with EventBridge's events, against an S3.
 *
 * By default that is the embedded server; for any other one run the following, which creates two buckets with new names
 * there and removes them at the end:
 *
 *     S3_ENDPOINT=http://... AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... [AWS_REGION=...] npx vitest run test/end-to-end
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { S3 } from '@aws-sdk/client-s3';
import type { SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import type { LatestPointer } from '../../lib/batch/delivery/latest.ts';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';
import type { DoneMarker } from '../../lib/batch/delivery/status-document.ts';
import { MB_PER_VCPU } from '../../lib/batch/limits.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import type { OptionTexts } from '../../lib/batch/options.ts';
import { FunctionHost } from '../../lib/local/functions/function-host.ts';
import type { ObjectCreated } from '../../lib/local/s3/server.ts';
import { folderWith, runProgram } from '../cli/program.ts';
import { openTarget, type Target } from '../conformance/target.ts';
import { NEVER_MS, temporaryFolder } from '../local/fixture-function.ts';
import { builtProgram, uploadEvent } from '../support/built-program.ts';
import { mismatches } from '../support/manifest-check.ts';
import { sqsEvent } from '../support/message-factory.ts';
import { EASY, HARD, MIXED_FILE, MIXED_OPTIONS, MIXED_STATUSES, SOLUTION } from '../support/puzzles.ts';
import { checkFile } from '../support/result-schemas.ts';
import { jsonLines } from '../support/result-set.ts';

let target: Target;
let s3: S3;
let inputBucket: string;
let resultsBucket: string;
let host: FunctionHost;

beforeAll(async () => {
  target = await openTarget(process.env);
  const { client, endpoint, region, credentials, versionedBucket, plainBucket } = target;
  s3 = client;
  inputBucket = versionedBucket;
  resultsBucket = plainBucket;
  const VersioningConfiguration = { Status: 'Enabled' as const };
  await s3.putBucketVersioning({ Bucket: resultsBucket, VersioningConfiguration });
  const { codeDir } = await builtProgram(temporaryFolder(afterAll));
  host = new FunctionHost({
    configuration: {
      name: 'solve-batch',
      codeDir,
      handler: 'solve-batch.handler',
      // Two vCPUs, so that longer jobs use worker threads.
      memoryMb: 2 * MB_PER_VCPU,
      region,
      credentials,
      environment: {
        AWS_ENDPOINT_URL_S3: endpoint,
        [ENVIRONMENT.resultsBucket]: resultsBucket,
        [ENVIRONMENT.defaultOptions]: '{}',
        [ENVIRONMENT.maxReceives]: '5',
        // Never called, since no message fails.
        [ENVIRONMENT.queueUrl]: 'http://127.0.0.1:1/none',
      },
    },
    timeoutMs: NEVER_MS,
    concurrency: 1,
  });
});

afterAll(async () => {
  await host?.close();
  await target?.close();
});

/** Sequencers increase with each upload, as in S3. */
let uploads = 0;

/** Uploads a file, and returns its event. */
async function upload(
  key: string,
  body: string | Uint8Array,
  options: OptionTexts = {},
): Promise<ObjectCreated> {
  const bytes = Buffer.from(body);
  const versionId = await uploadObject(s3, inputBucket, key, bytes, options);
  const { ETag = '' } = await s3.headObject({ Bucket: inputBucket, Key: key, VersionId: versionId });
  const sequencer = (0x617f08299329d189n + BigInt(++uploads)).toString(16);
  const etag = ETag.replaceAll('"', '');
  return { bucket: inputBucket, key, size: bytes.length, etag, versionId, sequencer, reason: 'PutObject' };
}

/** Delivers the events of uploads in one batch of messages. @returns ids of the messages that failed */
async function deliver(...created: readonly ObjectCreated[]): Promise<string[]> {
  const bodies = created.map((object) => uploadEvent(object));
  const result = await host.invoke(sqsEvent(bodies));
  if (!result.ok) throw new Error(`the function failed: ${JSON.stringify(result.error)}`);
  return (result.payload as SQSBatchResponse).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

async function bytesOf(key: string): Promise<Uint8Array> {
  const { Body } = await s3.getObject({ Bucket: resultsBucket, Key: key });
  const bytes = await (Body as { transformToByteArray(): Promise<Uint8Array> }).transformToByteArray();
  checkFile(key, bytes);
  return bytes;
}

async function textOf(key: string): Promise<string> {
  return Buffer.from(await bytesOf(key)).toString();
}

async function documentOf<Document>(key: string): Promise<Document> {
  return JSON.parse(await textOf(key));
}

async function keysUnder(prefix: string): Promise<string[]> {
  const { Contents = [] } = await s3.listObjectsV2({ Bucket: resultsBucket, Prefix: prefix });
  return Contents.map(({ Key = '' }) => Key);
}

/** The results that `latest.json` of an input refers to. */
async function resultsOf(inputKey: string) {
  const latest = await documentOf<LatestPointer>(`results/${inputKey}/latest.json`);
  const manifest = await documentOf<Manifest>(latest.key);
  const files = new Map<string, Uint8Array>();
  for (const { name, key } of manifest.files) files.set(name, await bytesOf(key!));
  return { latest, manifest, files, text: (name: string) => Buffer.from(files.get(name)!).toString() };
}

describe('a file with every status, and options in its metadata', () => {
  const key = 'inbox/mixed.txt';
  let created: ObjectCreated;
  let failed: string[];
  let results: Awaited<ReturnType<typeof resultsOf>>;
  beforeAll(async () => {
    created = await upload(key, MIXED_FILE, { ...MIXED_OPTIONS, records: 'true' });
    failed = await deliver(created);
    results = await resultsOf(key);
  });

  test('is finished after one delivery', () => {
    expect(failed).toEqual([]);
  });

  test('has result files that match the manifest', () => {
    expect([...results.files.keys()]).toEqual([
      'solutions.txt',
      'exceptions.jsonl',
      'records.jsonl',
      'stats.json',
      'report.html',
    ]);
    expect(mismatches(results.manifest, (name) => results.files.get(name)!)).toEqual([]);
  });

  test('keeps the order of its puzzles', () => {
    expect(jsonLines(results.text('records.jsonl')).map(({ status }) => status)).toEqual(MIXED_STATUSES);
  });

  test('is fully described by the manifest, with its options', () => {
    const { versionId, etag, sequencer, size } = created;
    expect(results.manifest).toMatchObject({
      input: { bucket: inputBucket, key, versionId, etag, sequencer, bytes: size },
      options: { 'max-nodes': 5, records: true },
      reproducible: true,
    });
  });

  test('has a done marker for its version, and a status', async () => {
    const { jobId } = results.latest;
    const done = await documentOf<DoneMarker>(`done/${key}/${created.versionId}`);
    expect(done).toMatchObject({
      schema: 'dlx-batch/done@1',
      jobId,
      outcome: 'completed',
      puzzles: { total: 7 },
    });
    expect(await documentOf(`status/${key}/${jobId}.json`)).toMatchObject({ state: 'done', jobId });
  });

  test('has byte-identical solutions and exceptions from the command line', async () => {
    const folder = folderWith({ 'mixed.txt': MIXED_FILE });
    await runProgram(folder, ['solve', '-o', 'out', '--max-nodes', '5', 'mixed.txt']);
    for (const name of ['solutions.txt', 'exceptions.jsonl']) {
      expect(readFileSync(join(folder, 'out/mixed.txt', name), 'utf8')).toBe(results.text(name));
    }
  });

  test('delivered again changes nothing: one attempt, the same manifest', async () => {
    const folder = results.latest.key.replace(/manifest\.json$/, '');
    const before = await keysUnder(folder);
    expect(await deliver(created, created)).toEqual([]);
    expect(await keysUnder(folder)).toEqual(before);
    expect((await resultsOf(key)).manifest).toEqual(results.manifest);
  });
});

test.each([
  ['a gzip file with any name', 'inbox/packed.txt', gzipSync(`${EASY}\n`)],
  ['a file whose key has a plus, a space and a percent sign', 'inbox/a+b %20.txt', Buffer.from(`${EASY}\n`)],
])('%s is solved', async (_name, key, body) => {
  expect(await deliver(await upload(key, body))).toEqual([]);
  const { text, latest } = await resultsOf(key);
  expect([text('solutions.txt'), latest.input.key]).toEqual([`${SOLUTION}\n`, key]);
});

test('the newer of two versions of a key stays the latest, in any order of delivery', async () => {
  const key = 'inbox/twice.txt';
  const older = await upload(key, EASY);
  const newer = await upload(key, `${EASY}\n${EASY}\n`);
  expect(await deliver(newer)).toEqual([]);
  expect(await deliver(older)).toEqual([]);
  const { latest, manifest } = await resultsOf(key);
  expect([latest.input.versionId, manifest.puzzles.total]).toEqual([newer.versionId, 2]);
  expect(await keysUnder(`done/${key}/`)).toHaveLength(2);
});

test('a longer file is solved on both vCPUs, in input order', async () => {
  const key = 'inbox/many.txt';
  const lines = Array.from({ length: 4000 }, (_, k) => (k % 2 === 0 ? HARD : EASY));
  const created = await upload(key, `${lines.join('\n')}\n`);
  expect(await deliver(created)).toEqual([]);
  const { files } = await documentOf<LatestPointer>(`results/${key}/latest.json`);
  const text = async (name: string) => textOf(files.find((file) => file.name === name)!.key!);
  expect(JSON.parse(await text('stats.json'))).toMatchObject({
    puzzles: { total: 4000, solved: 4000 },
    engine: { workers: 2 },
  });
  const solutions = (await text('solutions.txt')).trimEnd().split('\n');
  expect(solutions.filter((line) => line === SOLUTION)).toHaveLength(2000);
  expect(solutions.every((line, k) => (line === SOLUTION) === (k % 2 === 1))).toBe(true);
});
