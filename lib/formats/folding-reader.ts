/**
 * Passes folded characters to the reader of a format (see `bytes/character-folding.ts`), and counts its unread bytes in
 * the bytes of the file.
 */
import { fold, isAscii, partialCharacter } from './bytes/character-folding.ts';
import type { RecordReader } from './reader.ts';
import type { RecordBlock } from './records/record-block.ts';

/** Folded bytes of which the original is kept: more than a reader leaves unread between two puzzles. */
const KEPT_BYTES = 8 * 1024 * 1024;

export function foldingReader(reader: RecordReader): RecordReader {
  /** The start of a character whose other bytes have not arrived. */
  let partial = new Uint8Array(0);
  /** What was passed on last: the bytes of the file, and how many they were when folded. */
  const pieces: { readonly original: Uint8Array; readonly foldedLength: number }[] = [];
  let keptBytes = 0;

  function pass(original: Uint8Array): Iterable<RecordBlock> {
    const folded = isAscii(original) ? original : fold(original).folded;
    pieces.push({ original, foldedLength: folded.length });
    keptBytes += folded.length;
    while (keptBytes - pieces[0].foldedLength >= KEPT_BYTES) keptBytes -= pieces.shift()!.foldedLength;
    return reader.push(folded);
  }

  /** Bytes of the file after which `folded` bytes are unread; undefined if they are not kept. */
  function originalBytes(folded: number): number | undefined {
    let rest = folded;
    let bytes = partial.length;
    for (let k = pieces.length - 1; rest > 0; k--) {
      if (k < 0) return undefined;
      const { foldedLength, original } = pieces[k];
      bytes += original.length;
      if (rest < foldedLength) bytes -= fold(original, foldedLength - rest).length;
      rest -= foldedLength;
    }
    return bytes;
  }

  return {
    push(bytes) {
      const original = new Uint8Array(partial.length + bytes.length);
      original.set(partial);
      original.set(bytes, partial.length);
      const whole = original.length - partialCharacter(original);
      partial = original.subarray(whole);
      return pass(original.subarray(0, whole));
    },
    flush: () => reader.flush(),
    checkpoint() {
      const checkpoint = reader.checkpoint();
      const unreadBytes = checkpoint && originalBytes(checkpoint.unreadBytes);
      return unreadBytes === undefined ? undefined : { state: checkpoint!.state, unreadBytes };
    },
    *end() {
      yield* pass(partial);
      partial = new Uint8Array(0);
      yield* reader.end();
    },
  };
}
