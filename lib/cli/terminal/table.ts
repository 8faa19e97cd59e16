/** Text tables whose columns fit their content and whose total width fits the terminal. */
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { truncated, widthOf } from './width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Where to cut the text if the terminal is too narrow: down to the title's width, but not below 12. */
  readonly shrinks?: 'end' | 'middle';
  /** Longer texts are cut, also without a terminal. */
  readonly maxWidth?: number;
}

const GAP = '  ';
const MIN_WIDTH = 12;

/**
 * Formats a heading and rows, one line each, without trailing spaces.
 *
 * @param rows one text per column
 * @param columns width of the terminal; without one, only columns with a maximum are cut
 * @param paint decorates a cell that is already padded
 */
export function tableLines(
  table: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): string[] {
  const texts = rows.map((row) => row.map(visibleText));
  const titles = table.map(({ title }) => title);
  const natural = table.map(({ maxWidth = Number.POSITIVE_INFINITY }, k) =>
    Math.min(maxWidth, Math.max(...[titles, ...texts].map((row) => widthOf(row[k]!)))),
  );
  const widths = columns === undefined ? natural : shrunk(table, natural, columns);
  const line = (row: readonly string[], index: number) =>
    row
      .map((text, k) => {
        const { align, shrinks = 'end' } = table[k]!;
        const cell = truncated(text, widths[k]!, shrinks);
        const space = ' '.repeat(Math.max(0, widths[k]! - widthOf(cell)));
        const isLast = k === table.length - 1;
        const whole = align === 'right' ? space + cell : isLast ? cell : cell + space;
        return index < 0 ? whole : paint(whole, k, index);
      })
      .join(GAP)
      .trimEnd();
  return [line(titles, -1), ...texts.map(line)];
}

/** Reduces the widths of the columns that may shrink, the last column first. */
function shrunk(table: readonly Column[], natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columns;
  for (let k = table.length - 1; k >= 0 && excess > 0; k--) {
    if (table[k]!.shrinks === undefined) continue;
    const minimum = Math.min(widths[k]!, Math.max(MIN_WIDTH, widthOf(table[k]!.title)));
    const cut = Math.min(excess, widths[k]! - minimum);
    widths[k]! -= cut;
    excess -= cut;
  }
  return widths;
}
