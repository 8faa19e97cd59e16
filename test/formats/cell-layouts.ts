/** Layouts with separators, frames, brackets or quotes around the cells of a grid, and writers of them. */

import { randomFullGrid } from '../../lib/sudoku/generator/full-grid.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { completed } from '../../lib/sudoku/generator/steps.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';

/** Cells of a grid as symbols; '' for a blank. */
export type Cells = readonly string[];

export interface CellLayout {
  /** Whether symbols must have one character. */
  readonly characters: boolean;
  readonly format: 'cells' | 'cells-line' | 'boxed' | 'line';
  /** The text of a grid, with its last line end; a blank line follows unless the grid is on one line. */
  readonly write: (cells: Cells, blank: string) => string;
  /** Blanks that the layout can have, in turn. */
  readonly blanks: readonly string[];
  /** Sizes that the layout can have; all by default. */
  readonly sizes?: readonly number[];
}

export function rowsOf(cells: Cells): string[][] {
  const size = Math.sqrt(cells.length);
  return Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
}

const filled = (cells: Cells, blank: string) => cells.map((cell) => (cell === '' ? blank : cell));
const SIGNS = ['0', '.', '_', '?'];
const boxColumns = (size: number) =>
  ({ 4: 2, 6: 3, 8: 4, 9: 3, 10: 5, 12: 4, 15: 5, 16: 4, 20: 5, 25: 5 })[size] ?? 3;
const boxRows = (size: number) => size / boxColumns(size);

/** Rows of cells with a separator. */
function separated(separator: string, blanks: readonly string[], before = '', after = ''): CellLayout {
  return {
    characters: false,
    format: 'cells',
    blanks,
    write: (cells, blank) =>
      rowsOf(filled(cells, blank))
        .map((row) => `${before}${row.join(separator)}${after}\n`)
        .join(''),
  };
}

/** Groups of adjacent cells on a line, a row each. */
function grouped(separator: string, blanks = SIGNS): CellLayout {
  return {
    characters: true,
    format: 'cells-line',
    blanks,
    write: (cells, blank) =>
      `${rowsOf(filled(cells, blank))
        .map((row) => row.join(''))
        .join(separator)}\n`,
  };
}

/** Boxes with bars and rulers, spaces for blanks. */
function boxes(frame: boolean, pad: string): CellLayout {
  return {
    characters: false,
    format: 'cells',
    blanks: [' '],
    write(cells) {
      const size = Math.sqrt(cells.length);
      const width = size > 9 ? 2 : 1;
      const columns = boxColumns(size);
      const between = pad === '' ? ' ' : pad;
      const lines = rowsOf(cells).map((row) => {
        const texts = row.map((cell) => cell.padStart(width));
        const groups = Array.from({ length: size / columns }, (_, k) =>
          texts.slice(k * columns, (k + 1) * columns).join(between),
        ).map((group) => (pad === '' ? group : `${pad}${group}${pad}`));
        return frame ? `|${groups.join('|')}|` : groups.join('|').trimEnd();
      });
      const ruler = frame
        ? lines[0].replace(/[^|]/g, '-').replaceAll('|', '+')
        : `${'-'.repeat(3)}${'+---'.repeat(size / columns - 1)}`;
      const ruled = lines.flatMap((line, k) => (k > 0 && k % boxRows(size) === 0 ? [ruler, line] : [line]));
      return `${(frame ? [ruler, ...ruled, ruler] : ruled).join('\n')}\n`;
    },
  };
}

/** Every cell between bars. */
function bars(rulers: 'none' | 'all' | 'table', blanks: readonly string[]): CellLayout {
  return {
    characters: false,
    format: 'cells',
    blanks,
    write(cells, blank) {
      const size = Math.sqrt(cells.length);
      const width = size > 9 ? 2 : 1;
      const lines = rowsOf(filled(cells, blank)).map(
        (row) => `| ${row.map((cell) => cell.padStart(width)).join(' | ')} |`,
      );
      const ruler = `+${'-'.repeat(width + 2)}`.repeat(size).concat('+');
      const head = `|${'---|'.repeat(size)}`;
      if (rulers === 'all') return `${[ruler, ...lines.flatMap((line) => [line, ruler])].join('\n')}\n`;
      return `${(rulers === 'table' ? [lines[0], head, ...lines.slice(1)] : lines).join('\n')}\n`;
    },
  };
}

/** A list of lists in program code. */
function nested(
  open: string,
  close: string,
  before: string,
  after: string,
  blanks: readonly string[],
  quote = '',
): CellLayout {
  return {
    characters: false,
    format: 'cells',
    blanks,
    write: (cells, blank) =>
      `${before}${open}${rowsOf(filled(cells, blank))
        .map((row) => `${open}${row.map((cell) => `${quote}${cell}${quote}`).join(', ')}${close}`)
        .join(',\n ')}${close}${after}\n`,
  };
}

