/**
 * The puzzle bank's lines: a hash of 12 hex digits, the puzzle, two spaces, a rating. The hash becomes the id. Databases
 * have ids of 24 to 64 hex digits.
 *
 *     0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2
 */
import { DIGIT, KINDS, SPACE } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

/** Lengths of ids: the bank's, MongoDB's, MD5, SHA-1, SHA-256. */
const ID_LENGTHS = [12, 24, 32, 40, 64];

export const bank: Recogniser = {
  name: 'bank',
  minBytes: 29,
  has: SPACE,
  match(line) {
    const size = bankSize(line);
    if (size === undefined) return NO;
    const { context, bytes, from, tokenEnd } = line;
    const form = { format: 'bank', geometry: context.sink.book.geometry(size) };
    context.enter(form, line, 1, { id: line.string(from, tokenEnd) }, { bytes, from: tokenEnd + 1 });
    return 1;
  },
};

/** The size of the puzzle of a bank's line; undefined if a line is none. */
export function bankSize(line: Line): number | undefined {
  const { bytes, from, tokenEnd, end, book } = line;
  if (line.tokens < 2 || !ID_LENGTHS.includes(tokenEnd - from)) return undefined;
  for (let at = from; at < tokenEnd; at++) if (!isHexDigit(bytes[at])) return undefined;
  let to = tokenEnd + 1;
  while (to < end && bytes[to] > 32) to++;
  return book.sizeOfCells(to - tokenEnd - 1);
}

function isHexDigit(byte: number): boolean {
  return (KINDS[byte] & DIGIT) !== 0 || ((byte | 32) >= 97 && (byte | 32) <= 102);
}
