/** Layouts of puzzles in sources, documentation and test data of public sudoku programs. */
import { describe, expect, it } from 'vitest';
import { CLASSIC, readText, rowsOf } from '../../reading.ts';

const rows = (blank = '.') => rowsOf(CLASSIC.replaceAll('.', blank));
const cells = (blank: string) => rows().map((row) => [...row].map((cell) => (cell === '.' ? blank : cell)));
const listed = (blank: string, open: string, separator: string, close: string, between: string) =>
  cells(blank)
    .map((row) => `${open}${row.join(separator)}${close}`)
    .join(between);
const everyThird = (lines: readonly string[], between: string, third: string) =>
  lines.map((line, k) => `${line}${k === 8 ? '' : k % 3 === 2 ? third : between}`).join('');

const LAYOUTS: Record<string, string> = {
  'lines broken by backslashes (Markdown)': `${everyThird(listed('0', '', ' ', '', '\n').split('\n'), '\\\n', '\n\n')}\n`,
  'groups between bars': `${everyThird(
    rows('0').map((row) => row.replace(/(...)(...)/, '$1 | $2 | ')),
    '\n',
    '\n---------------\n',
  )}\n`,
  'groups between bars, spaces for blanks': `${everyThird(
    rows(' ').map((row) => row.replace(/(...)(...)/, '$1 | $2 | ').trimEnd()),
    '\n',
    '\n---------------\n',
  )}\n`,
  'bars between cells, dashes for blanks': `${listed('-', '', '|', '', '\n')}\n`,
  'lines of bars between rows (problem 97)': `${everyThird(
    cells('.').map((row) => ` ${row.join('  ').replaceAll(/(.{7}) {2}/g, '$1 | ')}`),
    '\n         |         |\n',
    '\n --------+---------+--------\n',
  )}\n`,
  'strings of Haskell': `easy  =  [${rows()
    .map((row) => `"${row}"`)
    .join(',\n          ')}]\n`,
  'strings of Haskell on a line': `sudoku [${rows()
    .map((row) => `"${row}"`)
    .join(',')}]\n`,
  'a matrix of Julia': `    start = [\n${listed('0', '        ', ' ', '', '\n')}\n    ]\n`,
  'facts of Prolog': `problem(1, [${listed('_', '[', ',', ']', ',\n            ')}]).\n`,
  'a flat vector of Rust': `    let board = vec![${listed('0', '', ',', '', ',\n                     ')}];\n`,
  'an argument of Rust': `    let mut b = SudokuBoard::new([\n${listed('0', '        [', ', ', '],', '\n')}\n    ]);\n`,
  'an array of Go': `var board = [9][9]int{\n${listed('0', '\t{', ', ', '},', '\n')}\n}\n`,
  'arrays of Kotlin': `val board = arrayOf(\n${listed('0', '    intArrayOf(', ', ', ')', ',\n')}\n)\n`,
  'arrays of PHP': `$board = array(\n${listed('0', '  array(', ', ', '),', '\n')}\n);\n`,
  'a text of Python': `grid = """\n${rows().join('\n')}\n"""\n`,
  'an array printed by NumPy': `[${listed('0', '[', ' ', ']', '\n ')}]\n`,
  'data of MiniZinc': `start=[|\n${listed('0', '', ', ', '|', '\n')}\n|];\n`,
  'data of MiniZinc, bars in front': `puzzle = [| ${listed('_', '', ', ', '', '\n          | ')} |];\n`,
  'lists of YAML': `board:\n${listed('0', '  - [', ', ', ']', '\n')}\n`,
  'texts of YAML': `puzzle:\n${rows()
    .map((row) => `  - "${row}"\n`)
    .join('')}`,
  'rows of LaTeX': `${listed('', '|', '|', '|.', '\n')}\n`,
  'a data frame': `,${[...'012345678']}\n${cells('0')
    .map((row, k) => `${k},${row}\n`)
    .join('')}`,
};

describe.each(Object.entries(LAYOUTS))('%s', (_name, text) => {
  it('is one puzzle, in a file of its own and between lines', () => {
    for (const file of [
      text,
      text.replaceAll('\n', '\r\n'),
      `${text}\n${text}`,
      `${CLASSIC}\n\n${text}\n${CLASSIC}\n`,
    ]) {
      const { records } = readText(file);
      const grids = records.map(
        ({ grid, notes }) => notes?.error?.message ?? grid.replaceAll(/[0 _-]/g, '.'),
      );
      expect(grids).toEqual(records.map(() => CLASSIC));
      expect(records.length).toBe(file.includes(`${CLASSIC}\n`) ? 3 : file === `${text}\n${text}` ? 2 : 1);
    }
  });
});

describe('what has no rows is refused, in one record with its place', () => {
  it.each([
    [
      'cells as facts',
      `${cells('')
        .flatMap((row, r) => row.map((cell, c) => (cell === '' ? '' : `sudoku(${r},${c},${cell}). `)))
        .join('')}\n`,
    ],
    ['cells of HTML', `<tr>${listed('', '<td>', '</td><td>', '</td>', '</tr><tr>')}</tr>\n`],
    [
      'three rows a line',
      `S = [${[0, 3, 6]
        .map((from) =>
          cells('0')
            .slice(from, from + 3)
            .join(';'),
        )
        .join(';...\n')}];\n`,
    ],
  ])('%s', (_name, text) => {
    const { records } = readText(`${CLASSIC}\n\n${text}\n${CLASSIC}\n`);
    const errors = records.filter(({ notes }) => notes?.error !== undefined);
    expect(errors.length).toBe(records.length - 2);
    expect(errors[0].notes?.error?.line).toBe(3);
  });
});

