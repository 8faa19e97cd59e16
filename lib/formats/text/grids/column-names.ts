/** Lines above a grid that name its columns: `c0,c1,...`, `A,B,...`, `1,2,...`, or an empty head of a Markdown table. */
import { ZERO } from '../../bytes/ascii.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { DIGIT, KINDS, LETTER } from '../byte-kinds.ts';
import type { LineFields } from '../shape/fields.ts';
import { single } from '../shape/readings.ts';
import { isTableRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

/**
 * How many lines from `at` name the columns of the grid, or of the grids on lines, after them; 0 if none do.
 *
 * Words are names. Numbers or letters in order, and empty fields above a ruler, are names if exactly one grid follows:
 * else they are its first row.
 */
export function columnNames(context: TextContext, at: number): number {
  const { window, sink, lines } = context;
  const fields = lines.fields(at);
  const { count } = fields;
  const isRow = sink.book.isSize(count);
  if (!isRow && sink.book.sizeOfCells(count) === undefined) return 0;
  const kind = kindOf(window.bytes, window.start[at], fields);
  if (kind === 'cells') return 0;
  if (!window.has(at + 1)) return 0;
  const names = isTableRuler(context, at + 1) ? 2 : 1;
  if (kind === 'empty' && names === 1) return 0;
  let rows = 0;
  for (; rows <= count; rows++) {
    const line = at + names + rows;
    if (!window.has(line) || context.isBlank(line) || lines.fields(line).count !== count) break;
    if (kind === 'words' || !isRow) return lines.width(line, single) > 0 || !isRow ? names : 0;
  }
  return kind !== 'words' && isRow && rows === count ? names : 0;
}

/**
 * Whether line `at` names the columns of a grid whose rows start with their numbers, as tables of data frames do:
 *
 *     ,0,1,2,3,...           the first field is empty or a word, the others are in order
 *     0,5,3,0,0,...
 *     1,6,0,0,1,...
 *
 * @returns the size of the grid; 0 if there is none
 */
export function labelledSize(context: TextContext, at: number): number {
  const { window, sink, lines } = context;
  const fields = lines.fields(at);
  const size = fields.tokens - 1;
  if (!sink.book.isSize(size) || !isOrdered(window.bytes, window.start[at], fields, 1)) return 0;
  const [from, to] = [fields.from[0], fields.to[0]];
  if (from < to && !isWord(window.bytes, window.start[at] + from, window.start[at] + to)) return 0;
  let before: number | undefined;
  for (let row = 1; row <= size; row++) {
    if (!window.has(at + row)) return 0;
    const cells = lines.fields(at + row);
    const start = window.start[at + row];
    if (cells.tokens !== size + 1) return 0;
    const label = orderOf(window.bytes, start + cells.from[0], start + cells.to[0], cells.code[0]);
    if (label === undefined || (before !== undefined && label !== before + 1)) return 0;
    before = label;
  }
  return size;
}

/** Whether the tokens from index `first` on are numbers or letters in order. */
function isOrdered(bytes: Uint8Array, start: number, fields: LineFields, first: number): boolean {
  let before: number | undefined;
  for (let token = first; token < fields.tokens; token++) {
    const value = orderOf(bytes, start + fields.from[token], start + fields.to[token], fields.code[token]);
    if (value === undefined || (before !== undefined && value !== before + 1)) return false;
    before = value;
  }
  return true;
}

/** Whether the fields of a line are words, numbers or letters in order, all empty, or cells. */
function kindOf(
  bytes: Uint8Array,
  start: number,
  fields: LineFields,
): 'words' | 'ordered' | 'empty' | 'cells' {
  let words = true;
  let ordered = true;
  let before: number | undefined;
  for (let token = 0; token < fields.tokens; token++) {
    const [from, to] = [start + fields.from[token], start + fields.to[token]];
    if (from === to) {
      // An empty field at an end of the line may be a frame.
      if (token > 0 && token < fields.tokens - 1) words = ordered = false;
      continue;
    }
    if (fields.code[token] >= 0 || !isWord(bytes, from, to)) words = false;
    const value = orderOf(bytes, from, to, fields.code[token]);
    if (value === undefined || (before !== undefined && value !== before + 1)) ordered = false;
    before = value;
  }
  if (fields.isEmpty) return 'empty';
  if (words) return 'words';
  return ordered && before !== undefined ? 'ordered' : 'cells';
}

/** Whether a token has several characters, and a letter among them. */
function isWord(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < 2) return false;
  for (let at = from; at < to; at++) if (KINDS[bytes[at]] & LETTER) return true;
  return false;
}

/** The place of a number or a letter in their order. */
function orderOf(bytes: Uint8Array, from: number, to: number, code: number): number | undefined {
  if (code > NUMBER) return code - NUMBER;
  if (to - from !== 1) return undefined;
  const byte = bytes[from];
  if (KINDS[byte] & DIGIT) return byte - ZERO;
  return KINDS[byte] & LETTER ? byte + NUMBER : undefined;
}
