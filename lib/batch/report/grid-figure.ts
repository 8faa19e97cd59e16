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

function runsOfSquares(
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

/** Squares inside of cells, so that the lines around them stay visible. */
function squares(
  name: string,
  { columns, cells }: DrawnGrid,
  isFilled: (cell: DrawnCell) => boolean,
): Content {
  const path = cells.map((cell, place) => {
    if (cell === undefined || !isFilled(cell)) return '';
    const [x, y] = cornerOf(place, columns);
    return `M${x + 1} ${y + 1}h8v8h-8z`;
  });
  return path.some((square) => square !== '') && html`<path class="${name}" d="${path.join('')}"/>`;
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