const CODE: Record<string, string> = {
  'strings of Java': `String puzzle =\n${rows()
    .map((row) => `    "${row}"`)
    .join(' +\n')};\n`,
  'strings of Java with line breaks': `String puzzle =\n${rows()
    .map((row) => `    "${row}\\n"`)
    .join(' +\n')};\n`,
  'a text of Python that starts on the line of its name': `grid = """${rows().join('\n')}"""\n`,
  'texts of YAML': `puzzle: |\n${rows()
    .map((row) => `  ${row}\n`)
    .join('')}`,
  'a block of code of Markdown': `\`\`\`text\n${rows().join('\n')}\n\`\`\`\n`,
  'bars of colons': `${listed('.', ': ', ' : ', ' :', '\n')}\n`,
};

describe.each(Object.entries(CODE))('%s', (_name, text) => {
  it('is one puzzle, in a file of its own and between lines', () => {
    for (const file of [text, text.replaceAll('\n', '\r\n'), `${CLASSIC}\n\n${text}\n${CLASSIC}\n`]) {
      const { records } = readText(file);
      const grids = records.map(({ grid, notes }) => notes?.error?.message ?? grid.replaceAll(/[0 ]/g, '.'));
      expect(grids).toEqual(Array(file.includes(`${CLASSIC}\n`) ? 3 : 1).fill(CLASSIC));
    }
  });
});

/** Code and tables that need rules of their own: the general rule of brackets, quotes and separators does not read them. */
const REFUSED: Record<string, string> = {
  'lists of Lisp': `(defvar board '(${listed('0', '(', ' ', ')', '\n\t\t')}))\n`,
  'an array of Lisp': `(setf board\n   #2A(${listed('0', '(', ' ', ' )', '\n       ')}))\n`,
  'vectors of Lisp': `(defvar *puzzle*\n  '#(\n${listed('0', '     #(', ' ', ')', '\n')}\n     ))\n`,
  'vectors of Clojure': `(def board\n  [${listed('0', '[', ' ', ']', '\n   ')}])\n`,
  'a matrix of MATLAB, continued': `Problem = ...\n    [${listed('0', '', ' ', '', ';\n     ')}];\n`,
  'a matrix of MATLAB, rows continued': `B = [ ...\n${listed('0', '  ', ' ', '; ...', '\n')}\n];\n`,
  'a table of LaTeX': `\\begin{tabular}{|${'c|'.repeat(9)}}\n\\hline\n${listed('', '', ' & ', ' \\\\ \\hline', '\n')}\n\\end{tabular}\n`,
  'a matrix of LaTeX': `\\begin{bmatrix}\n${listed('0', '', '&', '\\\\', '\n')}\n\\end{bmatrix}\n`,
  'a table of a wiki': `{| class="wikitable"\n|-\n${listed('', '| ', ' || ', '', '\n|-\n')}\n|}\n`,
};

describe.each(Object.entries(REFUSED))('%s', (_name, text) => {
  it('is refused, or only its first line is; it is never another puzzle', () => {
    for (const file of [text, `${CLASSIC}\n\n${text}\n${CLASSIC}\n`]) {
      const { detection, records } = readText(file);
      const errors = records.filter(({ notes }) => notes?.error !== undefined).length;
      expect(detection.kind === 'unreadable' || errors > 0).toBe(true);
      const grids = records.filter(({ notes }) => notes?.error === undefined).map(({ grid }) => grid);
      expect(grids.every((grid) => grid.replaceAll(/[0 ]/g, '.') === CLASSIC)).toBe(true);
    }
  });
});

it('rows between tabs with empty cells are no list of tokens', () => {
  const text = '4\t\t2\t1\n1\t2\t4\t\n\t4\t1\t2\n2\t1\t\t4\n';
  const { records } = readText(text);
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ format: 'cells', size: 4, grid: '4 21124  41221 4' });
});

it('two cells of a row between tabs are no size', () => {
  const text = '\t4\t\t\t\t\t1\t\t\n\t\t6\t9\t4\t8\t\t\t\n'.concat(...Array(7).fill('\t\t\t\t3\t\t5\t\t\n'));
  const { records } = readText(`${text}\n${text}`);
  expect(records.map(({ format, size, notes }) => [format, size, notes?.error])).toEqual(
    Array(2).fill(['cells', 9, undefined]),
  );
});

it('a ruler of stars and dashes is no puzzle of blanks', () => {
  const ruler = `*${'----*'.repeat(16)}`;
  expect(ruler).toHaveLength(81);
  expect(readText(`${ruler}\n${CLASSIC}\n${ruler}\n`).records.map(({ grid }) => grid)).toEqual([CLASSIC]);
});

it.each([
  ['HTML', '<!DOCTYPE html>\n<html><body><table><tr><td>5</td><td>3</td></tr></table></body></html>\n'],
  ['LaTeX', '\\documentclass{article}\nno puzzle here\n'],
  ['a table of a wiki', '{| class="wikitable"\n|-\n| 5 || 3\n|}\n'],
  ['Lisp', '(defvar board\n no puzzle here)\n'],
  ['a CNF formula', 'p cnf 729 2\n12 0\n13 0\n'],
])('a file of %s is refused as such', (name, text) => {
  const { detection } = readText(text);
  expect(detection.kind === 'unreadable' ? detection.error.message : detection.kind).toContain(
    `the file is ${name}`,
  );
});
