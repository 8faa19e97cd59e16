/**
 * Solutions of exact-cover problems: the chosen options, each on a line as it stands in the file, in the order of the
 * file.
 *
 *     # puzzle 1, solution 1          only where several solutions are written
 *     A C X:1 Y:1
 *     B X:1
 *
 *     # puzzle 2 (line 9): unsolvable: it has no solution
 */
import type { ByteBuffer } from '../byte-buffer.ts';
import type { CoverProblem } from './cover-record.ts';

/** Writes solutions, one entry after the other; every byte is a function of the calls. */
export interface CoverWriter {
  /** File name extension without the dot. */
  readonly extension: string;
  readonly contentType: string;
  /**
   * A solution of problem `index` (from 1): the first `count` of `options`, in the order of the file.
   *
   * @param ordinal which solution it is, from 1; undefined where only one is written
   * @param first whether this is the first entry of the file
   */
  solution(
    out: ByteBuffer,
    cover: CoverProblem,
    options: Int32Array,
    count: number,
    index: number,
    ordinal: number | undefined,
    first: boolean,
  ): void;
  /** Keeps the place of a problem that has no solution to show; `text` is one line without `#`. */
  placeholder(out: ByteBuffer, text: string, index: number, first: boolean): void;
}

/** Appends the text of an option as it stands in the file. */
function writeOption(out: ByteBuffer, { text, textStart }: CoverProblem, option: number): void {
  const from = textStart[option];
  const to = textStart[option + 1];
  out.ensure(to - from);
  for (let at = from; at < to; at++) out.bytes[out.length++] = text[at];
}

/** The texts of the first `count` of `options`. */
export function optionTexts({ text, textStart }: CoverProblem, options: Int32Array, count: number): string[] {
  return Array.from(options.subarray(0, count), (option) =>
    decoder.decode(text.subarray(textStart[option], textStart[option + 1])),
  );
}

const decoder = new TextDecoder();

export const COVER_TEXT: CoverWriter = {
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  solution(out, cover, options, count, index, ordinal, first) {
    if (!first) out.byte(10);
    if (ordinal !== undefined) out.text(`# puzzle ${index}, solution ${ordinal}\n`);
    if (count === 0) out.text(`# puzzle ${index}: the solution without any option\n`);
    for (let k = 0; k < count; k++) {
      writeOption(out, cover, options[k]);
      out.byte(10);
    }
  },
  placeholder(out, text, _index, first) {
    if (!first) out.byte(10);
    out.text(`# ${text}\n`);
  },
};
