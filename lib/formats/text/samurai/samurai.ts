/**
 * Overlapping grids, row by row: a samurai is 21 rows, in which only cells and gaps count.
 *
 *     .3.8.....   ..4.1.5..     9 cells, a gap of 3, 9 cells       rows 1-6 and 16-21
 *     ...
 *     9..4..1.8.2.35..1...7     21 cells                           rows 7-9 and 13-15
 *     ......2.4...7......       6, 9 cells, 6                      rows 10-12
 *
 * A gap is omitted, or filled with spaces or with one character per place other than the digits 1 to 9: dots, zeros,
 * `#`, `-`, or the number -1. Spaces may separate cells, bars and rulers may be drawn, and blank lines may be within as
 * long as no line is left over. So each row has as many characters as it has cells, or as the widest row has. A line
 * `21 21` may precede the rows.
 *
 * On one line, a samurai is its 369 cells (`line.ts`), or all 441 places with the gaps filled (`samurai-line.ts`).
 */
import { writeDrawn } from '../../writing/grid-drawing.ts';
import type { GridDrawer } from '../drawings/grid-drawer.ts';
import { isRuler } from '../drawings/rulers.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { SameShape } from '../rows/same-shape.ts';
import type { TextContext } from '../text-context.ts';
import { samuraiFault } from './samurai-fault.ts';
import {
  ALL_ROWS,
  addPlaces,
  isRow,
  isSize,
  mayBeRow,
  mayBeThere,
  type OverlappingRows,
} from './samurai-rows.ts';

export class Samurai implements Recogniser {
  readonly name = 'samurai';
  readonly minBytes = 5;
  readonly hashRows = true;
  readonly writer = { multiLine: true, write: writeDrawn };
  readonly #drawer: GridDrawer;
  readonly #sameShape: SameShape;

  constructor(drawer: GridDrawer, sameShape: SameShape) {
    this.#drawer = drawer;
    this.#sameShape = sameShape;
  }

  match(context: TextContext, at: number): number {
    for (const rows of ALL_ROWS) {
      const hasSize = isSize(context, at, rows);
      if (!(hasSize || isRow(context, at, rows, 0)) || !mayBeThere(context, rows)) continue;
      const taken = hasSize ? matchSize(context, at, rows) : this.#matchRows(context, at, rows);
      if (taken !== NO) return taken;
    }
    return NO;
  }

  /** Reads one grid from `at`, which is a first row; returns the same as `match`. */
  #matchRows(context: TextContext, at: number, rows: OverlappingRows): number {
    const height = rows.isCell.length;
    const stanza = stanzaFrom(context, at, rows, 2 * height);
    const fits = (lines: readonly number[]) => lines.every((line, row) => isRow(context, line, rows, row));
    const isWhole = (lines: readonly number[]) => lines.length === height && fits(lines);
    const first = stanza.slice(0, height);
    if (stanza.length % height === 0 && isWhole(first)) return this.#enter(context, at, rows, first);
    if (stanza.length < height && fits(stanza)) {
      const joined = joinStanzas(context, rows, stanza);
      if (isWhole(joined)) return this.#enter(context, at, rows, joined);
    }
    const fitting = first.filter((line, row) => isRow(context, line, rows, row)).length;
    if (fitting * 3 < height * 2) return NO;
    const next = stanza.findIndex((_, from) => from > 0 && isWhole(stanza.slice(from, from + height)));
    return refuse(context, at, rows, next > 0 ? stanza.slice(0, next) : stanza);
  }

  #enter(context: TextContext, at: number, rows: OverlappingRows, lines: readonly number[]): number {
    const { window, grid, cells } = context;
    grid.clear();
    for (const [row, line] of lines.entries()) {
      cells.clear();
      addPlaces(context, line, cells);
      const filled = cells.count === rows.columns;
      for (let k = 0; k < cells.count; k++) {
        if (!filled || rows.isCell[row][k]) grid.add(cells.codes[k], cells.offset[k]);
      }
    }
    let taken = lines[lines.length - 1] + 1 - at;
    // The line drawn below belongs to the grid.
    const next = at + taken;
    if (window.has(next) && isDrawn(context, next, rows) && isRuler(context, next)) taken++;
    const arrangement = this.#drawer.draw(context, at, taken);
    const form = { format: 'samurai', geometry: rows.geometry, arrangement };
    if (context.enterGrid(form, at, taken)) this.#sameShape.remember(context, at, taken, undefined);
    context.gridEndLine = window.number(at) + taken;
    return taken;
  }
}

function matchSize(context: TextContext, at: number, rows: OverlappingRows): number {
  const { window } = context;
  return window.has(at + 1) && isRow(context, at + 1, rows, 0) ? 1 : NO;
}

/** Lines with text from `at` up to a blank one or anything else, at most `limit`. */
function stanzaFrom(context: TextContext, at: number, rows: OverlappingRows, limit: number): number[] {
  const { window } = context;
  const lines: number[] = [];
  for (let line = at; lines.length < limit && window.has(line); line++) {
    if (context.isBlank(line) || isHeader(context, line) || isSize(context, line, rows)) break;
    if (mayBeRow(context, line, rows)) lines.push(line);
    // Text that is not a row, after a whole grid, does not belong to it.
    else if (isFullLine(context, line) || lines.length === rows.isCell.length) break;
    else if (!context.isComment(line) && !isRuler(context, line)) lines.push(line);
  }
  return lines;
}

/** The rows of this stanza and of the next ones while they are too few. */
function joinStanzas(context: TextContext, rows: OverlappingRows, first: readonly number[]): number[] {
  const { window } = context;
  const height = rows.isCell.length;
  const lines = [...first];
  while (lines.length < height) {
    let next = lines[lines.length - 1] + 1;
    while (window.has(next) && (context.isBlank(next) || isDrawn(context, next, rows))) next++;
    if (!window.has(next) || !isRow(context, next, rows, lines.length)) return lines;
    lines.push(...stanzaFrom(context, next, rows, height - lines.length + 1));
  }
  return lines;
}

/** Whether line `at` is a comment or a ruler. */
function isDrawn(context: TextContext, at: number, rows: OverlappingRows): boolean {
  return !mayBeRow(context, at, rows) && (context.isComment(at) || isRuler(context, at));
}

function refuse(context: TextContext, at: number, rows: OverlappingRows, lines: readonly number[]): number {
  const taken = lines[lines.length - 1] + 1 - at;
  context.enterError(at, taken, samuraiFault(context, rows, lines));
  context.gridEndLine = context.window.number(at) + taken;
  return taken;
}
