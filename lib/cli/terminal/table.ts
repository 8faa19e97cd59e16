/** Columns of text, as wide as what stands in them, and no wider together than the terminal. */
import { printable, truncated } from './terminal.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Gives way where the terminal is too narrow: down to its title's width, but not below 12. */
  readonly shrinks?: 'end' | 'middle';
}

const GAP = '  ';
const NARROWEST = 12;

/**
 * A heading and the rows, one line each; without spaces at their ends.
 *
 * @param rows as many texts as there are columns
 * @param columns of the terminal; undefined cuts nothing
 * @param paint decorates a cell that has its width already
 */
export function tableLines(
  table: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): string[] {
  const texts = rows.map((row) => row.map(printable));
  const titles = table.map(({ title }) => title);
  const natural = table.map((_, k) => Math.max(...[titles, ...texts].map((row) => widthOf(row[k]!))));
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

function widthOf(text: string): number {
  return Array.from(text).length;
}

/** The last column that shrinks gives way first. */
function shrunk(table: readonly Column[], natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columns;
  for (let k = table.length - 1; k >= 0 && over > 0; k--) {
    if (table[k]!.shrinks === undefined) continue;
    const least = Math.min(widths[k]!, Math.max(NARROWEST, table[k]!.title.length));
    const cut = Math.min(over, widths[k]! - least);
    widths[k]! -= cut;
    over -= cut;
  }
  return widths;
}
