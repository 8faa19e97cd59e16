/**
 * Draws a puzzle as SVG: givens bold on a tint, the solution lighter, clashing givens framed.
 *
 * A cell is 10 units wide. The line between two neighbours is thin inside a region and thick between regions, so no shape
 * of region and no gap between grids is a special case.
 */
import type { DrawnGrid } from './drawn-grid.ts';
import { type HtmlMarkup, html } from './markup.ts';

const CELL = 10;
/** Margin in cells, for the outer half of the border. */
const MARGIN = 0.1;
const OUTSIDE = -1;

/** Width of a drawing in pixels. */
export function gridWidth(grid: DrawnGrid): number {
  return Math.round((grid.columns + 2 * MARGIN) * pixelsOfCell(grid));
}

/** @param title text for screen readers */
export function gridFigure(grid: DrawnGrid, title: string): HtmlMarkup {
  const { rows, columns, given, found, shaded, clashing, regionAt, boxAt } = grid;
  const height = Math.round((rows + 2 * MARGIN) * pixelsOfCell(grid));
  const sideOf = (place: number) => regionAt[place] ?? OUTSIDE;
  return html`<svg class="grid wide${Math.min(longestOf(grid), 3)}" role="img" viewBox="-1 -1 ${columns * CELL + 2} ${rows * CELL + 2}" width="${gridWidth(grid)}" height="${height}"><title>${title}</title>${[
    squares('ground', grid, (place) => sideOf(place) !== OUTSIDE),
    squares('shaded', grid, (place) => shaded.has(place)),
    squares('tint', grid, (place) => given[place] !== ''),
    squares('clash', grid, (place) => clashing.has(place)),
    borders('thin', grid, (place, next) => sideOf(place) !== OUTSIDE || sideOf(next) !== OUTSIDE),
    boxAt && borders('dashed', grid, (place, next) => boxAt[place] !== boxAt[next]),
    borders('thick', grid, (place, next) => sideOf(place) !== sideOf(next)),
    symbols('given', given, columns),
    symbols('found', found, columns),
    [...clashing].map((place) => {
      const [x, y] = cornerOf(place, columns);
      return html`<rect class="frame" x="${x + 1}" y="${y + 1}" width="8" height="8"/>`;
    }),
  ]}</svg>`;
}

/** Characters of the longest symbol. */
function longestOf({ given, found }: DrawnGrid): number {
  return Math.max(1, ...[...given, ...found].map(({ length }) => length));
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
    if (k > from) yield [from, k - from];
  }
}

function squares(
  name: string,
  { rows, columns }: DrawnGrid,
  isFilled: (place: number) => boolean,
): HtmlMarkup | undefined {
  let path = '';
  for (let row = 0; row < rows; row++) {
    for (const [from, length] of runs(columns, (column) => isFilled(row * columns + column))) {
      path += `M${from * CELL} ${row * CELL}h${length * CELL}v${CELL}h-${length * CELL}z`;
    }
  }
  return path === '' ? undefined : html`<path class="${name}" d="${path}"/>`;
}

/** Draws lines between separated neighbours. */
function borders(
  name: string,
  { rows, columns }: DrawnGrid,
  isSeparated: (place: number, next: number) => boolean,
): HtmlMarkup {
  let path = '';
  const at = (row: number, column: number) =>
    row < 0 || column < 0 || row >= rows || column >= columns ? OUTSIDE : row * columns + column;
  for (let row = 0; row <= rows; row++) {
    const isLine = (column: number) => isSeparated(at(row - 1, column), at(row, column));
    for (const [from, length] of runs(columns, isLine))
      path += `M${from * CELL} ${row * CELL}h${length * CELL}`;
  }
  for (let column = 0; column <= columns; column++) {
    const isLine = (row: number) => isSeparated(at(row, column - 1), at(row, column));
    for (const [from, length] of runs(rows, isLine))
      path += `M${column * CELL} ${from * CELL}v${length * CELL}`;
  }
  return html`<path class="${name}" d="${path}"/>`;
}

function symbols(name: string, texts: readonly string[], columns: number): HtmlMarkup | undefined {
  if (texts.every((text) => text === '')) return undefined;
  return html`<g class="${name}">${texts.map((text, place) => {
    const [x, y] = cornerOf(place, columns);
    return text !== '' && html`<text x="${x + CELL / 2}" y="${y + CELL / 2}">${text}</text>`;
  })}</g>`;
}
