/** Lines above a grid that name its columns: `c0,c1,...`, `A,B,...`, `1,2,...`, or an empty head of a Markdown table. */
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
  const size = lines.fields(at).tokens - 1;
  if (!sink.book.isSize(size)) return 0;
  const [corner, ...names] = fieldTexts(context, at);
  if (!areOrdered(names) || (corner !== '' && !isWord(corner))) return 0;
  const labels: string[] = [];
  for (let line = at + 1; line <= at + size; line++) {
    if (!window.has(line) || lines.fields(line).tokens !== size + 1) return 0;
    labels.push(fieldTexts(context, line)[0]);
    if (!areOrdered(labels)) return 0;
  }
  return size;
}

/** Whether the fields of a line are words, numbers or letters in order, all empty, or cells. */
function kindOf(context: TextContext, at: number): 'words' | 'ordered' | 'empty' | 'cells' {
  const { isEmpty, code } = context.lines.fields(at);
  if (isEmpty) return 'empty';
  const texts = fieldTexts(context, at);
  // An empty field at an end of the line may be a frame.
  if (texts.slice(1, -1).includes('')) return 'cells';
  if (texts.every((text, k) => text === '' || (code[k] < 0 && isWord(text)))) return 'words';
  return areOrdered(texts.filter((text) => text !== '')) ? 'ordered' : 'cells';
}

function fieldTexts({ window, lines }: TextContext, at: number): string[] {
  const { tokens, from, to } = lines.fields(at);
  const start = window.start[at];
  return Array.from({ length: tokens }, (_, k) => window.string(start + from[k], start + to[k]));
}

/** Whether texts are numbers, or letters, in order. */
function areOrdered(texts: readonly string[]): boolean {
  const place = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : text.charCodeAt(0));
  return texts.every((text, k) => {
    return /^(?:\d{1,3}|[A-Za-z])$/.test(text) && (k === 0 || place(text) === place(texts[k - 1]) + 1);
  });
}

/** Whether a text has several characters, and a letter among them. */
function isWord(text: string): boolean {
  return text.length > 1 && /[A-Za-z]/.test(text);
}
