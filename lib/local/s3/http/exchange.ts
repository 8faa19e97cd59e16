/** One HTTP exchange: the request's body and the response. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HeldBytes, S3Response } from '../operations/operation.ts';
import { S3Error, s3ErrorDocument } from './errors.ts';

/** Pieces of 256 KiB that are buffered for a slow client. */
const MAX_BUFFERED_PIECES = 2;

/** Objects and keys are text of others, which a browser must neither run nor guess the type of. */
const UNTRUSTED_CONTENT = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };

/** A request and its response. */
export class Exchange {
  readonly incoming: IncomingMessage;
  readonly #response: ServerResponse;
  /** Whether the client waits for 100 Continue before it sends its body. */
  #awaitsContinue: boolean;

  /** @param awaitsContinue the request has `Expect: 100-continue`, and no 100 Continue was sent yet */
  constructor(incoming: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.incoming = incoming;
    this.#response = response;
    this.#awaitsContinue = awaitsContinue;
  }

  /**
   * The raw body, to be read once; if the caller stops early, the connection stays open for a response.
   *
   * @throws S3Error IncompleteBody if the client disconnects
   */
  async *body(): AsyncGenerator<Uint8Array> {
    if (this.#awaitsContinue) this.#response.writeContinue();
    this.#awaitsContinue = false;
    try {
      yield* this.incoming.iterator({ destroyOnReturn: false });
    } catch (cause) {
      throw new S3Error(
        'IncompleteBody',
        `The connection was closed before the end: ${(cause as Error).message}`,
      );
    }
  }

  /**
   * Sends a response. If the client still waits for 100 Continue, Node closes the connection afterwards: a late body
   * could not be distinguished from the next request.
   *
   * @returns the error of reading stored bytes, if any; a disconnected client is not an error
   */
  async send(response: S3Response, requestId: string): Promise<unknown> {
    const { body } = response;
    const headers: Record<string, string> = {
      'x-amz-request-id': requestId,
      ...UNTRUSTED_CONTENT,
      ...response.headers,
    };
    if (typeof body === 'string') {
      headers['content-type'] = 'application/xml';
      headers['content-length'] = String(Buffer.byteLength(body));
    }
    this.#response.writeHead(response.status, headers);
    let fault: unknown;
    if (typeof body === 'object' && this.incoming.method !== 'HEAD') fault = await this.#sendBytes(body);
    else this.#response.end(this.incoming.method === 'HEAD' ? undefined : body);
    // Drains the rest of a rejected body, which precedes the next request on the connection.
    if (!this.incoming.complete) this.incoming.resume();
    return fault;
  }

  async #sendBytes(body: HeldBytes): Promise<unknown> {
    let fault: unknown;
    const watched = async function* () {
      try {
        yield* body.bytes;
      } catch (error) {
        // If the client disconnects, pipeline throws that here too.
        if (!isDisconnect(error)) fault = error;
        throw error;
      }
    };
    try {
      await pipeline(Readable.from(watched(), { highWaterMark: MAX_BUFFERED_PIECES }), this.#response);
    } catch (error) {
      // The headers are sent, so only a closed connection reports the error; pipeline has closed it.
      if (fault === undefined && !isDisconnect(error)) fault = error;
    } finally {
      body.release();
    }
    return fault;
  }
}

/** The response to a failed request; `resource` is the requested path. */
export function errorResponse(error: S3Error, resource: string, requestId: string): S3Response {
  const body = error.status === 304 ? undefined : s3ErrorDocument(error, resource, requestId);
  return { status: error.status, headers: error.headers, body };
}

function isDisconnect(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
