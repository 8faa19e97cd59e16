/**
 * A line with two integers before a grid: its rows and columns, or the rows and columns of its boxes.
 *
 *     9 9            9x9            3 3
 *     5 3 0 ...      53..7....      5 3 0 ...
 *
 * A box that differs from the one in use could be meant either way, `3 2` as `2 3`: the grid is refused.
 */

import { DIGIT, LETTER, LISTS, SPACE } from '../../bytes/byte-kinds.ts';
import { makeFault } from '../../records/fault.ts';
import { fieldWidth, hasEmptyField } from '../grids/line-tests.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { tokens } from '../shape/readings.ts';
import { isHeader } from './header.ts';

const SIZE = /^(\d{1,2})(?:\s+|\s*[x,]\s*)(\d{1,2})$/i;

export const sizeHeader: Recogniser = {
  name: 'size',
  minBytes: 3,
  maxBytes: 12,
  only: DIGIT | LETTER | LISTS | SPACE,
  has: DIGIT,
  match(line) {
    const { context, book, from, tokens: count } = line;
    if (count > 3 || hasEmptyField(line)) return NO;
    const found = SIZE.exec(line.text);
    const next = found === null ? undefined : context.nextText(line.at + 1);
    if (found === null || next === undefined) return NO;
    const [rows, columns] = [Number(found[1]), Number(found[2])];
    const size = next.width(tokens) || fieldWidth(next);
    const isSize = rows === size && columns === size && size > 3;
    if (isSize) context.allowSize(size);
    if (!book.isSize(size) || (!isSize && rows * columns !== size)) return NO;
    const { boxRows, boxColumns } = book.geometry(size);
    if (!isSize && (rows !== boxRows || columns !== boxColumns)) {
      // The lines up to a blank one are an error.
      let last: Line | undefined = next;
      let lines = next.at - line.at;
      for (; last !== undefined && !last.isBlank && !isHeader(last); last = last.next) lines++;
      const expected = `boxes of ${boxRows}x${boxColumns}`;
      const where = `, boxes of ${rows}x${columns} or of ${columns}x${rows},`;
      const more = { isQuote: true, where, advice: 'pass --box' };
      const fault = makeFault('unsupported_variant', from, `${rows} ${columns}`, expected, more);
      return context.enterError(line, lines, fault);
    }
    context.sink.survey?.onHeader();
    return 1;
  },
};
