/** Lines that may be rows of cells with separators, such as tabs. */

import { adjacent, single } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import { openingLine } from './frames.ts';
import { hasOtherSigns, hasParts, isShortBar, startsLikeText } from './line-tests.ts';

/** Whether line `at` is a row of a grid of a size that is looked for. */
export function isFieldRow(context: TextContext, at: number): boolean {
  if (!hasParts(context.window, at) || !context.sink.book.isSize(fieldWidth(context, at))) return false;
  return context.lines.fields(at).span.structured;
}

/** Cells of line `at` if it is a row of a grid of any size; 0 if it is none. */
export function fieldWidth(context: TextContext, at: number): number {
  const one = context.lines.width(at, single);
  const other = context.lines.width(at, adjacent);
  return context.sink.book.isSize(one) || other === 0 ? one : other;
}

/** Whether a grid may start at line `at`. */
export function mayStartGrid(context: TextContext, at: number): boolean {
  const { window } = context;
  if (isShortBar(window, at) || hasOtherSigns(window, at)) return false;
  const isRow = !startsLikeText(window, at) && isFieldRow(context, at);
  return isRow || openingLine(context, at) !== undefined;
}
