/**
 * Grids of n lines with something regular around their cells, for which no other format is made.
 *
 *     5,3,0,0,7,0,0,0,0        [[5, 3, 0, 0, 7, 0, 0, 0, 0],       | 5 | 3 |   |   | 7 |   |   |   |   |
 *     6;;;1;9;5;;;              "530070000",                       |---|---|---|---|---|---|---|---|---|
 *
 * Lines are read as fields (`fields.ts`) with one cell in each or several, or by the columns of their cells
 * (`pitched-grid.ts`). Names of columns, and brackets on lines of their own, are skipped; a name before brackets is the
 * id. Solutions are drawn the same way.
 */

import { TAB } from '../../bytes/ascii.ts';
import { makeFault } from '../../records/fault.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import type { GridDrawer } from '../drawings/grid-drawer.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { RowGrids } from '../rows/row-grids.ts';
import type { SameShape } from '../rows/same-shape.ts';
import { BLANK } from '../shape/fields.ts';
import { judgeRun } from '../shape/judge.ts';
import { adjacent, FIELD_READINGS, type FieldsReading, single } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { resemblesCells } from '../unreadable.ts';
import { columnNames, labelledSize } from './column-names.ts';
import type { FieldDrawer } from './field-drawer.ts';
import { fieldShape, judgeEmptyRow } from './field-shape.ts';
import { isClosingLine, mayBeOpening, openingLine } from './frames.ts';
import { labelledPuzzle } from './labelled-line.ts';
import { hasOtherSigns, hasParts, isShortBar, startsLikeText } from './line-tests.ts';
import { PitchedGrid } from './pitched-grid.ts';

/** Plain data. */
interface CellGridsState {
  /** Lines that opened a list, less those that closed one. */
  readonly open: number;
  /** The ruler directly above the next line. */
  readonly ruler?: string | undefined;
}

export class CellGrids implements Recogniser {
  readonly name = 'cells';
  readonly writer = { multiLine: true, write: writeDrawn };
  readonly #drawer: GridDrawer;
  readonly #fieldDrawer: FieldDrawer;
  readonly #pitched: PitchedGrid;
  readonly #grids: Readonly<Record<FieldsReading['name'], RowGrids>>;
  /** Rows of which some have no separators: in brackets that the first one opens, or continued by a sign. */
  readonly #plainGrids: RowGrids;
  /** Rows of a text, which the first one opens. */
  readonly #textGrids: RowGrids;
  #open = 0;

  constructor(drawer: GridDrawer, fieldDrawer: FieldDrawer, sameShape: SameShape) {
    this.#drawer = drawer;
    this.#fieldDrawer = fieldDrawer;
    this.#pitched = new PitchedGrid(drawer);
    const grids = (reading: FieldsReading, plain = false) =>
      new RowGrids(fieldShape(reading, fieldDrawer, plain), sameShape, (context, at) =>
        this.#pitched.match(context, at),
      );
    this.#plainGrids = grids(single, true);
    this.#textGrids = grids(adjacent, true);
    this.#grids = { single: grids(single), adjacent: grids(adjacent) };
  }

  match(context: TextContext, at: number): number {
    const { window } = context;
    if (!hasParts(window, at) && !mayBeOpening(window, at)) return this.#pitched.match(context, at);
    if (isShortBar(window, at)) return this.#pitched.match(context, at);
    const skipped = this.#skip(context, at);
    return skipped === NO ? this.#matchRows(context, at) : skipped;
  }

  /** Reads a grid only if all of it is well-formed; asked before lines are an error in another format. */
  matchWhole(context: TextContext, at: number): number {
    const names = this.#skipNames(context, at);
    if (names !== NO) return names;
    for (const { name } of FIELD_READINGS) {
      if (!this.isRow(context, at)) continue;
      const taken = this.#grids[name].matchWhole(context, at);
      if (taken !== NO) return taken;
    }
    return this.#pitched.match(context, at);
  }

  /** Whether line `at` has no text, and as many tabs as separate the cells of a row. */
  isBlankRow(context: TextContext, at: number): boolean {
    const { bytes, start, tokens } = context.window;
    return tokens[at] === 0 && bytes[start[at]] === TAB && this.isRow(context, at);
  }

  /** Reads a grid whose first row is line `at`, which has tabs alone; `NO` if it only separates grids. */
  matchBlankRow(context: TextContext, at: number): number {
    const empty = this.#matchEmptyRow(context, at);
    return empty === NO ? this.#grids.single.matchWhole(context, at) : empty;
  }

  /** Whether line `at` is a row of cells with separators. */
  isRow(context: TextContext, at: number): boolean {
    if (!hasParts(context.window, at) || !context.sink.book.isSize(this.width(context, at))) return false;
    return context.lines.fields(at).span.structured;
  }

  /** Cells of line `at` if it is a row of a grid of any size; 0 if it is none. */
  width(context: TextContext, at: number): number {
    const [one, other] = FIELD_READINGS.map((reading) => context.lines.width(at, reading));
    return context.sink.book.isSize(one) || other === 0 ? one : other;
  }

  /** Whether a grid may start at line `at`. */
  mayStart(context: TextContext, at: number): boolean {
    const { window } = context;
    if (isShortBar(window, at) || hasOtherSigns(window, at)) return false;
    const isRow = !startsLikeText(window, at) && this.isRow(context, at);
    return isRow || openingLine(context, at) !== undefined;
  }

