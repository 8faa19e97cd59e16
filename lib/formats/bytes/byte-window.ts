/**
 * The bytes of a file that are not read yet, and where they are in the file. Who asks for bytes that have not arrived is
 * interrupted, see `arrival.ts`.
 */
import { notArrived } from './arrival.ts';
import { type PositionState, TextPosition } from './text-position.ts';

const MIN_BUFFER_BYTES = 64 * 1024;

export class ByteWindow {
  bytes = new Uint8Array(MIN_BUFFER_BYTES);
  /** Number of bytes so far. */
  length = 0;
  /** No bytes follow. */
  ended = false;
  /** Labels of records are in `bytes`: they must not change. */
  #areKept = false;
  readonly position: TextPosition;
  /** The offset that `position` is for. */
  protected positionAt = 0;

  /** @param from state of a reader that has read everything before */
  constructor(from: Partial<PositionState> | undefined) {
    this.position = TextPosition.from(from);
  }

  /** Drops the bytes before the offset `keep`, so that all offsets decrease by it, and adds a chunk. */
  feed(chunk: Uint8Array, keep: number): void {
    this.moveTo(keep);
    const bytes = this.bytes;
    const length = this.length - keep + chunk.length;
    if (this.#areKept || length > bytes.length) {
      this.bytes = new Uint8Array(Math.max(length, this.#areKept ? MIN_BUFFER_BYTES : bytes.length * 2));
      this.bytes.set(bytes.subarray(keep, this.length));
      this.#areKept = false;
    } else if (keep > 0) bytes.copyWithin(0, keep, this.length);
    this.positionAt -= keep;
    this.bytes.set(chunk, this.length - keep);
    this.length = length;
  }

  /** From now on `bytes` never change: the next chunk gets an array of its own. */
  keepBytes(): void {
    this.#areKept = true;
  }

  /** Counts lines and columns up to an offset; offsets never decrease. */
  moveTo(offset: number): void {
    if (offset <= this.positionAt) return;
    this.position.advance(this.bytes, this.positionAt, offset);
    this.positionAt = offset;
  }

  /** `moveTo` over bytes that are characters on one line. */
  skipTo(offset: number): void {
    this.position.skip(offset - this.positionAt);
    this.positionAt = offset;
  }

  /** The byte at `at`; 0 after the end of the file. */
  byte(at: number): number {
    if (at < this.length) return this.bytes[at];
    return this.ended ? 0 : notArrived();
  }
}
