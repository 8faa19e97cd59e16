import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Storage } from '../../../lib/local/s3/storage.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { objectText } from './object-text.ts';
import { openRaw } from './raw-request.ts';
import { countDataFiles, startTestServer } from './test-server.ts';
import { BUCKET, PLAIN_BUCKET, TEST_CREDENTIALS } from './test-server-names.ts';

describe('after a restart', () => {
  test('versions, markers, their order, headers and bytes are unchanged', async () => {
    const server = await startTestServer();
    const { client } = server;
    const put = (Bucket: string, Key: string, Body: string) =>
      client.putObject({ Bucket, Key, Body, Metadata: { text: Body }, ContentType: 'text/x' });
    await put(BUCKET, 'a', 'one');
    await put(BUCKET, 'b\u2028\n"\\', 'other');
    await put(BUCKET, 'a', 'two');
    await client.deleteObject({ Bucket: BUCKET, Key: 'a' });
    await put(BUCKET, 'a', 'three');
    const { VersionId } = await put(BUCKET, 'a', 'removed');
    await client.deleteObject({ Bucket: BUCKET, Key: 'a', VersionId });
    await put(PLAIN_BUCKET, 'a', 'overwritten');
    await put(PLAIN_BUCKET, 'a', 'plain');
    const readAll = async () => {
      const { Versions, DeleteMarkers } = await client.listObjectVersions({
        Bucket: BUCKET,
        EncodingType: 'url',
      });
      const { Body, ...got } = await client.getObject({ Bucket: PLAIN_BUCKET, Key: 'a' });
      const text = await Body?.transformToString();
      return { Versions, DeleteMarkers, text, ...got, $metadata: undefined };
    };
    const before = await readAll();
    expect(before.Versions).toHaveLength(4);
    await server.restart();
    expect(await readAll()).toEqual(before);
    expect(await countDataFiles(server.dataDir)).toBe(5);
  });

  test('a bucket that a client created has its versioning, and versions from before it keep the id null', async () => {
    const server = await startTestServer();
    const Bucket = 'made-by-a-client';
    await server.client.createBucket({ Bucket });
    await server.client.putObject({ Bucket, Key: 'a', Body: 'before' });
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await server.client.putBucketVersioning({ Bucket, VersioningConfiguration });
    const { VersionId } = await server.client.putObject({ Bucket, Key: 'a', Body: 'after' });
    await server.restart();
    const { Status } = await server.client.getBucketVersioning({ Bucket });
    const { Versions } = await server.client.listObjectVersions({ Bucket });
    expect([Status, Versions?.map((version) => version.VersionId)]).toEqual(['Enabled', [VersionId, 'null']]);
    expect(await objectText(server.client, { Bucket, Key: 'a', VersionId: 'null' })).toBe('before');
  });

  test('an unfinished upload can continue', async () => {
    const server = await startTestServer();
    const upload = { Bucket: BUCKET, Key: 'a' };
    const { UploadId } = await server.client.createMultipartUpload({ ...upload, ContentType: 'text/x' });
    const { ETag } = await server.client.uploadPart({ ...upload, UploadId, PartNumber: 3, Body: 'part' });
    await server.restart();
    const { Parts } = await server.client.listParts({ ...upload, UploadId });
    expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([[3, 4]]);
    const listed = [{ PartNumber: 3, ETag }];
    await server.client.completeMultipartUpload({ ...upload, UploadId, MultipartUpload: { Parts: listed } });
    const { Body, ContentType } = await server.client.getObject(upload);
    expect(await Body?.transformToString()).toBe('part');
    expect(ContentType).toBe('text/x');
  });
});

describe('a server that is killed', () => {
  /** A server in its own process. */
  const startProcess = async (dataDir: string) => {
    const child = fork(join(import.meta.dirname, 'server-process.ts'), [dataDir], { execArgv: [] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [endpoint] = (await once(child, 'message')) as [string];
    return { child, endpoint, ...TEST_CREDENTIALS };
  };
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  test('while it receives a body keeps all acknowledged writes, and nothing of that body', async () => {
    const dataDir = temporaryFolder();
    const { child, ...killed } = await startProcess(dataDir);
    const { region, ...credentials } = TEST_CREDENTIALS;
    const client = new S3({ endpoint: killed.endpoint, region, credentials, forcePathStyle: true });
    onTestFinished(() => client.destroy());
    for (const Key of ['a', 'b', 'a']) await client.putObject({ Bucket: BUCKET, Key, Body: Key });
    const opened = openRaw(killed, {
      method: 'PUT',
      path: `/${BUCKET}/cut`,
      headers: { 'content-length': '2000000', expect: '100-continue' },
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    opened.on('error', () => {});
    opened.flushHeaders();
    await once(opened, 'continue');
    await new Promise((resolve) => opened.write(Buffer.alloc(1_000_000), resolve));
    await kill(child);

    const server = await startTestServer({ dataDir });
    const { Versions = [] } = await server.client.listObjectVersions({ Bucket: BUCKET });
    expect(Versions.map(({ Key }) => Key)).toEqual(['a', 'a', 'b']);
    expect(await countDataFiles(dataDir)).toBe(3);
  });

  test('unlocks its folder only when it ends', async () => {
    const dataDir = temporaryFolder();
    const { child } = await startProcess(dataDir);
    await expect(startTestServer({ dataDir })).rejects.toThrow(`is in use by process ${child.pid}`);
    await kill(child);
    await expect(startTestServer({ dataDir })).resolves.toBeDefined();
    await expect(startTestServer({ dataDir })).rejects.toThrow(`is in use by process ${process.pid}`);
  });
});

describe('a journal', () => {
  const stoppedServer = async () => {
    const server = await startTestServer();
    for (const Key of ['a', 'b']) await server.client.putObject({ Bucket: PLAIN_BUCKET, Key, Body: Key });
    await server.stop();
    return { server, path: join(server.dataDir, 'journal.jsonl') };
  };

  test('whose last line is truncated loses only that change', async () => {
    const { server, path } = await stoppedServer();
    await appendFile(path, '{"op":"remove","bucket":"plain-bucket","ke');
    await server.restart();
    for (const Key of ['a', 'b']) {
      expect(await objectText(server.client, { Bucket: PLAIN_BUCKET, Key })).toBe(Key);
    }
    await server.restart();
  });

  test('that is damaged in the middle is reported with its line, and not overwritten', async () => {
    const { server, path } = await stoppedServer();
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines[4] = lines[4].slice(0, 10);
    await writeFile(path, lines.join('\n'));
    await expect(server.restart()).rejects.toThrow(`${path}, line 5:`);
    expect(await readFile(path, 'utf8')).toBe(lines.join('\n'));
  });

  test('of another program is not overwritten', async () => {
    const { server, path } = await stoppedServer();
    await writeFile(path, '{"schema":"other"}\n');
    await expect(server.restart()).rejects.toThrow('is not a journal of this server');
    expect(await readFile(path, 'utf8')).toBe('{"schema":"other"}\n');
  });

  test('of which most lines no longer matter is rewritten to the current state', async () => {
    const { server, path } = await stoppedServer();
    const storage = await Storage.open(server.dataDir, () => {});
    const version = { bytes: 0, etag: '', files: [], system: {}, metadata: {} };
    for (let round = 0; round < 1000; round++) storage.put(PLAIN_BUCKET, 'a', version);
    storage.close();
    await server.restart();
    await server.stop();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    // The sequence, two buckets, versioning of one of them, two objects.
    expect(lines).toHaveLength(6);
  });
});
