/** Well-formed files of every format, and the helpers that write them. */
import { CELL_LAYOUTS } from './cell-layouts.ts';
import { CLASSIC, CLASSIC_SOLUTION, fixture, rowsOf } from './reading.ts';
import { SAMURAI, SAMURAI_LINES, SAMURAI_TEXTS } from './samurai-texts.ts';

/** A puzzle above the map of its regions: the ordinary boxes. */
const MAPPED = `${rowsOf(CLASSIC).join('\n')}\n\n${['aaabbbccc', 'dddeeefff', 'ggghhhiii']
  .map((row) => `${row}\n`.repeat(3))
  .join('')}\n`;

/** A map of regions above its puzzle. */
const MAP_FIRST = `${MAPPED.split('\n\n').reverse().join('\n\n').trim()}\n\n`;

const tokens = fixture('hdu1426.txt').split('\n\n');
const board = JSON.stringify(rowsOf(CLASSIC).map((row) => [...row]));
const MAP = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);
const FOUR = ['1..4..2..3..4..1', '..4..2..3..4..1.', '.1..3..4..2..1..'];

/** Well-formed files of every format, each a list of puzzles that stand apart from each other. */
export const WELL_FORMED: Readonly<Record<string, readonly string[]>> = {
  lines: Array(12).fill(`${CLASSIC}\n`),
  'lines, blanks that change': Array.from(
    { length: 12 },
    (_, k) => `${CLASSIC.replaceAll('.', '.0*'[k % 3])}\n`,
  ),
  labels: Array.from({ length: 10 }, (_, k) => `${CLASSIC} number ${k}, easy\n`),
  'expected results': Array(8).fill(`${CLASSIC}:1:${CLASSIC_SOLUTION}\n`),
  'a puzzle bank': Array.from({ length: 8 }, (_, k) => `0000183b305${k} ${CLASSIC}  1.${k}\n`),
  '4x4 lines': Array.from({ length: 20 }, (_, k) => `${FOUR[k % 3]}\n`),
  rows: Array(6).fill(`${rowsOf(CLASSIC).join('\n')}\n\n`),
  tokens: tokens.flatMap((text) => Array(3).fill(`${text.trimEnd()}\n\n`)),
  'size first': Array(5).fill(`9\n${tokens[0].trimEnd().replaceAll('?', '0')}\n\n`),
  'Simple Sudoku': Array(5).fill(`${fixture('simple-sudoku.ss').split('\n\n')[0]}\n\n`),
  boxed: Array(5).fill(`${fixture('boxed.txt').split('\n\n')[0]}\n\n`),
  headers: Array.from({ length: 5 }, (_, k) => `Grid ${k}\n${rowsOf(CLASSIC).join('\n')}\n\n`),
  sections: Array(5).fill(`#ASomeone\n[Puzzle]\n${rowsOf(CLASSIC).join('\n')}\n\n`),
  '16x16': Array(4).fill(`${fixture('poj3076.txt')}\n`),
  'lines, blanks that are spaces': Array(10).fill(`${CLASSIC.replaceAll('.', ' ')}\n`),
  'lines, blanks that are #': Array(10).fill(`#${CLASSIC.slice(1).replaceAll('.', '#')}\n`),
  'rows, blanks that are #': Array(6).fill(`${rowsOf(CLASSIC.replaceAll('.', '#')).join('\n')}\n\n`),
  'rows, blanks that are spaces': Array(6).fill(`${rowsOf(CLASSIC.replaceAll('.', ' ')).join('\n')}\n\n`),
  'candidates in columns': Array(5).fill(`${drawnMarks()}\n`),
  samurais: Array(5).fill(`${SAMURAI_TEXTS['spaces in the gaps'](SAMURAI)}\n`),
  'drawn samurais': Array(5).fill(`${SAMURAI_TEXTS['lines around it'](SAMURAI)}\n`),
  'samurais on lines': Array(6).fill(SAMURAI_LINES['dots in the gaps'](SAMURAI)),
  'jigsaws above their maps': Array(6).fill(MAPPED),
  'maps above their jigsaws': Array(6).fill(MAP_FIRST),
  'maps on the lines below their jigsaws': Array(8).fill(`${CLASSIC}\n${MAP}\n\n`),
  'maps on the lines above their jigsaws': Array(8).fill(`${MAP}\n${CLASSIC}\n\n`),
  jigsaws: Array(8).fill(`${CLASSIC}${MAP}\n`),
  walls: Array(5).fill(`${walled(CLASSIC)}\n\n`),
  'cells between commas': laidOut('commas', '0'),
  'cells between semicolons, blanks empty': laidOut('semicolons', ''),
  'cells between tabs, blanks empty': laidOut('tabs', ''),
  'rows in brackets': laidOut('rows in brackets', 'None'),
  'arrays of arrays': laidOut('a C array', '0'),
  'quoted rows': laidOut('quoted rows', '.'),
  'boxes, blanks that are spaces': laidOut('a box a group', ' '),
  'cells in frames, blanks that are spaces': laidOut('cells in frames', ' '),
  'Markdown tables': laidOut('a Markdown table', ' '),
  'fields on lines': laidOut('fields on a line', '0'),
  'groups on lines': laidOut('groups with slashes', '0'),
  'quoted lines': laidOut('lines in quotes', '.'),
  'numbered lines': Array.from({ length: 8 }, (_, k) => `${k + 1}. ${CLASSIC}\n`),
  'HoDoKu library': Array(8).fill(`:0000:x:${CLASSIC}:::\n`),
  table: ['id,puzzle\n', ...Array.from({ length: 8 }, (_, k) => `${k},${CLASSIC}\n`)],
  'table with solutions': [
    'quizzes,solutions\n',
    ...Array.from({ length: 8 }, () => `${CLASSIC},${CLASSIC_SOLUTION}\n`),
  ],
  'table with other names': [
    'sep=;\n',
    'given;note;full\n',
    ...Array.from({ length: 8 }, (_, k) => `${CLASSIC};"number ${k}; ""easy""";${CLASSIC_SOLUTION}\n`),
  ],
  'table of jigsaws': ['puzzle,layout\n', ...Array(8).fill(`${CLASSIC},${MAP}\n`)],
  'JSON, a board a line': Array(6).fill(`${board}\n`),
  'JSON objects in another object': [
    '{"newboard": {"message": "ok", "grids": [\n',
    ...Array.from({ length: 8 }, (_, k) => `${k === 0 ? '' : ','}{"value":${board},"level":${k}}\n`),
    '], "results": 8}}\n',
  ],
  'JSON lists of cells': Array(6).fill(
    `${JSON.stringify([...CLASSIC].map((cell) => Number(cell === '.' ? 0 : cell)))}\n`,
  ),
  links: Array(6).fill(`https://example.com/?bd=${CLASSIC}\n`),
  'strings of the Interactive Sudoku Solver': Array(6).fill(
    `.${[...CLASSIC].flatMap((cell, at) => (cell === '.' ? [] : [`~R${Math.floor(at / 9) + 1}C${(at % 9) + 1}_${cell}`])).join('')}\n`,
  ),
  'JSON objects': Array.from({ length: 8 }, (_, k) => `${JSON.stringify({ id: k, puzzle: CLASSIC })}\n`),
  'lines, middle dots for blanks': Array(10).fill(`${CLASSIC.replaceAll('.', '·')}\n`),
  'rows, full-width digits and squares': Array(6).fill(`${fullWidth(rowsOf(CLASSIC).join('\n'))}\n\n`),
  'lines with no-break and zero-width spaces': Array(10).fill(`\u200b${CLASSIC}\u00a0\n`),
  'JSON, middle dots for blanks': Array(6).fill(`${board.replaceAll('"."', '"·"')}\n`),
  OpenSudoku: [
    '<?xml version="1.0"?>\n<opensudoku>\n',
    ...Array(8).fill(`<game data="${CLASSIC.replaceAll('.', '0')}" />\n`),
    '</opensudoku>\n',
  ],
};

