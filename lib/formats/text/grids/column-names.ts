/** Lines above a grid that name its columns: `c0,c1,...`, `A,B,...`, `1,2,...`, or an empty head of a Markdown table. */
import { ZERO } from '../../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER } from '../../bytes/byte-kinds.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import type { Token } from '../shape/fields.ts';
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
  const { count } = lines.fields(at);
  const isRow = sink.book.isSize(count);
  if (!isRow && sink.book.sizeOfCells(count) === undefined) return 0;
  const kind = kindOf(context, at);
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
  const { tokens } = lines.fields(at);
  const [corner] = tokens;
  const size = tokens.length - 1;
  if (!sink.book.isSize(size) || !areOrdered(tokens.slice(1))) return 0;
  if (corner.to > corner.from && !isWord(textOf(context, at, corner))) return 0;
  const labels: Token[] = [];
  for (let line = at + 1; line <= at + size; line++) {
    if (!window.has(line) || lines.fields(line).tokens.length !== size + 1) return 0;
    labels.push(lines.fields(line).tokens[0]);
    if (!areOrdered(labels.slice(-2))) return 0;
  }
  return size;
}

/** Whether the fields of a line are words, numbers or letters in order, all empty, or cells. */
function kindOf(context: TextContext, at: number): 'words' | 'ordered' | 'empty' | 'cells' {
  const { isEmpty, tokens } = context.lines.fields(at);
  if (isEmpty) return 'empty';
  // An empty field at an end of the line may be a frame.
  const inner = tokens.filter(({ from, to }, k) => to > from || (k > 0 && k < tokens.length - 1));
  if (areOrdered(inner)) return inner.length > 0 ? 'ordered' : 'words';
  const areWords = inner.every((token) => token.code < 0 && isWord(textOf(context, at, token)));
  return areWords ? 'words' : 'cells';
}

function textOf({ window }: TextContext, at: number, { from, to }: Token): string {
  return window.string(window.start[at] + from, window.start[at] + to);
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

/** Whether a text has several characters, and a letter among them. */
function isWord(text: string): boolean {
  return text.length > 1 && /[A-Za-z]/.test(text);
}
