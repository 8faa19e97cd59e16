/** Servers that stall, with short timeouts. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sqsClient, sqsQueue } from '../../lib/aws/sqs-queue.ts';
import { stackOutputs } from '../../lib/aws/stack-outputs.ts';
import { sfnClient, stepFunctions } from '../../lib/aws/step-functions.ts';
import { TIMEOUTS, type Timeouts } from '../../lib/aws/timeouts.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../lib/batch/limits.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { bytesOf, collected } from '../support/collected.ts';
import { CREDENTIALS, REGION } from '../support/embedded-s3.ts';
import {
  type Answer,
  objectAnswer,
  SILENCE,
  scriptedServer,
  scriptedTlsServer,
} from '../support/scripted-server.ts';
import { storeAt } from './client-at.ts';

const SHORT: Timeouts = { connectMs: 300, responseMs: 400, idleMs: 600, copyMs: 2_500 };
/** Longer than all timeouts except `copyMs`. */
const LONG_MS = 1_000;
/** Tries of the SDK. */
const TRIES = 3;
const TYPE = 'text/plain';
const OBJECT = Uint8Array.from({ length: 200_000 }, (_, k) => (k * 7 + (k >> 8)) & 255);
const TIMEOUT_ERROR = { name: 'TimeoutError' };

const OK: Answer = (response, request) => request.resume().on('end', () => response.end());
const UNREAD: Answer = (_, request) => void request.resume();

function late(answer: Answer): Answer {
  return (response, request) => void setTimeout(() => answer(response, request), LONG_MS);
}

const rangesOf = ({ requests }: Awaited<ReturnType<typeof scriptedServer>>) =>
  requests.map(({ headers }) => headers.range);

describe('a server that does not respond', () => {
  it('is sent the request again', async () => {
    const server = await scriptedServer(SILENCE, objectAnswer(OBJECT));
    expect(await storeAt(server.endpoint, SHORT).head('b', 'a')).toMatchObject({ size: OBJECT.length });
    expect(server.requests).toHaveLength(2);
  });

  it('makes every call throw after the last try', async () => {
    const storeCalls: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
      HeadObject: (store) => store.head('b', 'a'),
      GetObject: (store) => store.get('b', 'a'),
      DeleteObject: (store) => store.delete('b', 'a'),
      PutObject: (store) => store.put('b', 'a', OBJECT, TYPE),
      CreateMultipartUpload: (store) => store.beginJoin('b', 'a', TYPE),
      UploadPart: (store) => store.joinPart({ bucket: 'b', key: 'a', joinId: 'j' }, 1, OBJECT),
    };
    const others: Readonly<Record<string, (endpoint: string) => Promise<unknown>>> = {
      SQS: (endpoint) => sqsQueue(`${endpoint}/1/q`, sqsClient(SHORT)).send(['{}']),
      SFN: () => stepFunctions('arn:x:stateMachine:m', sfnClient(SHORT)).start('a', '{}'),
      CLOUDFORMATION: () => stackOutputs('DlxBatch', SHORT),
    };
    const calls = [
      ...Object.entries(storeCalls).map(
        ([name, call]) => [name, (endpoint: string) => call(storeAt(endpoint, SHORT))] as const,
      ),
      ...Object.entries(others),
    ];
    const outcomes = await Promise.all(
      calls.map(async ([name, call]) => {
        const server = await scriptedServer(UNREAD);
        stubEnvironment(name, server.endpoint);
        const error = await call(server.endpoint).catch((thrown: Error) => thrown);
        const { name: kind, message } = error as Error;
        return { name, kind, limit: /\d+ ms/.exec(message)?.[0], tries: server.requests.length };
      }),
    );
    const limitOf = (name: string) => (['PutObject', 'UploadPart'].includes(name) ? '600 ms' : '400 ms');
    expect(outcomes).toEqual(
      calls.map(([name]) => ({ name, kind: 'TimeoutError', limit: limitOf(name), tries: TRIES })),
    );
  });

  it('is sent an upload again', async () => {
    const server = await scriptedServer(UNREAD, OK);
    // Large enough for the SDK to wait for "100 Continue".
    await storeAt(server.endpoint, SHORT).put('b', 'a', new Uint8Array(3 * 2 ** 20), TYPE);
    expect(server.requests.map(({ headers }) => headers.expect)).toEqual(['100-continue', '100-continue']);
  });

  it('has more time for copying and joining', async () => {
    const completed: Answer = (response) => response.end('<CompleteMultipartUploadResult/>');
    const parts: Answer = (response) =>
      response.end(
        '<ListPartsResult><Part><PartNumber>1</PartNumber><ETag>"e"</ETag></Part></ListPartsResult>',
      );
    const copied: Answer = (response) => response.end('<CopyRecordsPart><ETag>"e"</ETag></CopyRecordsPart>');
    const server = await scriptedServer(late(copied), parts, late(completed));
    const store = storeAt(server.endpoint, SHORT);
    const target = { bucket: 'b', key: 'a', joinId: 'j' };
    await store.joinPart(target, 1, { bucket: 'b', key: 'piece', from: 0, to: 10 });
    await store.completeJoin(target, 1);
    expect(server.requests.map(({ line }) => line.split('?')[0])).toEqual([
      'PUT /b/a',
      'GET /b/a',
      'POST /b/a',
    ]);
  });

  it('has a limited time for copying', async () => {
    const server = await scriptedServer(SILENCE);
    const store = storeAt(server.endpoint, { ...SHORT, copyMs: 500 });
    const piece = { bucket: 'b', key: 'piece', from: 0, to: 10 };
    const joined = store.joinPart({ bucket: 'b', key: 'a', joinId: 'j' }, 1, piece);
    await expect(joined).rejects.toMatchObject(TIMEOUT_ERROR);
    expect(server.requests).toHaveLength(TRIES);
  });
});

