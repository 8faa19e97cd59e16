/**
 * The puzzle bank's lines: a hash of 12 hex digits, the puzzle, two spaces, a rating. The hash becomes the id. Databases
 * have ids of 24 to 64 hex digits.
 *
 *     0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2
 */
import { DIGIT, KINDS, SPACE } from '../../bytes/byte-kinds.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { MAX_TEXT } from '../shape/line-shapes.ts';
import type { TextContext } from '../text-context.ts';

/** Lengths of ids: the bank's, MongoDB's, MD5, SHA-1, SHA-256. */
const ID_LENGTHS = [12, 24, 32, 40, 64];

export const bank: Recogniser = {
  name: 'bank',
  minBytes: 29,
  has: SPACE,
  match(context, at) {
    const { window, sink } = context;
    const end = bankEnd(context, at);
    if (end === NO) return NO;
    const hashEnd = window.tokenEnd[at];
    const start = hashEnd + 1;
    const geometry = sink.book.geometry(Math.sqrt(end - start));
    return context.enterCells('bank', geometry, at, 1, start, {
      id: window.string(window.text[at], hashEnd),
    });
  },
  writer: { multiLine: false, write: writeLine },
};

/** Offset after the puzzle of a bank's line; `NO` if line `at` is not one. */
export function bankEnd({ window, sink }: TextContext, at: number): number {
  const { text, tokenEnd, tokens } = window;
  const { bytes, end } = window;
  if (tokens[at] < 2 || !ID_LENGTHS.includes(tokenEnd[at] - text[at])) return NO;
  if (end[at] - text[at] > MAX_TEXT) return NO;
  for (let byte = text[at]; byte < tokenEnd[at]; byte++) if (!isHexadecimal(bytes[byte])) return NO;
  const from = tokenEnd[at] + 1;
  let to = from;
  while (to < end[at] && bytes[to] > 32) to++;
  return sink.book.sizeOfCells(to - from) === undefined ? NO : to;
}

function isHexadecimal(byte: number): boolean {
  return (KINDS[byte] & DIGIT) !== 0 || ((byte | 32) >= 97 && (byte | 32) <= 102);
}
