/** Uploads whose responses are lost: no upload makes two versions, and no parts are left silently. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Retries } from '../../lib/aws/retries.ts';
import { TIMEOUTS } from '../../lib/aws/timeouts.ts';
import { PartsLeftError, type UploadSettings, uploadObject } from '../../lib/aws/upload-object.ts';
import { INPUT_BUCKET } from '../support/dependencies.ts';
import { startEmbeddedS3 } from '../support/embedded-s3.ts';
import { type FateOf, startFaultyProxy } from '../support/faulty-proxy.ts';
import { type Answer, scriptedServer } from '../support/scripted-server.ts';
import { clientAt } from './client-at.ts';

const FAST = { forMs: 2_000, firstDelayMs: 5, maxDelayMs: 20 };
const PART = 8 * 2 ** 20;

/** An upload to an embedded S3, through a proxy with these fates, and the versions after late requests have arrived. */
async function uploadThrough(fateOf: FateOf, body: Uint8Array, replaced: Uint8Array = body) {
  const embedded = await startEmbeddedS3();
  onTestFinished(() => embedded.stop());
  await embedded.s3.putObject({ Bucket: INPUT_BUCKET, Key: 'a', Body: replaced });
  const proxy = await startFaultyProxy(embedded.endpoint, 1, fateOf);
  onTestFinished(() => proxy.close());
  const retries = new Retries(FAST);
  const s3 = clientAt(proxy.endpoint, TIMEOUTS, retries);
  const uploaded = await uploadObject(s3, INPUT_BUCKET, 'a', body, {}, { retries, token: 't' });
  await sleep(200);
  const { Versions = [] } = await embedded.s3.listObjectVersions({ Bucket: INPUT_BUCKET });
  return { uploaded, versions: Versions.map(({ VersionId }) => VersionId), fates: proxy.fates };
}

/** The first matching request has this fate. */
function first(fate: ReturnType<FateOf>, pattern: RegExp): FateOf {
  let isPast = false;
  return (line) => {
    if (isPast || !pattern.test(line)) return 'good';
    isPast = true;
    return fate;
  };
}

describe('an upload of the same bytes as before', () => {
  it.each(['lose', 'cut', 'cut-request', 'refuse', 'overload'] as const)(
    'makes one version if the fate of its PUT is: %s',
    async (fate) => {
      const { uploaded, versions } = await uploadThrough(first(fate, /^PUT/), Buffer.from('x'));
      expect(versions).toHaveLength(2);
      expect(versions[0]).toBe(uploaded);
    },
  );

  it.each(['lose', 'overload'] as const)(
    'in parts makes one version if the fate of its completion is: %s',
    async (fate) => {
      const { uploaded, versions, fates } = await uploadThrough(
        first(fate, /^POST .*uploadId/),
        new Uint8Array(PART + 1),
      );
      expect(versions).toHaveLength(2);
      expect(versions[0]).toBe(uploaded);
      expect(fates.filter((line) => /PUT .*partNumber=1/.test(line))).toHaveLength(1);
    },
  );
});

it('of other bytes makes one version if its PUT arrives again later', async () => {
  const { uploaded, versions } = await uploadThrough(
    first('late', /^PUT/),
    Buffer.from('x'),
    Buffer.from('y'),
  );
  expect(versions).toHaveLength(2);
  expect(versions[0]).toBe(uploaded);
});

/** A server with uploads in parts: the first response to Create is lost. */
function partsServer(complete: Answer): Promise<Awaited<ReturnType<typeof scriptedServer>>> {
  let created = 0;
  return scriptedServer((response, request) => {
    const url = new URL(request.url!, 'http://x');
    const has = (name: string) => url.searchParams.has(name);
    request.resume().once('end', () => {
      response.setHeader('etag', '"e"');
      if (request.method === 'HEAD') response.writeHead(404).end();
      else if (request.method === 'DELETE') complete(response, request);
      else if (request.method === 'PUT') response.end();
      else if (request.method === 'POST' && has('uploadId')) complete(response, request);
      else if (request.method === 'POST') {
        if (created++ === 0) response.destroy();
        else
          response.end(
            '<InitiateMultipartUploadResult><UploadId>own</UploadId></InitiateMultipartUploadResult>',
          );
      }
    });
  });
}

describe('an upload in parts', () => {
  const upload = (endpoint: string, settings: UploadSettings = {}) => {
    const retries = new Retries({ ...FAST, forMs: 300 });
    const s3 = clientAt(endpoint, TIMEOUTS, retries);
    const body = new Uint8Array(PART + 1);
    return uploadObject(s3, 'in', 'a', body, {}, { retries, token: 't', ...settings });
  };

  it('reports its parts if they cannot be removed', async () => {
    const server = await partsServer((response) => response.writeHead(503).end());
    const error = await upload(server.endpoint).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartsLeftError);
    expect(error).toMatchObject({ bucket: 'in', uploadId: 'own' });
  });
});
