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

/** Width of a drawing in pixels. */
export function gridWidth({ columns, given, found }: DrawnGrid): number {
  return Math.round((columns + 2 * MARGIN) * pixelsOfCell(columns, longestOf(given, found)));
}

/**
 * @param title text for screen readers
 */
export function gridFigure(grid: DrawnGrid, title: string): HtmlMarkup {
  const { rows, columns, given, found } = grid;
  const width = columns * CELL;
  const height = rows * CELL;
  const longest = longestOf(given, found);
  const pixels = pixelsOfCell(columns, longest);
  const places = [...grid.regionAt.keys()].filter((place) => grid.regionAt[place]! >= 0);
  return html`<svg class="grid wide${Math.min(longest, 3)}" role="img" viewBox="-1 -1 ${width + 2} ${height + 2}" width="${gridWidth(grid)}" height="${Math.round((rows + 2 * MARGIN) * pixels)}"><title>${title}</title>${[
    squares('ground', places, columns),
    squares('shaded', ascending(grid.shaded), columns),
    squares(
      'tint',
      places.filter((place) => given[place] !== ''),
      columns,
    ),
    squares('clash', ascending(grid.clashing), columns),
    borders('thin', grid, (place, next) => touchesCell(grid.regionAt, place, next)),
    grid.boxAt && borders('dashed', grid, (place, next) => grid.boxAt![place] !== grid.boxAt![next]),
    borders('thick', grid, (place, next) => sideOf(grid.regionAt, place) !== sideOf(grid.regionAt, next)),
    symbols('given', given, columns),
    symbols('found', found, columns),
    frames([...grid.clashing], columns),
  ]}</svg>`;
}

function longestOf(given: readonly string[], found: readonly string[]): number {
  return Math.max(1, ...given.map(({ length }) => length), ...found.map(({ length }) => length));
}

function ascending(places: ReadonlySet<number>): number[] {
  return [...places].sort((a, b) => a - b);
}

/** Large enough to read symbols; small enough for a 9x9, a 16x16 of letters and a samurai to fit on a phone. */
function pixelsOfCell(columns: number, symbolLength: number): number {
  if (symbolLength > 1) return symbolLength > 2 ? 26 : 21;
  if (columns <= 9) return 22;
  if (columns <= 16) return 18;
  return columns <= 21 ? 14 : 16;
}

/** @param places ascending */
function squares(name: string, places: readonly number[], columns: number): HtmlMarkup | undefined {
  if (places.length === 0) return undefined;
  let path = '';
  for (let k = 0; k < places.length; ) {
    const from = places[k]!;
    const column = from % columns;
    // Adjacent places in a row become one rectangle.
    let width = 1;
    while (places[k + width] === from + width && column + width < columns) width++;
    path += `M${column * CELL} ${Math.floor(from / columns) * CELL}h${width * CELL}v${CELL}h-${width * CELL}z`;
    k += width;
  }
  return html`<path class="${name}" d="${path}"/>`;
}

function frames(places: readonly number[], columns: number): HtmlMarkup[] {
  return places.map((place) => {
    const x = (place % columns) * CELL + 1;
    const y = Math.floor(place / columns) * CELL + 1;
    return html`<rect class="frame" x="${x}" y="${y}" width="8" height="8"/>`;
  });
}

function symbols(name: string, texts: readonly string[], columns: number): HtmlMarkup | undefined {
  const marks = [...texts.entries()].filter(([, text]) => text !== '');
  if (marks.length === 0) return undefined;
  return html`<g class="${name}">${marks.map(([place, text]) => {
    const x = (place % columns) * CELL + CELL / 2;
    const y = Math.floor(place / columns) * CELL + CELL / 2;
    return html`<text x="${x}" y="${y}">${text}</text>`;
  })}</g>`;
}

const OUTSIDE = -1;

/** Whether at least one of two neighbours is a cell. */
function touchesCell(unitAt: Int32Array, place: number, next: number): boolean {
  return sideOf(unitAt, place) !== OUTSIDE || sideOf(unitAt, next) !== OUTSIDE;
}

function sideOf(unitAt: Int32Array, place: number): number {
  return unitAt[place] ?? OUTSIDE;
}

/** Draws lines between separated neighbours; adjacent pieces become one line. */
function borders(
  name: string,
  { rows, columns }: DrawnGrid,
  isSeparated: (place: number, next: number) => boolean,
): HtmlMarkup {
  let path = '';
  const at = (row: number, column: number) =>
    row < 0 || column < 0 || row >= rows || column >= columns ? -1 : row * columns + column;
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column < columns; ) {
      const from = column;
      while (column < columns && isSeparated(at(row - 1, column), at(row, column))) column++;
      if (column > from) path += `M${from * CELL} ${row * CELL}h${(column - from) * CELL}`;
      else column++;
    }
  }
  for (let column = 0; column <= columns; column++) {
    for (let row = 0; row < rows; ) {
      const from = row;
      while (row < rows && isSeparated(at(row, column - 1), at(row, column))) row++;
      if (row > from) path += `M${column * CELL} ${from * CELL}v${(row - from) * CELL}`;
      else row++;
    }
  }
  return html`<path class="${name}" d="${path}"/>`;
}
