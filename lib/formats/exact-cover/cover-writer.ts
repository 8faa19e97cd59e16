/**
 * Writes solutions of exact-cover problems: the chosen options, one per line with the text and the order of the file.
 *
 *     # puzzle 1, solution 1          only if several solutions are written
 *     A C X:1 Y:1
 *     B X:1
 *
 *     # puzzle 2 (line 9): unsolvable: it has no solution
 */
import { isWhite, LF, SPACE } from '../bytes/ascii.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { CoverProblem } from './cover-record.ts';

/** Appends the texts of options, one per line, with each run of white space as one space. */
export function writeOptions(out: ByteBuffer, { text, textStart }: CoverProblem, options: Int32Array): void {
  for (const option of options) {
    const from = textStart[option];
    const to = textStart[option + 1];
    out.ensure(to - from + 1);
    let isAfterSpace = false;
    for (let at = from; at < to; at++) {
      const isSpace = isWhite(text[at]);
      if (!isSpace) out.bytes[out.length++] = text[at];
      else if (!isAfterSpace) out.bytes[out.length++] = SPACE;
      isAfterSpace = isSpace;
    }
    out.byte(LF);
  }
}

/** @returns the texts of options */
export function optionLines(cover: CoverProblem, options: Int32Array): string[] {
  const out = new ByteBuffer(256);
  writeOptions(out, cover, options);
  return decoder.decode(out.bytes.subarray(0, out.length)).split('\n').slice(0, -1);
}

const decoder = new TextDecoder();
