/** HTTP for S3 clients: a timeout fits an operation, and the SDK has timeouts for whole clients. */
import { Readable } from 'node:stream';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { handlerOptions, type Timeouts } from './timeouts.ts';

type Handle = NodeHttpHandler['handle'];
type Request = Parameters<Handle>[0];

/**
 * Sends each request with the timeouts of its operation:
 *
 *                                                  until the answer begins    without a byte
 *     UploadPartCopy, CompleteMultipartUpload      copyMs                     copyMs
 *     GetObject                                    answerMs                   copyMs
 *     PutObject, UploadPart                                                   idleMs
 *     all others                                   answerMs                   idleMs
 *
 * A socket is also idle while the reader of its body pauses, and the SDK cannot tell: so the body of GetObject gets
 * the longest time here, and `watched-body.ts` takes the time while a byte is awaited. An upload has no total time, since
 * that depends on the line.
 */
export class S3Handler extends NodeHttpHandler {
  readonly #answerMs: number;
  readonly #patient: NodeHttpHandler;

  constructor(timeouts: Timeouts) {
    super(handlerOptions(timeouts));
    const { responseMs, copyMs } = timeouts;
    this.#answerMs = responseMs;
    this.#patient = new NodeHttpHandler(handlerOptions({ ...timeouts, responseMs: copyMs, idleMs: copyMs }));
  }

  override handle(request: Request, options: Parameters<Handle>[1] = {}): ReturnType<Handle> {
    switch (operationOf(request)) {
      case 'UploadPartCopy':
      case 'CompleteMultipartUpload':
        return this.#patient.handle(request, options);
      case 'GetObject':
        return this.#patient.handle(request, { requestTimeout: this.#answerMs, ...options });
      case 'PutObject':
      case 'UploadPart':
        return super.handle(withChunkedBody(request), { requestTimeout: 0, ...options });
      default:
        return super.handle(request, options);
    }
  }

  override destroy(): void {
    super.destroy();
    this.#patient.destroy();
  }
}

/**
 * Bytes that are handed to a socket at one time. A piece costs a turn of the event loop, in which this thread also
 * solves; and each of the 16 connections of an upload must get rid of one within `idleMs`, which takes 70 kB/s.
 */
const PIECE_BYTES = 256 * 1024;

/**
 * The same request, with a body that goes out in pieces: of a single large write over TLS, Node sees only the end, and
 * takes a slow socket for an idle one. A retry has the request as it was.
 */
function withChunkedBody(request: Request): Request {
  const { body } = request;
  if (!(body instanceof Uint8Array)) return request;
  const pieces = request.clone();
  pieces.body = Readable.from(chunksOf(body), { objectMode: false, highWaterMark: PIECE_BYTES });
  return pieces;
}

function* chunksOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** The SDK names most operations in the query; CompleteMultipartUpload is the one POST to an upload. */
function operationOf({ method, query }: Request): string | undefined {
  if (method === 'POST' && query.uploadId !== undefined) return 'CompleteMultipartUpload';
  return query['x-id'] as string | undefined;
}
