/** Lines above a grid that name its columns: `c0,c1,...`, `A,B,...`, `1,2,...`, or an empty head of a Markdown table. */
import { ZERO } from '../../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER } from '../../bytes/byte-kinds.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import type { Token } from '../shape/fields.ts';
import type { Line } from '../shape/line.ts';
import { single } from '../shape/readings.ts';
import { isTableRuler } from '../shape/rulers.ts';

/**
 * How many lines from one on name the columns of the grid, or of the grids on lines, after them; 0 if none do.
 *
 * Words are names. Numbers or letters in order, and empty fields above a ruler, are names if exactly one grid follows:
 * else they are its first row.
 */
export function columnNames(line: Line): number {
  const { context, at, book } = line;
  const { count } = line.fields;
  const isRow = book.isSize(count);
  if (!isRow && book.sizeOfCells(count) === undefined) return 0;
  const kind = kindOf(line);
  const { next } = line;
  if (kind === 'cells' || next === undefined) return 0;
  const names = isTableRuler(next) ? 2 : 1;
  if (kind === 'empty' && names === 1) return 0;
  let rows = 0;
  for (; rows <= count; rows++) {
    const row = context.lineAt(at + names + rows);
    if (row === undefined || row.isBlank || row.fields.count !== count) break;
    if (kind === 'words' || !isRow) return row.width(single) > 0 || !isRow ? names : 0;
  }
  return kind !== 'words' && isRow && rows === count ? names : 0;
}

/**
 * Whether a line names the columns of a grid whose rows start with their numbers, as tables of data frames do:
 *
 *     ,0,1,2,3,...           the first field is empty or a word, the others are in order
 *     0,5,3,0,0,...
 *     1,6,0,0,1,...
 *
 * @returns the size of the grid; 0 if there is none
 */
export function labelledSize(names: Line): number {
  const { tokens } = names.fields;
  const [corner, ...columns] = tokens;
  const size = columns.length;
  if (!names.book.isSize(size) || !areOrdered(columns)) return 0;
  if (corner.to > corner.from && !isWord(names, corner)) return 0;
  const labels: Token[] = [];
  for (let line = names.next; labels.length < size; line = line.next) {
    if (line === undefined || line.fields.tokens.length !== size + 1) return 0;
    labels.push(line.fields.tokens[0]);
    if (!areOrdered(labels.slice(-2))) return 0;
  }
  return size;
}

/** Whether the fields of a line are words, numbers or letters in order, all empty, or cells. */
function kindOf(line: Line): 'words' | 'ordered' | 'empty' | 'cells' {
  const { isEmpty, tokens } = line.fields;
  if (isEmpty) return 'empty';
  // An empty field at an end of the line may be a frame.
  const inner = tokens.filter(({ from, to }, k) => to > from || (k > 0 && k < tokens.length - 1));
  if (areOrdered(inner)) return inner.length > 0 ? 'ordered' : 'words';
  return inner.every((token) => token.code < 0 && isWord(line, token)) ? 'words' : 'cells';
}

/** Whether the codes of cells are numbers, or letters, in order. */
function areOrdered(tokens: readonly Token[]): boolean {
  return tokens.every(({ code }, k) => {
    const place = placeOf(code);
    return place !== undefined && (k === 0 || place === placeOf(tokens[k - 1].code)! + 1);
  });
}

/** The place of a number or a letter in their order. */
function placeOf(code: number): number | undefined {
  if (code > NUMBER) return code - NUMBER;
  if (KINDS[code] & DIGIT) return code - ZERO;
  return KINDS[code] & LETTER ? code + NUMBER : undefined;
}

/** Whether a token has several characters, and a letter among them. */
function isWord(line: Line, { from, to }: Token): boolean {
  return to - from > 1 && /[A-Za-z]/.test(line.raw(line.start + from, line.start + to));
}
