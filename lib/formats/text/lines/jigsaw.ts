/**
 * Jigsaws on one line: the puzzle, then the map of its regions, n symbols n times each. White space, a comma, a
 * semicolon or a colon may separate them.
 *
 *     3.......4..2.6.1...1.9.8.2...5...6...2.....1...9...8...8.3.4.6...4.1.9..5.......7aaabbbcccadd...
 *
 * Solutions are lines without the map. A second half that is not n connected regions of n cells is `bad_regions`.
 */

import { sizeOfSquare } from '../../records/layout-book.ts';
import { writeLine } from '../../writing/grid-text.ts';
import { KINDS, SEPARATOR } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

export const jigsaw: Recogniser = {
  name: 'jigsaw',
  minBytes: 32,
  match(context, at) {
    const { window, sink, cells } = context;
    const from = window.text[at];
    const end = context.puzzleEnd(at);
    const half = (end - from) / 2;
    // Jigsaws need no boxes, so any size is valid.
    const together = sizeOfSquare(half);
    const size = together ?? sizeOfSquare(end - from);
    if (size === undefined) return NO;
    const map = together === undefined ? separateMap(context, at, end, size) : from + half;
    if (map === undefined) return NO;
    cells.clear();
    cells.addBytes(window.bytes, map, map + size * size);
    const geometry = sink.book.jigsawFromMap(cells.codes, 0, size);
    if (geometry === undefined) {
      // One token of this length can only be a jigsaw; a second token may be a solution or a label.
      if (together === undefined || !sink.book.isSize(size)) return NO;
      refuse(context, at, map, size);
      return 1;
    }
    const line = window.number(at);
    const place = { format: 'jigsaw', geometry, spaced: false, line, lineEnd: line };
    context.enterLine(place, at, from, from + size * size);
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

/** Offset of a map as long as the puzzle, after a separator; undefined if there is none. */
function separateMap(context: TextContext, at: number, end: number, size: number): number | undefined {
  const { bytes, end: ends } = context.window;
  const last = ends[at];
  let from = end;
  while (from < last && (bytes[from] <= 32 || KINDS[bytes[from]] & SEPARATOR)) from++;
  let to = from;
  while (to < last && bytes[to] > 32 && !(KINDS[bytes[to]] & SEPARATOR)) to++;
  return to - from === size * size ? from : undefined;
}

function refuse(context: TextContext, at: number, offset: number, size: number): void {
  context.enterError(at, 1, {
    code: 'bad_regions',
    line: at,
    offset,
    found: 'a map whose regions are not all of one piece and size',
    expected: `${size} regions of ${size} cells`,
    problem: `found ${2 * size * size} characters whose second half is not a map of ${size} regions of ${size} cells, each in one piece: a jigsaw on a line is its ${size * size} cells, then the region symbol of each cell`,
  });
}
