/** The samples of online judges, in the layouts in which they occur. */
import { CLASSIC, fixture, rowsOf } from './reading.ts';

const poj = fixture('poj3076.txt');
const board = (line: string) => rowsOf(line).map((row) => [...row]);
const one = JSON.stringify(board(CLASSIC));

/** Changes to the layout of HDU 1426's sample; the puzzles stay the same. */
export const HDU_LAYOUTS: ReadonlyArray<[name: string, change: (text: string) => string]> = [
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['lone CR', (text) => text.replaceAll('\n', '\r')],
  ['no newline at the end', (text) => text.trimEnd()],
  ['blank lines at the end', (text) => `${text}\n\n\n`],
  ['trailing spaces', (text) => text.replaceAll('\n', ' \n')],
  ['tabs and runs of spaces', (text) => text.replaceAll(' ', '\t  ')],
  ['no blank line between', (text) => text.replace('\n\n', '\n')],
  ['a blank line after every row', (text) => text.replaceAll('\n', '\n\n')],
  ['all on one line', (text) => text.replace(/\s+/g, ' ')],
  ['one token a line', (text) => text.replace(/\s+/g, '\n')],
  ['lines broken after seven tokens', (text) => text.replace(/\s+/g, ' ').replace(/((?:\S ){7})/g, '$1\n')],
  ['0 for blanks', (text) => text.replaceAll('?', '0')],
  ['a byte-order mark', (text) => `\ufeff${text}`],
  ['comments between the rows', (text) => text.replaceAll('\n', '\n# so far\n')],
];

/** POJ 3076's sample twice. */
export const POJ_TEXTS: ReadonlyArray<[name: string, text: string]> = [
  ['POJ, a blank line between', `${poj}\n${poj}`],
  ['no blank line between', poj + poj],
  ['SPOJ, the count first', `2\n${poj}\n${poj}`],
  ['the count and a blank line first', `2\n\n${poj}\n${poj}`],
  ['CRLF and no newline at the end', `${poj}\n${poj}`.replaceAll('\n', '\r\n').trimEnd()],
];

/** LeetCode's board, once or more often. */
export const LEETCODE_TEXTS: ReadonlyArray<[name: string, text: string, grids: number]> = [
  ['one board', one, 1],
  ['one board over many lines', JSON.stringify(board(CLASSIC), null, 2), 1],
  ['a list of boards', JSON.stringify([board(CLASSIC), board(CLASSIC)]), 2],
  ['a list over many lines', JSON.stringify([board(CLASSIC), board(CLASSIC)], null, 2), 2],
  ['a board a line', `${one}\n${one}\n`, 2],
  ['rows as strings', JSON.stringify(rowsOf(CLASSIC)), 1],
  ['a list of boards with rows as strings', JSON.stringify([rowsOf(CLASSIC), rowsOf(CLASSIC)]), 2],
  ['a list of lines', JSON.stringify([CLASSIC, CLASSIC]), 2],
  ['an object a line', `${JSON.stringify({ puzzle: CLASSIC })}\n`.repeat(2), 2],
];
