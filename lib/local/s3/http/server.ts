/**
 * An S3 for this machine, on Node alone: the operations that the project uses, answered as S3 answers them, and
 * 501 for all others. Objects, versions and uploads stay in a folder and are there again after a restart.
 *
 * ```
 * request -> request.ts      path, query, headers
 *         -> signature.ts    who asks
 *         -> operations.ts   what for
 *         -> storage.ts      read, or change
 *         -> exchange.ts     answer
 * ```
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkBucketName } from '../operations/bucket-operations.ts';
import type { CreationReason, OperationSettings, S3Response } from '../operations/operation.ts';
import { findOperation } from '../operations/operation-table.ts';
import { formBoundary, type PostCall, postObject } from '../operations/post-object.ts';
import type { Bucket, StoredVersion } from '../storage/catalog.ts';
import { Storage } from '../storage/storage.ts';
import { sequencerOf } from '../storage/versions.ts';
import { type SigningCredentials, verifySignature } from './auth/signature.ts';
import { RequestBody } from './body/request-body.ts';
import { S3Error } from './errors.ts';
import { Exchange, errorResponse } from './exchange.ts';
import { parseRequest } from './request.ts';

/** An object that is there now. */
export interface ObjectCreated {
  readonly bucket: string;
  /** As it is, not encoded. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** `undefined` in a bucket that is not versioned. */
  readonly versionId: string | undefined;
  /** Hexadecimal digits, which for one key sort as its writes came. */
  readonly sequencer: string;
  readonly reason: CreationReason;
}

/** How to start a server. */
export interface S3ServerOptions {
  /** Where everything is kept; made if it is missing, and used by one server at a time. */
  readonly dataDir: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Made if they are missing; versioning is turned on where it is asked for, and never off. */
  readonly buckets: readonly { readonly name: string; readonly versioned: boolean }[];
  /** Answer 403 for a missing key, as S3 does to a caller without `s3:ListBucket`; default false. */
  readonly missingKeyIsForbidden?: boolean;
  /** Told of every new object, before the client is; if it throws, the object stays and the client gets 500. */
  readonly onObjectCreated?: (event: ObjectCreated) => void;
  /** Answers requests for other services at this endpoint, and says which it took; all others are for S3. */
  readonly otherService?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
  /** Told of faults of the server itself; by default they go to standard error. */
  readonly onFault?: (error: unknown) => void;
}

/** A server that is running. */
export interface S3Server {
  /** `http://127.0.0.1:9000` */
  readonly endpoint: string;
  /** Cuts off the requests under way, of which nothing stays, and gives the folder free. */
  close(): Promise<void>;
}

/** Between two requests a client may keep its connection for so long. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Starts a server.
 *
 * @throws Error where the port is taken, the folder is damaged or in use, or a bucket's name is none
 */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const onFault = options.onFault ?? writeFault;
  const storage = await Storage.open(options.dataDir, onFault);
  try {
    ensureBuckets(storage, options);
    return await listen(storage, options, onFault);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function ensureBuckets(storage: Storage, { buckets }: S3ServerOptions): void {
  for (const { name, versioned } of buckets) {
    checkBucketName(name);
    if (!storage.buckets.has(name)) storage.createBucket(name);
    if (versioned) storage.enableVersioning(name);
  }
}

async function listen(
  storage: Storage,
  options: S3ServerOptions,
  onFault: (error: unknown) => void,
): Promise<S3Server> {
  const underWay = new Set<Promise<void>>();
  const handle = (exchange: Exchange) => {
    const handled = answerExchange(exchange, storage, options, onFault)
      .catch(onFault)
      .finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  // An upload may take longer than the five minutes that Node gives a request by default.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS });
  server.on('request', (incoming, response) => {
    if (options.otherService?.(incoming, response) !== true) handle(new Exchange(incoming, response, false));
  });
  server.on('checkContinue', (incoming, response) => handle(new Exchange(incoming, response, true)));
  server.listen(options.port, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { address, port, family } = server.address() as AddressInfo;
  return {
    endpoint: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(underWay);
      await storage.close();
    },
  };
}

async function answerExchange(
  exchange: Exchange,
  storage: Storage,
  options: S3ServerOptions,
  onFault: (error: unknown) => void,
): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  let answer: S3Response;
  try {
    answer = await runOperation(exchange, storage, options);
  } catch (error) {
    if (!(error instanceof S3Error)) onFault(error);
    const shown =
      error instanceof S3Error
        ? error
        : new S3Error('InternalError', `We encountered an internal error: ${error}`);
    answer = errorResponse(shown, exchange.incoming.url ?? '', requestId);
  }
  const fault = await exchange.send(answer, requestId);
  if (fault !== undefined) onFault(fault);
}

async function runOperation(
  exchange: Exchange,
  storage: Storage,
  options: S3ServerOptions,
): Promise<S3Response> {
  const { method = '', url = '', rawHeaders } = exchange.incoming;
  const credentials: SigningCredentials = options;
  const settings: OperationSettings = {
    region: options.region,
    missingKeyIsForbidden: options.missingKeyIsForbidden ?? false,
  };
  const request = parseRequest(method, url, rawHeaders);
  const call: PostCall = {
    request,
    bucketName: request.bucket ?? '',
    storage,
    settings,
    onCreated: (bucket, key, version, reason) =>
      options.onObjectCreated?.(toObjectCreated(bucket, key, version, reason)),
  };
  const boundary = formBoundary(request);
  if (boundary !== undefined) return postObject(call, exchange.body(), boundary, credentials);
  const signature = verifySignature(request, credentials, Date.now());
  const body = new RequestBody(request, exchange.body(), signature);
  return findOperation(request).run({ ...call, key: request.key ?? '', body });
}

function toObjectCreated(
  bucket: Bucket,
  key: string,
  version: StoredVersion,
  reason: CreationReason,
): ObjectCreated {
  return {
    bucket: bucket.name,
    key,
    size: version.bytes,
    etag: version.etag,
    versionId: bucket.versioned ? version.versionId : undefined,
    sequencer: sequencerOf(version.sequence),
    reason,
  };
}

function writeFault(error: unknown): void {
  process.stderr.write(`local S3: ${error instanceof Error ? error.stack : error}\n`);
}
