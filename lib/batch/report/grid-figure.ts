/**
 * A puzzle as a drawing (SVG): givens bold on a tint, what was found lighter, clashing givens framed.
 *
 * A cell is 10 units wide. Neighbours are parted by a thin line in a region and by a thick one between two, so every
 * shape of region and every gap between grids needs no case of its own.
 */
import type { DrawnGrid } from './drawn-grid.ts';
import { type HtmlMarkup, html } from './markup.ts';

const CELL = 10;
/** Cells around the grid, for the outer half of its lines. */
const MARGIN = 0.1;

/** Pixels of a drawing from left to right. */
export function gridWidth({ columns, given, found }: DrawnGrid): number {
  return Math.round((columns + 2 * MARGIN) * pixelsOfCell(columns, longestOf(given, found)));
}

/**
 * The drawing of a grid.
 *
 * @param title what a screen reader says of it
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
    borders('thin', grid, (place, next) => bothOrOne(grid.regionAt, place, next)),
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

/** So large that symbols can be read, so small that a phone shows a 9x9, a 16x16 of letters and a samurai whole. */
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
    // Neighbours in a row are one rectangle.
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

/** Whether a border may stand between two neighbours: at least one of them is a cell. */
function bothOrOne(unitAt: Int32Array, place: number, next: number): boolean {
  return sideOf(unitAt, place) !== OUTSIDE || sideOf(unitAt, next) !== OUTSIDE;
}

function sideOf(unitAt: Int32Array, place: number): number {
  return unitAt[place] ?? OUTSIDE;
}

/** Lines between neighbours that are to be parted; pieces that follow each other are one. */
function borders(
  name: string,
  { rows, columns }: DrawnGrid,
  parted: (place: number, next: number) => boolean,
): HtmlMarkup {
  let path = '';
  const at = (row: number, column: number) =>
    row < 0 || column < 0 || row >= rows || column >= columns ? -1 : row * columns + column;
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column < columns; ) {
      const from = column;
      while (column < columns && parted(at(row - 1, column), at(row, column))) column++;
      if (column > from) path += `M${from * CELL} ${row * CELL}h${(column - from) * CELL}`;
      else column++;
    }
  }
  for (let column = 0; column <= columns; column++) {
    for (let row = 0; row < rows; ) {
      const from = row;
      while (row < rows && parted(at(row, column - 1), at(row, column))) row++;
      if (row > from) path += `M${column * CELL} ${from * CELL}v${(row - from) * CELL}`;
      else row++;
    }
  }
  return html`<path class="${name}" d="${path}"/>`;
}
