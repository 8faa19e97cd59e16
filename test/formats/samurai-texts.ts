/** Samurais as people write them, all of one puzzle; made for these tests. */

/** Its 369 cells along the rows of the whole drawing, and its one solution. */
export const SAMURAI =
  '...9..7..9..2...5878.43.5..4785.6.9.65..823195..4...17.....8..5..7....415.7..38.1...6..832.91.4563734.1.5.7.3....9.......3.729..5..2.1..5...82....1..4..5..49.84..75.8..................934.6..27..185176..48.9..75.......8284.93....423189...7....7.6.......97..3....98..5.4...9.4.53...1..2.5.....7..4.52......1...2.8...7..2.8..58.4.3715.91.6...........4..8.....6..1.549..8.';
export const SAMURAI_SOLUTION =
  '213956784916273458789431562478516293654782319523498617436178295687932541527693841195647832891245637342185976348529176259834729165962817453178269351784175364928436751864329645821973781593426392764185176524839617542761398284193567942318924675359786214385697583214698315742789146532431872956256379841527469381431258967763248195824637159915637428973815426842951673165492783';

/** Where a samurai has cells: rows of 9 and 9, rows of 21, rows of 9 in the middle. */
const SHAPES = [
  ...Array<string>(6).fill('ccccccccc   ccccccccc'),
  ...Array<string>(3).fill('ccccccccccccccccccccc'),
  ...Array<string>(3).fill('      ccccccccc      '),
  ...Array<string>(3).fill('ccccccccccccccccccccc'),
  ...Array<string>(6).fill('ccccccccc   ccccccccc'),
];

/** Rows of 21 places: the cells of a line of 369 in order, and in the gaps whatever `gap` says. */
export function rowsOfSamurai(cells: string, gap: string): string[][] {
  let cell = 0;
  return SHAPES.map((shape) => [...shape].map((place) => (place === 'c' ? cells[cell++] : gap)));
}

/** A row with bars between its boxes, as our own profile `grid` draws it. */
function barred(row: readonly string[]): string {
  const boxes = Array.from({ length: 7 }, (_, box) => row.slice(box * 3, box * 3 + 3).join(' '));
  return boxes.join(' | ').trimEnd();
}

const joined = (rows: readonly (readonly string[])[], between = '') =>
  rows.map((row) => `${row.join(between).trimEnd()}\n`).join('');

/** The ways of writing, by name: `cells` are 369 characters, blanks among them as dots. */
export const SAMURAI_TEXTS: Readonly<Record<string, (cells: string) => string>> = {
  'dots in the gaps, zeros for blanks': (cells) => joined(rowsOfSamurai(cells.replaceAll('.', '0'), '.')),
  'dots everywhere': (cells) => joined(rowsOfSamurai(cells, '.')),
  'spaces in the gaps': (cells) => joined(rowsOfSamurai(cells, ' ')),
  'gaps filled with #': (cells) => joined(rowsOfSamurai(cells, '#')),
  'gaps left out': (cells) => joined(rowsOfSamurai(cells, '')),
  'numbers, minus signs for blanks and gaps': (cells) =>
    joined(rowsOfSamurai(cells.replaceAll('.', '-'), '-'), ' '),
  'numbers, zeros for blanks, -1 in the gaps': (cells) =>
    joined(rowsOfSamurai(cells.replaceAll('.', '0'), '-1'), ' '),
  'numbers, gaps of spaces': (cells) => joined(rowsOfSamurai(cells, ' '), ' '),
  'lines between the boxes': (cells) => {
    const rows = rowsOfSamurai(cells, ' ').map(barred);
    const ruler = `${'-'.repeat(6)}${`+${'-'.repeat(7)}`.repeat(5)}+${'-'.repeat(6)}`;
    return rows.map((row, k) => (k % 3 === 0 && k > 0 ? `${ruler}\n${row}\n` : `${row}\n`)).join('');
  },
  'lines around it': (cells) => {
    const edge = `+${'-'.repeat(21)}+`;
    return `${edge}\n${rowsOfSamurai(cells, ' ')
      .map((row) => `|${row.join('')}|\n`)
      .join('')}${edge}\n`;
  },
  'a blank line after each band': (cells) =>
    rowsOfSamurai(cells, '.')
      .map((row, k) => `${row.join('')}\n${k % 3 === 2 && k < 20 ? '\n' : ''}`)
      .join(''),
};

/** The same on one line. */
export const SAMURAI_LINES: Readonly<Record<string, (cells: string) => string>> = {
  'cells alone': (cells) => `${cells}\n`,
  'dots in the gaps': (cells) => `${joined(rowsOfSamurai(cells, '.')).replaceAll('\n', '')}\n`,
  'zeros for blanks, # in the gaps': (cells) =>
    `${joined(rowsOfSamurai(cells.replaceAll('.', '0'), '#')).replaceAll('\n', '')}\n`,
};
