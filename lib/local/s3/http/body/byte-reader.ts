/** Reads lines, parts and byte counts from a stream whose pieces may end anywhere. */

import { S3Error } from '../errors.ts';

const LINE_BREAK = Buffer.from('\r\n');

/** Reads a byte stream from start to end; bytes that are not requested stay in the stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #endedEarly: () => S3Error;
  /** Received and not yet read. */
  #rest: Buffer;

  /**
   * @param endedEarly the error if the stream ends before the requested bytes
   * @param before bytes that precede the stream
   */
  constructor(source: AsyncIterable<Uint8Array>, endedEarly: () => S3Error, before = '') {
    this.#source = source[Symbol.asyncIterator]();
    this.#endedEarly = endedEarly;
    this.#rest = Buffer.from(before);
  }

  /**
   * Reads up to a delimiter, and skips the delimiter.
   *
   * @param maxBytes without the delimiter, inclusive
   * @param tooLong the error for the beginning of more bytes
   */
  async until(delimiter: Buffer, maxBytes: number, tooLong: (start: Buffer) => S3Error): Promise<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(delimiter);
      if (at > maxBytes || (at < 0 && this.#rest.length >= maxBytes + delimiter.length)) {
        throw tooLong(this.#rest);
      }
      if (at >= 0) {
        const before = this.#take(at);
        this.#take(delimiter.length);
        return before;
      }
      await this.#fill();
    }
  }

  /** Reads a line, one character per byte. @throws S3Error InvalidRequest if the line is longer */
  async line(maxBytes: number): Promise<string> {
    const line = await this.until(LINE_BREAK, maxBytes, (start) => {
      const shown = start.subarray(0, 40).toString('latin1');
      return new S3Error('InvalidRequest', `The body is malformed: expected a line break after "${shown}"`);
    });
    return line.toString('latin1');
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

  /** Reads the bytes before a delimiter, in pieces as they arrive. */
  async *bytesUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    let at = this.#rest.indexOf(delimiter);
    while (at < 0) {
      // The delimiter may start at the end of the received bytes.
      yield this.#take(Math.max(0, this.#rest.length - delimiter.length + 1));
      await this.#fill();
      at = this.#rest.indexOf(delimiter);
    }
    yield this.#take(at);
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