export const CELL_LAYOUTS: Readonly<Record<string, CellLayout>> = {
  commas: separated(',', ['0', '.', '_', '?', '', ' ', '-1']),
  'commas and spaces': separated(', ', ['0', '.', 'x']),
  semicolons: separated(';', ['0', '', '-']),
  tabs: separated('\t', ['0', '', '.']),
  slashes: separated('/', ['0', '.']),
  'a comma after each cell': separated(',', ['0', '.'], '', ','),
  'rows in brackets': separated(', ', ['0', 'None', 'null', '_'], '[', '],'),
  'rows in brackets, spaces between': separated(' ', ['0', '.'], '[', ']'),
  'rows in quotes, commas between': separated(',', ['0', ''], '"', '"'),
  'quoted cells': separated('","', ['0', '', '.', ' '], '"', '"'),
  'rows in a Lisp list': { ...separated(' ', ['0', 'nil', '_'], '(', ')'), format: 'cells' },
  'a MATLAB matrix': {
    ...separated(' ', ['0', 'NaN'], '     ', ';'),
    write: (cells, blank) =>
      `A = [${rowsOf(filled(cells, blank))
        .map((row) => row.join(' '))
        .join(';\n     ')}];\n`,
  },
  'quoted rows': {
    characters: true,
    format: 'cells',
    blanks: [...SIGNS, ' '],
    write: (cells, blank) =>
      rowsOf(filled(cells, blank))
        .map((row) => `"${row.join('')}",\n`)
        .join(''),
  },
  'a C array': nested('{', '}', 'int board[9][9] = ', ';', ['0']),
  'a Java array': nested('{', '}', '', ';', ['0', "'.'"]),
  'a Python list': nested('[', ']', 'puzzle = ', '', ['0', 'None']),
  'a list of characters': nested('[', ']', '', '', ['.', ' ', ''], "'"),
  'Prolog facts': nested('[', ']', 'problem(1, ', ').', ['_']),
  'a Rust vector': nested('[', ']', 'let board: [[u8; 9]; 9] = ', ';', ['0']),
  'a list on lines of its own': {
    characters: false,
    format: 'cells',
    blanks: ['0', '.'],
    write: (cells, blank) =>
      `grid = [\n${rowsOf(filled(cells, blank))
        .map((row) => `    [${row.join(', ')}],  # row\n`)
        .join('')}]\n`,
  },
  'a box a group': boxes(true, ' '),
  'a box a group without a frame': boxes(false, ' '),
  'cells between bars': bars('none', [' ', '0', '.']),
  'cells in frames': bars('all', [' ', '.', '0']),
  'a Markdown table': bars('table', [' ', '0']),
  'a Markdown table with an empty head': {
    ...bars('none', [' ', '0']),
    write(cells, blank) {
      const size = Math.sqrt(cells.length);
      return `|${'   |'.repeat(size)}\n|${':-:|'.repeat(size)}\n${bars('none', [' ']).write(cells, blank)}`;
    },
  },
  'a Markdown table with names of columns': {
    ...bars('none', [' ', '0']),
    write(cells, blank) {
      const names = Array.from({ length: Math.sqrt(cells.length) }, (_, k) => ` ${k + 1} `);
      return `|${names.join('|')}|\n|${'---|'.repeat(names.length)}\n${bars('none', [' ']).write(cells, blank)}`;
    },
  },
  'names of columns': {
    ...separated(',', ['0', '']),
    write: (cells, blank) =>
      `${rowsOf(cells)[0]
        .map((_, k) => `col${k}`)
        .join(',')}\n${separated(',', []).write(cells, blank)}`,
  },
  'fields on a line': {
    characters: false,
    format: 'cells-line',
    blanks: ['0', '.', ''],
    write: (cells, blank) => `${filled(cells, blank).join(',')}\n`,
  },
  'fields on a line under names of columns': {
    characters: false,
    format: 'cells-line',
    blanks: ['0', ''],
    write: (cells, blank) => `${cells.map((_, k) => `c${k}`)}\n${filled(cells, blank).join(',')}\n`,
  },
  'a list on a line': {
    characters: false,
    format: 'cells-line',
    blanks: ['0', '.'],
    write: (cells, blank) =>
      `{${rowsOf(filled(cells, blank))
        .map((row) => `{${row.join(', ')}}`)
        .join(', ')}};\n`,
  },
  'a MATLAB matrix on a line': {
    characters: false,
    format: 'cells-line',
    blanks: ['0'],
    write: (cells, blank) =>
      `S = [${rowsOf(filled(cells, blank))
        .map((row) => row.join(' '))
        .join('; ')}];\n`,
  },
  'groups with slashes': grouped('/'),
  'groups with bars': grouped('|'),
  'groups with spaces': grouped(' '),
  'groups with commas': grouped(','),
  'lines in quotes': {
    characters: true,
    format: 'cells-line',
    blanks: [...SIGNS, ' '],
    write: (cells, blank) => `"${filled(cells, blank).join('')}",\n`,
  },
  'lines in single quotes': {
    characters: true,
    format: 'cells-line',
    blanks: SIGNS,
    write: (cells, blank) => `'${filled(cells, blank).join('')}'\n`,
  },
  'numbered lines': {
    characters: true,
    format: 'line',
    blanks: SIGNS,
    write: (cells, blank) => `7. ${filled(cells, blank).join('')}\n`,
  },
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A puzzle and its solution; above 9x9, symbols of one character are letters. */
export function randomPuzzle(
  size: number,
  seed: number,
  { characters }: CellLayout,
  share = 40,
): { readonly puzzle: Cells; readonly solution: Cells } {
  const random = new RandomSource(seed);
  const solution = Array.from(completed(randomFullGrid(standardGeometry(size), random, 50))!, (digit) =>
    characters && size > 9 ? LETTERS[digit - 1] : String(digit),
  );
  return { puzzle: solution.map((symbol) => (random.below(100) < share ? symbol : '')), solution };
}
