/** Reads lines and byte counts from a stream whose pieces may end anywhere. */

import { S3Error } from '../errors.ts';

const LINE_BREAK = Buffer.from('\r\n');

/** Reads a byte stream from start to end; bytes that are not requested stay in the stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #endedEarly: () => S3Error;
  /** Received and not yet read. */
  #rest: Buffer = Buffer.alloc(0);

  /**
   * @param endedEarly the error if the stream ends before the requested bytes
   */
  constructor(source: AsyncIterable<Uint8Array>, endedEarly: () => S3Error) {
    this.#source = source[Symbol.asyncIterator]();
    this.#endedEarly = endedEarly;
  }

  /** Reads a line, one character per byte, and skips its break. @throws S3Error InvalidRequest if the line is longer */
  async line(maxBytes: number): Promise<string> {
    for (;;) {
      const at = this.#rest.indexOf(LINE_BREAK);
      if (at > maxBytes || (at < 0 && this.#rest.length >= maxBytes + LINE_BREAK.length)) {
        const shown = this.#rest.subarray(0, 40).toString('latin1');
        throw new S3Error('InvalidRequest', `The body is malformed: expected a line break after "${shown}"`);
      }
      if (at >= 0) {
        const line = this.#take(at).toString('latin1');
        this.#take(LINE_BREAK.length);
        return line;
      }
      await this.#fill();
    }
  }

  /** Reads the next `count` bytes, in pieces as they arrive; the caller must read all of them before the next call. */
  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    let remaining = count;
    while (remaining > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const piece = this.#take(remaining);
      remaining -= piece.length;
      yield piece;
    }
  }

  /** Ends reading; the source is closed, so that others can drain the connection. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** Adds the next piece to the received bytes. */
  async #fill(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done === true) throw this.#endedEarly();
    const piece = Buffer.from(value.buffer, value.byteOffset, value.length);
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
  }
}
