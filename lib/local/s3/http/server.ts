/**
 * A local S3 server without dependencies: it implements the operations that the project uses as S3 does, and returns
 * 501 for all others. Objects, versions and uploads persist in a folder across restarts.
 *
 * ```
 * request -> own-requests.ts     refused if it comes from another site
 *         -> request.ts          path, query, headers
 *         -> signature.ts        authentication
 *         -> operation-table.ts  operation
 *         -> request-permissions.ts  whether the caller may do it
 *         -> storage.ts          read or change
 *         -> exchange.ts         response
 * ```
 */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ObjectStore } from '../../../batch/ports.ts';
import { closeServer, listen } from '../../http-server.ts';
import { bucketInHost, type RequestRefusal, refusalOf } from '../../own-requests.ts';
import { writeFault } from '../../write-fault.ts';
import { withDirectReads } from '../direct-reads.ts';
import { applyLifecycle, type LifecycleRule } from '../lifecycle.ts';
import { checkBucketName } from '../operations/bucket-operations.ts';
import type { CreationReason, OperationSettings, S3Response } from '../operations/operation.ts';
import { findOperation } from '../operations/operation-table.ts';
import { checkPermissions } from '../operations/permissions.ts';
import { permissionsOf } from '../operations/request-permissions.ts';
import type { Bucket, StoredVersion } from '../storage/catalog.ts';
import { Storage } from '../storage/storage.ts';
import { sequencerOf } from '../storage/versions.ts';
import { type RoleKeys, type SigningCredentials, verifySignature } from './auth/signature.ts';
import { RequestBody } from './body/request-body.ts';
import { S3Error } from './errors.ts';
import { Exchange, errorResponse } from './exchange.ts';
import { parseRequest } from './request.ts';

/** A new object. */
export interface ObjectCreated {
  readonly bucket: string;
  /** Not encoded. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** `undefined` in a bucket that is not versioned. */
  readonly versionId: string | undefined;
  /** Hexadecimal digits; those of one key sort in the order of its writes. */
  readonly sequencer: string;
  readonly reason: CreationReason;
}

export interface S3ServerOptions {
  /** Folder of all data; created if missing, and used by one server at a time. */
  readonly dataDir: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Created if missing; versioning is enabled if `versioned`, and never disabled. */
  readonly buckets: readonly { readonly name: string; readonly versioned: boolean }[];
  /** Keys of roles, which `isAllowed` limits. @default none */
  readonly roles?: Iterable<RoleKeys>;
  /**
   * Whether a caller may do something; called for each permission that a request needs.
   *
   * @param role undefined for the owner of the keys
   * @param resource ARN
   * @default everything is allowed
   */
  readonly isAllowed?: (role: string | undefined, action: string, resource: string) => boolean;
  /** Whether an object is a report, which browsers show in a sandbox; all other objects are saved. @default none */
  readonly isReport?: (bucket: string, key: string) => boolean;
  /** Whether a bucket sends its events to EventBridge. @default none */
  readonly sendsEvents?: (bucket: string) => boolean;
  /** The origins of the pages that may send requests from a browser. @default none */
  readonly origins?: () => readonly string[];
  /** Called for each new object, before the response; if it throws, the object stays and the client gets 500. */
  readonly onObjectCreated?: (event: ObjectCreated) => void;
  /** Handles requests for other services at this endpoint; returns whether it handled the request. */
  readonly otherService?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
  /** Called for errors of the server itself; by default they go to standard error. */
  readonly onFault?: (error: unknown) => void;
}

export interface S3Server {
  /** `http://127.0.0.1:9000` */
  readonly endpoint: string;
  /** A store with the reads of this process, which need no HTTP. @param store for all other requests */
  withDirectReads(store: ObjectStore): ObjectStore;
  /** Removes what the lifecycle rules of a bucket remove at this time. */
  applyLifecycle(bucket: string, rules: readonly LifecycleRule[], nowMs: number): Promise<void>;
  /** Aborts running requests, which leave no data, and unlocks the folder. */
  close(): Promise<void>;
}

