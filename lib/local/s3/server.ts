/**
 * A local S3 server: README.md. Each request passes, in this order,
 *
 *     own-requests.ts   refused if it comes from another site
 *     request.ts        path, query, headers
 *     signature.ts      who sent it
 *     operations.ts     operation, permission
 *     storage.ts        read or change
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../../batch/ports.ts';
import { closeServer, isDisconnect, listen } from '../http-server.ts';
import { bucketInHost, refusalOf } from '../own-requests.ts';
import { RunningWork } from '../running-work.ts';
import { writeFault } from '../write-fault.ts';
import { incomplete } from './body.ts';
import { checkBucketName } from './buckets.ts';
import { withDirectReads } from './direct-reads.ts';
import { accessDenied, errorDocument, S3Error } from './errors.ts';
import type { CreationReason, HeldBytes, OperationCall, S3Response } from './operation.ts';
import { runOperation } from './operations.ts';
import { parseRequest, type S3Request } from './request.ts';
import { type SigningCredentials, verifySignature } from './signature.ts';
import { Storage } from './storage.ts';

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

export interface S3ServerOptions extends SigningCredentials {
  /** Folder of all data; created if missing, and used by one server at a time. */
  readonly dataDir: string;
  /** Created if missing; versioning is enabled if `versioned`, and never disabled. */
  readonly buckets: readonly { readonly name: string; readonly versioned: boolean }[];
  /**
   * Whether a caller may do something; called for each permission that a request needs.
   *
   * @param role undefined for the owner of the keys
   * @param resource ARN
   * @default everything is allowed
   */
  readonly isAllowed?: (role: string | undefined, action: string, resource: string) => boolean;
  /** The content security policy of an object that browsers show; all others are saved. @default none */
  readonly policyOf?: OperationCall['policyOf'];
  /** Called for each new object, before the response; if it throws, the object stays and the client gets 500. */
  readonly onObjectCreated?: (event: ObjectCreated) => void;
  /** Answers requests for other services at this port. @returns undefined for a request for S3 */
  readonly otherService?: (
    request: S3Request,
    incoming: AsyncIterable<Uint8Array>,
  ) => Promise<S3Response> | undefined;
  /** Called for errors of the server itself; by default they go to standard error. */
  readonly onFault?: (error: unknown) => void;
}

export interface S3Server {
  /** Accepts requests from now on. @param port 0 takes a free one @returns the endpoint, `http://127.0.0.1:9000` */
  listen(port: number): Promise<string>;
  /** A store with the reads of this process, which need no HTTP. @param store for all other requests */
  withDirectReads(store: ObjectStore): ObjectStore;
  /** Aborts running requests, which leave no data, and unlocks the folder. */
  close(): Promise<void>;
}

/** How long a connection may be idle between two requests. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Pieces of 256 KiB that are buffered for a slow client. */
const MAX_BUFFERED_PIECES = 2;
/** Objects and keys are text of others, which a browser must neither run nor guess the type of. */
const UNTRUSTED_CONTENT = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };

/**
 * Opens the folder of a server, which does not listen yet.
 *
 * @throws Error if the folder is damaged or in use, or a bucket name is invalid
 */
