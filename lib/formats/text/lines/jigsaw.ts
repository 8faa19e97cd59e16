/**
 * Jigsaws on one line: the puzzle, and behind it the map of its regions, n symbols n times each; side by side, or
 * parted by white space, a comma, a semicolon or a colon.
 *
 *     3.......4..2.6.1...1.9.8.2...5...6...2.....1...9...8...8.3.4.6...4.1.9..5.......7aaabbbcccadd...
 *
 * Solutions are lines without the map. A second half that does not give n regions of n cells, each in one piece, is `bad_regions`.
 */

import { squareRoot } from '../../records/layout-book.ts';
import { writeLine } from '../../writing/grid-text.ts';
import { NO, type TextFormat } from '../recogniser.ts';
import { KINDS, SEPARATOR, type TextContext } from '../text-context.ts';
import { puzzleEnd } from './line.ts';

export const jigsaw: TextFormat = {
  name: 'jigsaw',
  leastBytes: 32,
  match(context, at) {
    const { window, sink, cells } = context;
    const from = window.text[at];
    const end = puzzleEnd(context, at);
    const half = (end - from) / 2;
    // Jigsaws need no boxes, so that other sizes than the usual ones are as good.
    const together = squareRoot(half);
    const size = together ?? squareRoot(end - from);
    if (size === undefined) return NO;
    const map = together === undefined ? separateMap(context, at, end, size) : from + half;
    if (map === undefined) return NO;
    cells.clear();
    cells.addBytes(window.bytes, map, map + size * size);
    const geometry = sink.book.jigsawFrom(cells.codes, 0, size);
    if (geometry === undefined) {
      // Two halves of a usual length are nothing else; a second token may as well be a solution or a label.
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

/** Where a map of as many characters as the puzzle starts, behind a separator. */
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
    problem: `found ${2 * size * size} characters whose second half is no map of ${size} regions of ${size} cells, each in one piece: a jigsaw is its ${size * size} cells and then a symbol of its region for each`,
  });
}
