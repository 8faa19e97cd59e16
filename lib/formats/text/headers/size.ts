/**
 * A line with two integers before a grid: its rows and columns, or the rows and columns of its boxes.
 *
 *     9 9            9x9            3 3
 *     5 3 0 ...      53..7....      5 3 0 ...
 *
 * A box that differs from the one in use could be meant either way, `3 2` as `2 3`: the grid is refused.
 */

import { makeFault } from '../../records/fault.ts';
import { hasEmptyField } from '../empty-fields.ts';
import { fieldWidth } from '../grids/field-rows.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { tokens } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import { isHeader } from './header.ts';

const SIZE = /^(\d{1,2})(?:\s+|\s*[x,]\s*)(\d{1,2})$/i;

export const sizeHeader: Recogniser = {
  name: 'size',
  minBytes: 3,
  maxBytes: 12,
  match(context, at) {
    const { window, sink } = context;
    const { text, end } = window;
    if (window.tokens[at] > 3 || hasEmptyField(window, at)) return NO;
    const found = SIZE.exec(window.string(text[at], end[at]));
    if (found === null) return NO;
    const next = context.nextText(at + 1);
    if (next === undefined) return NO;
    const [rows, columns] = [Number(found[1]), Number(found[2])];
    const size = context.lines.width(next, tokens) || fieldWidth(context, next);
    const isSize = rows === size && columns === size && size > 3;
    if (isSize) sink.book.allowSize(size);
    if (!sink.book.isSize(size) || (!isSize && rows * columns !== size)) return NO;
    const { boxRows, boxColumns } = sink.book.geometry(size);
    if (!isSize && (rows !== boxRows || columns !== boxColumns)) {
      return refuseBox(context, at, next, [rows, columns], [boxRows, boxColumns]);
    }
    sink.onHeader();
    return 1;
  },
};

type Box = readonly [rows: number, columns: number];

/** Enters the header and the lines up to a blank one as an error. */
function refuseBox(context: TextContext, at: number, next: number, named: Box, used: Box): number {
  const { window } = context;
  let end = next;
  while (window.has(end) && !context.isBlank(end) && !isHeader(context, end)) end++;
  const found = named.join(' ');
  const expected = `boxes of ${used.join('x')}`;
  const where = `, boxes of ${named.join('x')} or of ${[...named].reverse().join('x')},`;
  const more = { isQuote: true, where, advice: 'pass --box' };
  return context.enterError(
    at,
    end - at,
    makeFault('unsupported_variant', window.text[at], found, expected, more),
  );
}