export async function openS3Server(options: S3ServerOptions): Promise<S3Server> {
  const { dataDir, buckets, onFault = (error) => writeFault('S3', error) } = options;
  const storage = await Storage.open(dataDir, onFault);
  const answers = new RunningWork();
  // An upload may take longer than the five minutes that Node gives a request by default.
  const limits = { requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS };
  const server = createServer(limits, (incoming, response) => {
    answers.add(answer(incoming, response, storage, options, onFault).catch(onFault));
  });
  try {
    for (const { name, versioned } of buckets) {
      checkBucketName(name);
      if (!storage.buckets.has(name)) storage.createBucket(name);
      if (versioned) storage.enableVersioning(name);
    }
  } catch (error) {
    storage.close();
    throw error;
  }
  return {
    async listen(port) {
      const { address, port: used } = await listen(server, port, '127.0.0.1');
      return `http://${address}:${used}`;
    },
    withDirectReads: (store) => withDirectReads(store, storage),
    async close() {
      if (server.listening) await closeServer(server);
      await answers.idle();
      storage.close();
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  storage: Storage,
  options: S3ServerOptions,
  onFault: (error: unknown) => void,
): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  let result: S3Response;
  try {
    result = await resultOf(incoming, storage, options);
  } catch (error) {
    if (!(error instanceof S3Error)) onFault(error);
    const shown =
      error instanceof S3Error ? error : new S3Error(500, 'InternalError', `An internal error: ${error}`);
    result = errorResponse(shown, incoming.url ?? '', requestId);
  }
  const { status = 200, headers, body } = result;
  response.writeHead(status, {
    'x-amz-request-id': requestId,
    ...UNTRUSTED_CONTENT,
    ...(typeof body === 'string' && {
      'content-type': 'application/xml',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  });
  if (typeof body === 'object') await sendBytes(body, response, onFault);
  else response.end(incoming.method === 'HEAD' ? undefined : body);
  // Drains the rest of a rejected body, which precedes the next request on the connection.
  if (!incoming.complete) incoming.resume();
}

/** The response to a failed request; `resource` is the requested path. */
export function errorResponse(error: S3Error, resource: string, requestId: string): S3Response {
  const { status, headers } = error;
  return { status, headers, body: status === 304 ? undefined : errorDocument(error, resource, requestId) };
}

async function resultOf(
  incoming: IncomingMessage,
  storage: Storage,
  options: S3ServerOptions,
): Promise<S3Response> {
  const { method = '', url = '', rawHeaders, headers } = incoming;
  const { region, isAllowed = () => true, policyOf = () => undefined } = options;
  // A name without a dot may be that of a bucket to create, and no site can have a name below `.localhost`.
  const isBucket = (name: string) => storage.buckets.has(name) || !name.includes('.');
  const refusal = refusalOf(incoming, { isBucket });
  if (refusal?.status === 421) throw new S3Error(421, 'MisdirectedRequest', refusal.message);
  if (refusal !== undefined) throw accessDenied(refusal.message);
  const request = parseRequest(method, url, rawHeaders, bucketInHost(headers.host ?? ''));
  const body = bytesOf(incoming);
  const other = options.otherService?.(request, body);
  if (other !== undefined) return other;
  const { role, payloadHash } = verifySignature(request, options, Date.now());
  return runOperation({
    request,
    incoming: body,
    payloadHash,
    storage,
    region,
    isAllowed: (action, resource) => isAllowed(role, action, resource),
    policyOf,
    onCreated: ({ name, versioned }, key, version, reason) =>
      options.onObjectCreated?.({
        bucket: name,
        key,
        size: version.bytes,
        etag: version.etag,
        versionId: versioned ? version.versionId : undefined,
        sequencer: version.sequence.toString(16).toUpperCase().padStart(18, '0'),
        reason,
      }),
  });
}

/**
 * The raw body, to be read once; if the reader stops early, the connection stays open for a response.
 *
 * @throws S3Error IncompleteBody if the client disconnects
 */
async function* bytesOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw incomplete(`The connection was closed before the end: ${(cause as Error).message}`);
  }
}

async function sendBytes(
  body: HeldBytes,
  response: ServerResponse,
  onFault: (error: unknown) => void,
): Promise<void> {
  try {
    const pieces = Readable.from(body.bytes, { highWaterMark: MAX_BUFFERED_PIECES });
    await pipeline(pieces, response);
  } catch (error) {
    // The headers are sent, so only a closed connection reports the error; pipeline has closed it.
    if (!isDisconnect(error)) onFault(error);
  } finally {
    body.release();
  }
}
