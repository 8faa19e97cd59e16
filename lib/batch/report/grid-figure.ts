/**
 * Draws a puzzle as SVG: givens bold on a tint, the solution lighter, clashing givens framed.
 *
 * A cell is 10 units wide. The line between two neighbours is thin inside a region and thick between regions, so no shape
 * of region and no gap between grids is a special case.
 */
import type { DrawnCell, DrawnGrid } from './drawn-grid.ts';
import { type Content, type HtmlMarkup, html } from './markup.ts';

const CELL = 10;
/** Margin in cells, for the outer half of the border. */
const MARGIN = 0.1;

/** Width of a drawing in pixels. */
export function gridWidth(grid: DrawnGrid): number {
  return Math.round((grid.columns + 2 * MARGIN) * pixelsOfCell(grid));
}

/** @param title text for screen readers */
export function gridFigure(grid: DrawnGrid, title: string): HtmlMarkup {
  const { rows, columns, cells } = grid;
  const height = Math.round((rows + 2 * MARGIN) * pixelsOfCell(grid));
  const hasBoxes = cells.some((cell) => cell?.box !== undefined);
  return html`<svg class="grid wide${Math.min(longestOf(grid), 3)}" role="img" viewBox="-1 -1 ${columns * CELL + 2} ${rows * CELL + 2}" width="${gridWidth(grid)}" height="${height}"><title>${title}</title>${[
    squares('ground', grid, () => true),
    squares('shaded', grid, ({ isShaded }) => isShaded),
    squares('tint', grid, ({ isGiven }) => isGiven),
    squares('clash', grid, ({ isClashing }) => isClashing),
    borders('thin', grid, () => true),
    hasBoxes && borders('dashed', grid, (cell, next) => cell?.box !== next?.box),
    borders('thick', grid, (cell, next) => cell?.region !== next?.region),
    symbols('given', grid, true),
    symbols('found', grid, false),
    cells.map((cell, place) => {
      const [x, y] = cornerOf(place, columns);
      return cell?.isClashing && html`<rect class="frame" x="${x + 1}" y="${y + 1}" width="8" height="8"/>`;
    }),
  ]}</svg>`;
}

/** Characters of the longest symbol. */
function longestOf({ cells }: DrawnGrid): number {
  return Math.max(1, ...cells.map((cell) => cell?.symbol.length ?? 0));
}

/** Large enough to read symbols; small enough for a 9x9, a 16x16 of letters and a samurai to fit on a phone. */
function pixelsOfCell(grid: DrawnGrid): number {
  const { columns } = grid;
  const longest = longestOf(grid);
  if (longest > 1) return longest > 2 ? 26 : 21;
  if (columns <= 9) return 22;
  if (columns <= 16) return 18;
  return columns <= 21 ? 14 : 16;
}

function cornerOf(place: number, columns: number): readonly [x: number, y: number] {
  return [(place % columns) * CELL, Math.floor(place / columns) * CELL];
}

/** The runs of numbers below `count` that satisfy a test: adjacent squares and lines become one. */
function* runs(
  count: number,
  test: (k: number) => boolean,
): Iterable<readonly [from: number, length: number]> {
  for (let k = 0; k < count; k++) {
    const from = k;
    while (k < count && test(k)) k++;
    if (k > from) yield [from * CELL, (k - from) * CELL];
  }
}

function squares(
  name: string,
  { rows, columns, cells }: DrawnGrid,
  isFilled: (cell: DrawnCell) => boolean,
): Content {
  let path = '';
  for (let row = 0; row < rows; row++) {
    const isSquare = (column: number) => {
      const cell = cells[row * columns + column];
      return cell !== undefined && isFilled(cell);
    };
    for (const [x, width] of runs(columns, isSquare)) {
      path += `M${x} ${row * CELL}h${width}v${CELL}h-${width}z`;
    }
  }
  return path !== '' && html`<path class="${name}" d="${path}"/>`;
}

/** Draws lines between neighbours, or at the outside of a cell. */
function borders(
  name: string,
  { rows, columns, cells }: DrawnGrid,
  isSeparated: (cell: DrawnCell | undefined, next: DrawnCell | undefined) => boolean,
): HtmlMarkup {
  let path = '';
  const at = (row: number, column: number) =>
    column < 0 || column >= columns ? undefined : cells[row * columns + column];
  const isLine = (cell: DrawnCell | undefined, next: DrawnCell | undefined) =>
    (cell ?? next) !== undefined && isSeparated(cell, next);
  for (let row = 0; row <= rows; row++) {
    const above = (column: number) => isLine(at(row - 1, column), at(row, column));
    for (const [x, width] of runs(columns, above)) path += `M${x} ${row * CELL}h${width}`;
  }
  for (let column = 0; column <= columns; column++) {
    const before = (row: number) => isLine(at(row, column - 1), at(row, column));
    for (const [y, height] of runs(rows, before)) path += `M${column * CELL} ${y}v${height}`;
  }
  return html`<path class="${name}" d="${path}"/>`;
}

function symbols(name: string, { cells, columns }: DrawnGrid, areGiven: boolean): Content {
  const texts = cells.flatMap((cell, place) => {
    if (cell === undefined || cell.symbol === '' || cell.isGiven !== areGiven) return [];
    const [x, y] = cornerOf(place, columns);
    return html`<text x="${x + CELL / 2}" y="${y + CELL / 2}">${cell.symbol}</text>`;
  });
  return texts.length > 0 && html`<g class="${name}">${texts}</g>`;
}