/** Puzzles in a layout with separators, frames or brackets, with a blank line after each grid of several lines. */
function laidOut(name: string, blank: string): string[] {
  const layout = CELL_LAYOUTS[name]!;
  const cells = Array.from(CLASSIC, (symbol) => (symbol === '.' ? '' : symbol));
  const end = layout.format === 'cells' ? '\n' : '';
  return Array(end === '' ? 8 : 5).fill(`${layout.write(cells, blank)}${end}`);
}

/** Digits twice as wide, and squares as blanks. */
function fullWidth(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))).replaceAll('.', '□');
}

/** Candidates that are no puzzle's, in a frame. */
function drawnMarks(): string {
  const row = `| ${['1    ', '23   ', '456  '].join(' ')} | 789   12    3     | 45    6     13579 |\n`;
  return ['.---.\n', row.repeat(3), ':---:\n', row.repeat(3), ':---:\n', row.repeat(3), '.---.\n']
    .join('')
    .replaceAll('---', '-'.repeat(40));
}

/** The numbers of HDU 4069: the digits, and the walls of the boxes. */
function walled(line: string): string {
  const cells = Array.from(line, (cell, at) => {
    const [row, column] = [Math.floor(at / 9) % 3, at % 3];
    const walls = [row === 0 ? 16 : 0, column === 2 ? 32 : 0, row === 2 ? 64 : 0, column === 0 ? 128 : 0];
    return walls.reduce((sum, wall) => sum + wall, cell === '.' ? 0 : Number(cell));
  });
  return Array.from({ length: 9 }, (_, row) => cells.slice(row * 9, row * 9 + 9).join(' ')).join('\n');
}
