/** Reads lines and counted runs of bytes from a stream that is cut anywhere. */

import { S3Error } from '../errors.ts';

const NEWLINE = 0x0a;

/** A stream of bytes, read from front to back; what is not asked for stays in the stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  /** Received and not yet read. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * The bytes up to the next `\r\n`, which is read too, one character a byte.
   *
   * @param maxBytes without the `\r\n`, inclusive
   * @throws S3Error IncompleteBody where the stream ends first, InvalidRequest where the line is longer
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
   * The next `count` bytes, in pieces as they come; all of them must be read before anything else is.
   *
   * @throws S3Error IncompleteBody where the stream ends first
   */
  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    let left = count;
    while (left > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** To be called when no more is read: the source is told, and so can be drained by others. */
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