  state(line: number): CellGridsState | undefined {
    const ruler = this.#drawer.rulerAbove(line);
    return this.#open === 0 && ruler === undefined ? undefined : { open: this.#open, ruler };
  }

  restore({ open, ruler }: CellGridsState, line: number): void {
    this.#open = open;
    if (ruler !== undefined) this.#drawer.restoreRuler(ruler, line);
  }

  /** Lines without cells: rulers, brackets, names of columns, and rows of empty fields between grids. */
  #skip(context: TextContext, at: number): number {
    const { window, sink } = context;
    const number = window.number(at);
    const follows = context.gridEndLine === number;
    if (isClosingLine(context, at) && (follows || this.#open > 0)) {
      this.#open = Math.max(0, this.#open - 1);
      context.gridEndLine = number + 1;
      return 1;
    }
    const opening = openingLine(context, at);
    if (opening !== undefined) {
      if (!this.#startsAfter(context, at)) return NO;
      this.#open++;
      context.nextId = opening.name ?? context.nextId;
      sink.onHeader();
      return 1;
    }
    if (isFrame(context, at)) {
      this.#drawer.setRuler(context, at);
      return 1;
    }
    if (context.lines.fields(at).maySeparate && this.isRow(context, at)) {
      const empty = this.#matchEmptyRow(context, at);
      if (empty !== NO) return empty;
    }
    const labelled = this.#matchLabelled(context, at);
    return labelled === NO ? this.#skipNames(context, at) : labelled;
  }

  /** Skips a line whose fields are all empty if it separates grids; `NO` if it is a row of blanks. */
  #matchEmptyRow(context: TextContext, at: number): number {
    const { window } = context;
    const size = this.width(context, at);
    const kind = judgeEmptyRow(context, at, size);
    if (kind === 'row') return NO;
    const taken = kind === 'both' ? size + 1 : 1;
    if (kind === 'both') {
      const where = ', of which the first and the last are empty';
      const advice = `one of them is a row of the ${size}x${size} grid, and the other separates grids: remove that one`;
      const more = { where, advice };
      const fault = makeFault('row_count', window.start[at], `${taken} rows`, `${size} rows`, more);
      context.enterError(at, taken, fault);
    }
    context.gridEndLine = window.number(at) + taken;
    return taken;
  }

  /** Reads a grid with the names of its columns above and the numbers of its rows in front. */
  #matchLabelled(context: TextContext, at: number): number {
    const { window, sink, grid } = context;
    const size = labelledSize(context, at);
    if (size === 0) return NO;
    grid.clear();
    for (let line = at + 1; line <= at + size; line++) {
      const { tokens, code, from } = context.lines.fields(line);
      for (let token = 1; token < tokens; token++) {
        grid.add(code[token] < 0 ? BLANK : code[token], window.start[line] + from[token]);
      }
    }
    const arrangement = this.#fieldDrawer.drawLabelled(context, at, size);
    const form = { format: this.name, geometry: sink.book.geometry(size), spaced: true, arrangement };
    context.enterGrid(form, at, size + 1);
    context.gridEndLine = window.number(at) + size + 1;
    return size + 1;
  }

  #skipNames(context: TextContext, at: number): number {
    const names = columnNames(context, at);
    if (names === 0) return NO;
    context.sink.onHeader();
    return names;
  }

  /** Whether the next line with text may belong to a grid. */
  #startsAfter(context: TextContext, at: number): boolean {
    const { sink } = context;
    const next = context.nextText(at + 1);
    if (next === undefined) return false;
    if (this.isRow(context, next) || openingLine(context, next) !== undefined) return true;
    if (resemblesCells(context, next) || isFrame(context, next)) return true;
    if (labelledPuzzle(context, next) !== undefined) return true;
    const { cells } = context.lines.fields(next);
    return FIELD_READINGS.some(({ name }) => sink.book.sizeOfCells(cells[name]) !== undefined);
  }

  #matchRows(context: TextContext, at: number): number {
    const { book } = context.sink;
    if (!context.lines.fields(at).span.structured) return this.#pitched.match(context, at);
    for (const reading of FIELD_READINGS) {
      const width = context.lines.width(at, reading);
      if (!book.isSize(width)) continue;
      if (book.isLineOrRow(width) && judgeRun(context, at, width, reading) === 'lines') continue;
      const taken = this.#matchReading(context, at, reading);
      return taken === NO ? this.#pitched.match(context, at) : taken;
    }
    // A damaged first row: the next ones give the size.
    if (!context.window.has(at + 1)) return NO;
    for (const reading of this.isRow(context, at + 1) ? FIELD_READINGS : []) {
      const taken = this.#matchReading(context, at, reading);
      if (taken !== NO) return taken;
    }
    return this.#pitched.match(context, at);
  }

  #matchReading(context: TextContext, at: number, reading: FieldsReading): number {
    const header = context.nextId;
    const { opens, closes, span } = context.lines.fields(at);
    context.nextId = span.name ?? header;
    const plain = reading === single && (opens > closes || span.continues || span.opensText);
    const text = reading === adjacent && span.opensText;
    const grids = plain ? this.#plainGrids : text ? this.#textGrids : this.#grids[reading.name];
    let taken = NO;
    try {
      taken = grids.match(context, at);
    } finally {
      if (taken === NO) context.nextId = header;
    }
    return taken;
  }
}