/** How long a connection may be idle between two requests. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Starts a server.
 *
 * @throws Error if the port is in use, the folder is damaged or in use, or a bucket name is invalid
 */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const onFault = options.onFault ?? ((error) => writeFault('S3', error));
  const storage = await Storage.open(options.dataDir, onFault);
  try {
    ensureBuckets(storage, options);
    return await serve(storage, options, onFault);
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

async function serve(
  storage: Storage,
  options: S3ServerOptions,
  onFault: (error: unknown) => void,
): Promise<S3Server> {
  const running = new Set<Promise<void>>();
  const handle = (exchange: Exchange, refusal: RequestRefusal | undefined) => {
    const handled = respond(exchange, refusal, storage, options, onFault)
      .catch(onFault)
      .finally(() => running.delete(handled));
    running.add(handled);
  };
  // An upload may take longer than the five minutes that Node gives a request by default.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS });
  const receive = (incoming: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    const origins = options.origins?.() ?? [];
    // A name without a dot may be that of a bucket to create, and no site can have a name below `.localhost`.
    const isBucket = (name: string) => storage.buckets.has(name) || !name.includes('.');
    const refusal = refusalOf(incoming, { origins, isBucket });
    if (refusal === undefined) {
      if (answerCors(incoming, response)) return;
      if (!awaitsContinue && options.otherService?.(incoming, response) === true) return;
    }
    handle(new Exchange(incoming, response, awaitsContinue), refusal);
  };
  server.on('request', (incoming, response) => receive(incoming, response, false));
  server.on('checkContinue', (incoming, response) => receive(incoming, response, true));
  // S3 ignores all other expectations.
  server.on('checkExpectation', (incoming, response) => receive(incoming, response, false));
  const { address, port } = await listen(server, options.port, '127.0.0.1');
  return {
    endpoint: `http://${address}:${port}`,
    applyLifecycle: (bucket, rules, nowMs) => applyLifecycle(storage, bucket, rules, nowMs),
    withDirectReads: (store) => withDirectReads(store, storage),
    async close() {
      await closeServer(server);
      await Promise.all(running);
      await storage.close();
    },
  };
}

/**
 * Allows the page that sent a request to read its answer: the request was not refused, so the origin is an allowed one.
 *
 * @returns whether the request was a preflight request, which is answered
 */
function answerCors({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') {
    response.setHeader('access-control-expose-headers', 'x-amz-version-id');
    return false;
  }
  // Presigned uploads only: the page has no keys for other requests.
  response.writeHead(204, { 'access-control-allow-methods': 'PUT', 'access-control-max-age': '600' }).end();
  return true;
}

async function respond(
  exchange: Exchange,
  refusal: RequestRefusal | undefined,
  storage: Storage,
  options: S3ServerOptions,
  onFault: (error: unknown) => void,
): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  let response: S3Response;
  try {
    if (refusal !== undefined) throw refusalError(refusal);
    response = await runOperation(exchange, storage, options);
  } catch (error) {
    if (!(error instanceof S3Error)) onFault(error);
    const shown =
      error instanceof S3Error
        ? error
        : new S3Error('InternalError', `We encountered an internal error: ${error}`);
    response = errorResponse(shown, exchange.incoming.url ?? '', requestId);
  }
  const fault = await exchange.send(response, requestId);
  if (fault !== undefined) onFault(fault);
}

function refusalError({ status, message }: RequestRefusal): S3Error {
  return new S3Error(status === 421 ? 'MisdirectedRequest' : 'AccessDenied', message);
}

async function runOperation(
  exchange: Exchange,
  storage: Storage,
  options: S3ServerOptions,
): Promise<S3Response> {
  const { method = '', url = '', rawHeaders, headers } = exchange.incoming;
  const credentials: SigningCredentials = options;
  const { isAllowed = () => true } = options;
  const request = parseRequest(method, url, rawHeaders, bucketInHost(headers.host ?? ''));
  const signature = verifySignature(request, credentials, Date.now());
  const body = new RequestBody(request, exchange.body(), signature);
  const operation = findOperation(request);
  const settings: OperationSettings = {
    region: options.region,
    isAllowed: (action, resource) => isAllowed(signature.role, action, resource),
    isReport: options.isReport ?? (() => false),
    sendsEvents: options.sendsEvents ?? (() => false),
  };
  checkPermissions(permissionsOf(operation, request), settings);
  return operation.run({
    request,
    bucketName: request.bucket ?? '',
    key: request.key ?? '',
    body,
    storage,
    settings,
    onCreated: (bucket, key, version, reason) =>
      options.onObjectCreated?.(toObjectCreated(bucket, key, version, reason)),
  });
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
