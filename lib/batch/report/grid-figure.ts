/**
 * Draws a puzzle as SVG: givens bold on a tint, the solution lighter, clashing givens and differing cells framed.
 *
 * A cell is 10 units wide. The line between two neighbours is thin inside a region and thick between regions, so no shape
 * of region and no gap between grids is a special case. The lines are a shape, which all puzzles with the same regions
 * share; `report-script.ts` draws the cells of the puzzles that are not drawn in the page.
 */
import type { DrawnCell, DrawnGrid } from './drawn-grid.ts';
import { type Content, type HtmlMarkup, html } from './markup.ts';

const CELL = 10;
/** Margin in cells, for the outer half of the border. */
const MARGIN = 0.1;

/** The lines of the puzzles of a page, each drawn once. */
export class GridShapes {
  readonly #names = new Map<string, string>();
  readonly #shapes: HtmlMarkup[] = [];

  /** The name of the shape of a grid, to which `gridFigure` and `data-shape` refer. */
  nameOf(grid: DrawnGrid): string {
    const { cells, columns } = grid;
    const lines = shapeOf(grid);
    const { width, height, box, style } = viewOf(grid);
    const key = `${style} ${lines.source}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `shape-${this.#names.size + 1}`;
    this.#names.set(key, name);
    const places = cells.flatMap((cell, place) => (cell === undefined ? [] : place));
    this.#shapes.push(
      html`<g id="${name}" data-style="${style}" data-box="${box}" data-width="${width}" data-height="${height}" data-columns="${columns}" data-cells="${places.length}" data-places="${places.length < cells.length && places.join(' ')}">${lines}</g>`,
    );
    return name;
  }

  /** All shapes: they are not shown themselves. */
  get markup(): HtmlMarkup {
    return html`<svg class="grid shapes" width="0" height="0" aria-hidden="true"><defs>${this.#shapes}</defs></svg>`;
  }
}

/** @param title text for screen readers @param shape from `GridShapes`; by default, the drawing has its own lines */
export function gridFigure(grid: DrawnGrid, title: string, shape?: string): HtmlMarkup {
  const { width, height, box, style } = viewOf(grid);
  return html`<svg class="${style}" role="img" viewBox="${box}" width="${width}" height="${height}"><title>${title}</title>${shape === undefined ? shapeOf(grid) : html`<use href="#${shape}"/>`}${[
    squares('tint', grid, ({ isGiven }) => isGiven),
    squares('clash', grid, ({ isClashing }) => isClashing),
    squares('differs', grid, ({ isDiffering }) => isDiffering),
    symbols('given', grid, true),
    symbols('found', grid, false),
  ]}</svg>`;
}

/** Width of a drawing in pixels. */
export function gridWidth(grid: DrawnGrid): number {
  return viewOf(grid).width;
}

function viewOf(grid: DrawnGrid) {
  const { rows, columns } = grid;
  const pixels = pixelsOfCell(grid);
  return {
    width: Math.round((columns + 2 * MARGIN) * pixels),
    height: Math.round((rows + 2 * MARGIN) * pixels),
    box: `-1 -1 ${columns * CELL + 2} ${rows * CELL + 2}`,
    style: `grid wide${Math.min(longestOf(grid), 3)}`,
  };
}

/** The ground and the lines. */
function shapeOf(grid: DrawnGrid): HtmlMarkup {
  const hasBoxes = grid.cells.some((cell) => cell?.box !== undefined);
  return html`${[
    runsOfSquares('ground', grid, () => true),
    runsOfSquares('shaded', grid, ({ isShaded }) => isShaded),
    borders('thin', grid, () => true),
    hasBoxes && borders('dashed', grid, (cell, next) => cell?.box !== next?.box),
    borders('thick', grid, (cell, next) => cell?.region !== next?.region),
  ]}`;
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

function path(name: string, d: string): Content {
  return d !== '' && html`<path class="${name}" d="${d}"/>`;
}

/** The runs of numbers below `count` that satisfy a test, drawn one after the other: adjacent squares and lines become one. */
function runs(
  count: number,
  test: (k: number) => boolean,
  draw: (from: number, length: number) => string,
): string {
  let d = '';
  for (let k = 0; k < count; k++) {
    const from = k;
    while (k < count && test(k)) k++;
    if (k > from) d += draw(from * CELL, (k - from) * CELL);
  }
  return d;
}

function runsOfSquares(
  name: string,
  { rows, columns, cells }: DrawnGrid,
  isFilled: (cell: DrawnCell) => boolean,
): Content {
  const isSquare = (cell: DrawnCell | undefined) => cell !== undefined && isFilled(cell);
  const lines = Array.from({ length: rows }, (_, row) =>
    runs(
      columns,
      (column) => isSquare(cells[row * columns + column]),
      (x, width) => `M${x} ${row * CELL}h${width}v${CELL}h-${width}z`,
    ),
  );
  return path(name, lines.join(''));
}

/** What is drawn of each cell that satisfies a test. @param x of its left side @param y of its upper side */
function eachCell<Drawn>(
  { columns, cells }: DrawnGrid,
  test: (cell: DrawnCell) => boolean,
  draw: (x: number, y: number, cell: DrawnCell) => Drawn,
): Drawn[] {
  return cells.flatMap((cell, place) =>
    cell !== undefined && test(cell)
      ? [draw((place % columns) * CELL, Math.floor(place / columns) * CELL, cell)]
      : [],
  );
}

/** Squares inside of cells, so that the lines around them stay visible. */
function squares(name: string, grid: DrawnGrid, isFilled: (cell: DrawnCell) => boolean): Content {
  return path(name, eachCell(grid, isFilled, (x, y) => `M${x + 1} ${y + 1}h8v8h-8z`).join(''));
}

/** Draws lines between neighbours, or at the outside of a cell. */
function borders(
  name: string,
  { rows, columns, cells }: DrawnGrid,
  isSeparated: (cell: DrawnCell | undefined, next: DrawnCell | undefined) => boolean,
): HtmlMarkup {
  const at = (row: number, column: number) =>
    column < 0 || column >= columns ? undefined : cells[row * columns + column];
  const isLine = (cell: DrawnCell | undefined, next: DrawnCell | undefined) =>
    (cell ?? next) !== undefined && isSeparated(cell, next);
  const across = Array.from({ length: rows + 1 }, (_, row) =>
    runs(
      columns,
      (column) => isLine(at(row - 1, column), at(row, column)),
      (x, width) => `M${x} ${row * CELL}h${width}`,
    ),
  );
  const down = Array.from({ length: columns + 1 }, (_, column) =>
    runs(
      rows,
      (row) => isLine(at(row, column - 1), at(row, column)),
      (y, height) => `M${column * CELL} ${y}v${height}`,
    ),
  );
  return html`<path class="${name}" d="${[...across, ...down].join('')}"/>`;
}

function symbols(name: string, grid: DrawnGrid, areGiven: boolean): Content {
  const texts = eachCell(
    grid,
    ({ symbol, isGiven }) => symbol !== '' && isGiven === areGiven,
    (x, y, { symbol }) => html`<text x="${x + CELL / 2}" y="${y + CELL / 2}">${symbol}</text>`,
  );
  return texts.length > 0 && html`<g class="${name}">${texts}</g>`;
}
