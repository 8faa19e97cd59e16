/** The HTTP handler of S3 clients, with timeouts by operation; the SDK only has timeouts by client. */
import { Readable } from 'node:stream';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { handlerOptions, type Timeouts } from './timeouts.ts';

type Handle = NodeHttpHandler['handle'];
type Request = Parameters<Handle>[0];

/**
 * Sends each request with the timeouts of its operation:
 *
 *                                                  until the response begins    without a byte
 *     UploadPartCopy, CompleteMultipartUpload      copyMs                       copyMs
 *     GetObject                                    responseMs                   copyMs
 *     PutObject, UploadPart of more than 64 KiB                                 idleMs
 *     all others                                   responseMs                   idleMs
 *
 * A socket is also idle while the reader of its body pauses, and the SDK cannot distinguish the two. So the body of
 * GetObject gets the longest timeout here, and `watched-body.ts` measures the time that a reader waits for a byte. An
 * upload has no total timeout, since its duration depends on the connection.
 */
export class S3Handler extends NodeHttpHandler {
  readonly #responseMs: number;
  readonly #slowHandler: NodeHttpHandler;

  constructor(timeouts: Timeouts) {
    super(handlerOptions(timeouts));
    const { responseMs, copyMs } = timeouts;
    this.#responseMs = responseMs;
    const slow = { ...timeouts, responseMs: copyMs, idleMs: copyMs };
    this.#slowHandler = new NodeHttpHandler(handlerOptions(slow));
  }

  override handle(request: Request, options: Parameters<Handle>[1] = {}): ReturnType<Handle> {
    switch (operationOf(request)) {
      case 'UploadPartCopy':
      case 'CompleteMultipartUpload':
        return this.#slowHandler.handle(request, options);
      case 'GetObject':
        return this.#slowHandler.handle(request, { requestTimeout: this.#responseMs, ...options });
      case 'PutObject':
      case 'UploadPart':
        if (isSmall(request)) return super.handle(request, options);
        return super.handle(withChunkedBody(request), { requestTimeout: 0, ...options });
      default:
        return super.handle(request, options);
    }
  }

  override destroy(): void {
    super.destroy();
    this.#slowHandler.destroy();
  }
}

/**
 * Bytes of one write to a socket. A chunk costs a turn of the event loop of this thread, which also solves; and each of
 * the 16 connections of an upload must send one within `idleMs`, which takes 70 kB/s.
 */
const CHUNK_BYTES = 256 * 1024;

/**
 * A copy of the request whose body is sent in chunks: Node notices only the end of a large write over TLS, and treats a
 * slow socket as idle. A retry uses the original request.
 */
function withChunkedBody(request: Request): Request {
  const { body } = request;
  if (!(body instanceof Uint8Array)) return request;
  const chunked = request.clone();
  chunked.body = Readable.from(chunksOf(body), { objectMode: false, highWaterMark: CHUNK_BYTES });
  return chunked;
}

function* chunksOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Whether a body fits into the buffers of the system, so that its upload takes no longer than other requests. */
function isSmall({ body }: Request): boolean {
  return body instanceof Uint8Array && body.length <= 64 * 1024;
}

/** The SDK puts the name of most operations into the query; CompleteMultipartUpload is the only POST to an upload. */
function operationOf({ method, query }: Request): string | undefined {
  if (method === 'POST' && query.uploadId !== undefined) return 'CompleteMultipartUpload';
  return query['x-id'] as string | undefined;
}
