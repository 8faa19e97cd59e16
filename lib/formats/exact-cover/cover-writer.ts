/**
 * Writes solutions of exact-cover problems: the chosen options, one per line with the text and the order of the file.
 *
 *     # puzzle 1, solution 1          only if several solutions are written
 *     A C X:1 Y:1
 *     B X:1
 *
 *     # puzzle 2 (line 9): unsolvable: it has no solution
 */
import { LF } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { CoverProblem } from './cover-record.ts';

/** Appends the texts of the first `count` of `options`, one per line. */
export function writeOptions(
  out: ByteBuffer,
  { text, textStart }: CoverProblem,
  options: Int32Array,
  count: number,
): void {
  for (let k = 0; k < count; k++) {
    const from = textStart[options[k]];
    const to = textStart[options[k] + 1];
    out.ensure(to - from + 1);
    for (let at = from; at < to; at++) out.bytes[out.length++] = text[at];
    out.byte(LF);
  }
}

/** @returns the texts of the first `count` of `options` */
export function optionLines({ text, textStart }: CoverProblem, options: Int32Array, count: number): string[] {
  return Array.from(options.subarray(0, count), (option) =>
    decoder.decode(text.subarray(textStart[option], textStart[option + 1])),
  );
}

const decoder = new TextDecoder();
