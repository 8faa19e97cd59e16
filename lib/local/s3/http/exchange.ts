/** One exchange over HTTP: the bytes that come in, and the answer that goes out. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HeldBytes, S3Response } from '../operations/operation.ts';
import { S3Error, s3ErrorDocument } from './errors.ts';

/** Pieces of 256 KiB that may wait for a slow client. */
const MAX_BUFFERED_PIECES = 2;

/** A request and its response, as Node gives them. */
export class Exchange {
  readonly incoming: IncomingMessage;
  readonly #response: ServerResponse;
  /** Whether the client waits for leave to send its body. */
  #awaitsContinue: boolean;

  /** @param awaitsContinue the request has `Expect: 100-continue`, and nothing was answered yet */
  constructor(incoming: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.incoming = incoming;
    this.#response = response;
    this.#awaitsContinue = awaitsContinue;
  }

  /**
   * The body as it is on the wire, to be read once; leaving it early leaves the connection open for an answer.
   *
   * @throws S3Error IncompleteBody where the client goes away
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
   * Sends an answer. Where the client still waits for leave to send its body, Node closes the connection behind
   * it: nobody could tell a body that comes after all from the next request.
   *
   * @returns what kept stored bytes from being read, if anything did; that the client went away is nothing
   */
  async send(answer: S3Response, requestId: string): Promise<unknown> {
    const { body } = answer;
    const headers: Record<string, string> = { 'x-amz-request-id': requestId, ...answer.headers };
    if (typeof body === 'string') {
      headers['content-type'] = 'application/xml';
      headers['content-length'] = String(Buffer.byteLength(body));
    }
    this.#response.writeHead(answer.status, headers);
    let fault: unknown;
    if (typeof body === 'object' && this.incoming.method !== 'HEAD') fault = await this.#sendBytes(body);
    else this.#response.end(this.incoming.method === 'HEAD' ? undefined : body);
    // What is left of a body that was refused would stand before the next request.
    if (!this.incoming.complete) this.incoming.resume();
    return fault;
  }

  async #sendBytes(body: HeldBytes): Promise<unknown> {
    let fault: unknown;
    const watched = async function* () {
      try {
        yield* body.bytes;
      } catch (error) {
        // When the client goes away, pipeline throws that in here too.
        if (!isDisconnect(error)) fault = error;
        throw error;
      }
    };
    try {
      await pipeline(Readable.from(watched(), { highWaterMark: MAX_BUFFERED_PIECES }), this.#response);
    } catch (error) {
      // The head is out, so the only way to tell the client is to end the connection, which pipeline has done.
      if (fault === undefined && !isDisconnect(error)) fault = error;
    } finally {
      body.release();
    }
    return fault;
  }
}

/** The answer to a request that failed; `resource` is the path that was asked for. */
export function errorResponse(error: S3Error, resource: string, requestId: string): S3Response {
  const body = error.status === 304 ? undefined : s3ErrorDocument(error, resource, requestId);
  return { status: error.status, headers: error.headers, body };
}

function isDisconnect(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
