/**
 * Passes folded characters to the reader of a format (see `bytes/character-folding.ts`), and counts its unread bytes in
 * the bytes of the file.
 */
import { fold, isAscii, partialCharacter } from './bytes/character-folding.ts';
import type { ReaderCheckpoint, RecordReader } from './reader.ts';
import type { RecordBlock } from './records/record-block.ts';

/** Folded bytes of which the original is kept: more than a reader leaves unread between two puzzles. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Bytes that were passed on. */
interface Piece {
  readonly foldedLength: number;
  /** The bytes of the file; undefined if they are the same. */
  readonly original: Uint8Array | undefined;
}

export class FoldingReader implements RecordReader {
  readonly #reader: RecordReader;
  /** The start of a character whose other bytes have not arrived. */
  #partial: Uint8Array = new Uint8Array(0);
  /** The pieces passed on last. */
  readonly #pieces: Piece[] = [];
  #keptBytes = 0;

  constructor(reader: RecordReader) {
    this.#reader = reader;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    if (this.#partial.length === 0 && isAscii(bytes)) {
      this.#keep({ foldedLength: bytes.length, original: undefined });
      yield* this.#reader.push(bytes);
      return;
    }
    const original = new Uint8Array(this.#partial.length + bytes.length);
    original.set(this.#partial);
    original.set(bytes, this.#partial.length);
    const whole = original.length - partialCharacter(original);
    this.#partial = original.subarray(whole);
    yield* this.#pass(original.subarray(0, whole));
  }

  flush(): Iterable<RecordBlock> {
    return this.#reader.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    const checkpoint = this.#reader.checkpoint();
    if (checkpoint === undefined) return undefined;
    const unreadBytes = this.#originalBytes(checkpoint.unreadBytes);
    return unreadBytes === undefined ? undefined : { ...checkpoint, unreadBytes };
  }

  *end(): Iterable<RecordBlock> {
    yield* this.#pass(this.#partial);
    this.#partial = new Uint8Array(0);
    yield* this.#reader.end();
  }

  #pass(original: Uint8Array): Iterable<RecordBlock> {
    const { folded } = fold(original);
    this.#keep({ foldedLength: folded.length, original });
    return this.#reader.push(folded);
  }

  #keep(piece: Piece): void {
    this.#pieces.push(piece);
    this.#keptBytes += piece.foldedLength;
    while (this.#keptBytes - this.#pieces[0].foldedLength >= KEPT_BYTES) {
      this.#keptBytes -= this.#pieces.shift()!.foldedLength;
    }
  }

  /** Bytes of the file after which `folded` bytes are unread; undefined if they are not kept. */
  #originalBytes(folded: number): number | undefined {
    let rest = folded;
    let bytes = this.#partial.length;
    for (let k = this.#pieces.length - 1; rest > 0; k--) {
      if (k < 0) return undefined;
      const { foldedLength, original } = this.#pieces[k];
      if (original === undefined) bytes += Math.min(rest, foldedLength);
      else if (rest >= foldedLength) bytes += original.length;
      else bytes += original.length - fold(original, foldedLength - rest).length;
      rest -= foldedLength;
    }
    return bytes;
  }
}
