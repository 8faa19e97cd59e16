/** Well-formed files of every format, and the helpers that write them. */
import { CLASSIC, CLASSIC_SOLUTION, fixture, rowsOf } from './reading.ts';
import { SAMURAI, SAMURAI_LINES, SAMURAI_TEXTS } from './samurai-texts.ts';

/** A puzzle above the map of its regions: the ordinary boxes. */
const MAPPED = `${rowsOf(CLASSIC).join('\n')}\n\n${['aaabbbccc', 'dddeeefff', 'ggghhhiii']
  .map((row) => `${row}\n`.repeat(3))
  .join('')}\n`;

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
  'rows, blanks that are spaces': Array(6).fill(`${rowsOf(CLASSIC.replaceAll('.', ' ')).join('\n')}\n\n`),
  'candidates in columns': Array(5).fill(`${drawnMarks()}\n`),
  samurais: Array(5).fill(`${SAMURAI_TEXTS['spaces in the gaps'](SAMURAI)}\n`),
  'drawn samurais': Array(5).fill(`${SAMURAI_TEXTS['lines around it'](SAMURAI)}\n`),
  'samurais on lines': Array(6).fill(SAMURAI_LINES['dots in the gaps'](SAMURAI)),
  'jigsaws above their maps': Array(6).fill(MAPPED),
  jigsaws: Array(8).fill(`${CLASSIC}${MAP}\n`),
  walls: Array(5).fill(`${walled(CLASSIC)}\n\n`),
  table: ['id,puzzle\n', ...Array.from({ length: 8 }, (_, k) => `${k},${CLASSIC}\n`)],
  'table with solutions': [
    'quizzes,solutions\n',
    ...Array.from({ length: 8 }, () => `${CLASSIC},${CLASSIC_SOLUTION}\n`),
  ],
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
  OpenSudoku: [
    '<?xml version="1.0"?>\n<opensudoku>\n',
    ...Array(8).fill(`<game data="${CLASSIC.replaceAll('.', '0')}" />\n`),
    '</opensudoku>\n',
  ],
};

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
