/** Reads lines and byte counts from a stream whose pieces may end anywhere. */

import { S3Error } from '../errors.ts';

const NEWLINE = 0x0a;

/** Reads a byte stream from start to end; bytes that are not requested stay in the stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  /** Received and not yet read. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * Reads a line up to and including the next `\r\n`.
   *
   * @param maxBytes without the `\r\n`, inclusive
   * @returns the line without `\r\n`, one character per byte
   * @throws S3Error IncompleteBody if the stream ends first, InvalidRequest if the line is longer
   */
  async line(maxBytes: number): Promise<string> {
    let line = '';
    for (;;) {
      if (this.#rest.length === 0) await this.#fill();
      const newline = this.#rest.indexOf(NEWLINE);
      const end = newline < 0 ? this.#rest.length : newline + 1;
      line += Buffer.from(this.#rest.subarray(0, Math.min(end, maxBytes + 3))).toString('latin1');
      this.#rest = this.#rest.subarray(end);
      if (line.endsWith('\r\n') && line.length <= maxBytes + 2) return line.slice(0, -2);
      if (line.length >= maxBytes + 2) {
        throw new S3Error(
          'InvalidRequest',
          `The body is malformed: expected a line break after "${line.slice(0, 40)}"`,
        );
      }
    }
  }

  /**
   * Reads the next `count` bytes, in pieces as they arrive; the caller must read all of them before the next call.
   *
   * @throws S3Error IncompleteBody if the stream ends first
   */
  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    let remaining = count;
    while (remaining > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const piece = this.#rest.subarray(0, remaining);
      this.#rest = this.#rest.subarray(piece.length);
      remaining -= piece.length;
      yield piece;
    }
  }

  /** Ends reading; the source is closed, so that others can drain the connection. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #fill(): Promise<void> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) throw new S3Error('IncompleteBody', 'The body ended in the middle of a chunk');
      this.#rest = value;
    }
  }
}
