/**
 * The puzzle bank's lines: a hash of 12 hex digits, the puzzle, two spaces, a rating. The hash becomes the id.
 *
 *     0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2
 */
import { writeLine } from '../grid-text.ts';
import { NO, type TextFormat } from './text-format.ts';

export const bank: TextFormat = {
  name: 'bank',
  match(context, at) {
    const { window, sink } = context;
    const from = window.text[at];
    const hashEnd = window.tokenEnd[at];
    if (window.tokens[at] < 2 || hashEnd - from !== 12) return NO;
    for (let byte = from; byte < hashEnd; byte++) if (!isHexDigit(window.bytes[byte])) return NO;
    const start = hashEnd + 1;
    let end = start;
    while (end < window.end[at] && window.bytes[end] > 32) end++;
    const size = sink.book.sizeOfCells(end - start);
    if (size === undefined) return NO;
    const line = window.number(at);
    const geometry = sink.book.geometry(size);
    const place = { format: 'bank', geometry, spaced: false, line, lineEnd: line };
    context.enterLine(place, at, start, end, { id: window.string(from, hashEnd) });
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

function isHexDigit(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || ((byte | 0x20) >= 97 && (byte | 0x20) <= 102);
}