describe('a server that does not accept connections', () => {
  it('makes a call throw', async () => {
    const store = storeAt(await deafServer(), SHORT);
    await expect(store.head('b', 'a')).rejects.toThrow(/did not establish a connection.* 300 ms/);
  });
});

describe('a body', () => {
  it('that stalls is resumed after its last byte', async () => {
    const server = await scriptedServer(objectAnswer(OBJECT, 70_000), objectAnswer(OBJECT));
    const store = storeAt(server.endpoint, { ...SHORT, copyMs: 60_000 });
    expect((await bytesOf((await store.get('b', 'a'))!.body)).equals(OBJECT)).toBe(true);
    expect(rangesOf(server)).toEqual([undefined, 'bytes=70000-199999']);
  });

  it('that stalls repeatedly at the same byte throws', async () => {
    const server = await scriptedServer(objectAnswer(OBJECT, 70_000), objectAnswer(OBJECT, 0));
    const object = await storeAt(server.endpoint, SHORT).get('b', 'a');
    await expect(bytesOf(object!.body)).rejects.toMatchObject(TIMEOUT_ERROR);
    expect(new Set(rangesOf(server).slice(1))).toEqual(new Set(['bytes=70000-199999']));
  });

  it('that is slow does not time out', async () => {
    const server = await scriptedServer(async (response) => {
      response.writeHead(200, { 'content-length': OBJECT.length, etag: '"e"' });
      for (let at = 0; at < OBJECT.length; at += 10_000) {
        response.write(OBJECT.subarray(at, at + 10_000));
        await sleep(60);
      }
    });
    expect((await bytesOf((await storeAt(server.endpoint, SHORT).get('b', 'a'))!.body)).equals(OBJECT)).toBe(
      true,
    );
    expect(server.requests).toHaveLength(1);
  });

  it('does not time out while its reader pauses', async () => {
    const large = new Uint8Array(32 * 2 ** 20);
    const server = await scriptedServer(objectAnswer(large));
    const object = await storeAt(server.endpoint, SHORT).get('b', 'a');
    let bytes = 0;
    for await (const piece of object!.body) {
      if (bytes === 0) await sleep(LONG_MS);
      bytes += piece.length;
    }
    expect(bytes).toBe(large.length);
    expect(server.requests).toHaveLength(1);
  });

  it('does not time out if its thread computes while bytes arrive', async () => {
    const sent = Promise.withResolvers<void>();
    const server = await scriptedServer((response) => {
      response.writeHead(200, { 'content-length': OBJECT.length, etag: '"e"' });
      response.write(OBJECT.subarray(0, 1000));
      sent.promise.then(() => response.end(OBJECT.subarray(1000)));
    });
    const object = await storeAt(server.endpoint, SHORT).get('b', 'a');
    const iterator = object!.body[Symbol.asyncIterator]();
    let bytes = (await iterator.next()).value!.length;
    const next = iterator.next();
    sent.resolve();
    // The bytes are in the socket's buffer before this turn of the event loop ends.
    await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS);
    for (let got = await next; got.done !== true; got = await iterator.next()) bytes += got.value.length;
    expect(bytes).toBe(OBJECT.length);
    expect(server.requests).toHaveLength(1);
  });

  it('of a listing that stalls is requested again', async () => {
    const listing =
      '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>';
    const server = await scriptedServer(
      (response) => response.write(listing.slice(0, 40)),
      (response) => response.end(listing),
    );
    expect(await collected(storeAt(server.endpoint, SHORT).list('b', ''))).toEqual(['a']);
    expect(server.requests).toHaveLength(2);
  });
});

describe('an upload', () => {
  it.each([
    { name: 'plain', listen: scriptedServer },
    { name: 'encrypted', listen: scriptedTlsServer },
  ])('over a slow $name connection does not time out while bytes are sent', async ({ listen }) => {
    const size = 48 * 2 ** 20;
    // The system's buffers drain in less than `idleMs`, the whole upload takes much longer.
    const bytesPerMs = 32 * 1024;
    const begun = performance.now();
    let received = 0;
    const server = await listen(async (response, request) => {
      for await (const bytes of request) {
        received += bytes.length;
        await sleep(Math.max(0, begun + received / bytesPerMs - performance.now()));
      }
      response.end();
    });
    await storeAt(server.endpoint, SHORT).put('b', 'a', new Uint8Array(size), TYPE);
    expect(performance.now() - begun).toBeGreaterThan(2 * SHORT.idleMs);
    expect(received).toBe(size);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the default timeouts', () => {
  it('let all tries end before the timeout of a function', () => {
    expect(TRIES * TIMEOUTS.responseMs).toBeLessThanOrEqual(60_000);
    expect(TRIES * TIMEOUTS.copyMs).toBeLessThan(DEFAULT_TIMEOUT_SECONDS * 1000);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Sets the endpoint of a service for clients from the environment. */
function stubEnvironment(service: string, endpoint: string): void {
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  vi.stubEnv('AWS_REGION', REGION);
  vi.stubEnv('AWS_ACCESS_KEY_ID', CREDENTIALS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secretAccessKey);
}

/** A port whose queue of connections is full: its thread listens and accepts none. */
async function deafServer(): Promise<string> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen(0, '127.0.0.1', 1, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await worker.terminate();
  });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  for (;;) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    const isConnected = new Promise((resolve) => socket.once('connect', () => resolve(true)));
    if (!(await Promise.race([isConnected, sleep(200, false)]))) return `http://127.0.0.1:${port}`;
  }
}
