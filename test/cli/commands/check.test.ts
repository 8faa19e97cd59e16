import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { CLASHING, CUT_OFF, EASY, UNSOLVABLE } from '../../support/puzzles.ts';
import { folderWith, runProgram } from '../program.ts';

const BOARD = [
  '[["8","3",".",".","7",".",".",".","."],["6",".",".","1","9","5",".",".","."],[".","9","8",".",".",".",".","6","."]',
  '["8",".",".",".","6",".",".",".","3"],["4",".",".","8",".","3",".",".","1"],["7",".",".",".","2",".",".",".","6"]',
  '[".","6",".",".",".",".","2","8","."],[".",".",".","4","1","9",".",".","5"],[".",".",".",".","8",".",".","7","9"]]',
].join(',');

const folder = folderWith(
  {
    'good.txt': `${EASY}\n${UNSOLVABLE}\n`,
    'bad.txt': `# comment\n${EASY}\n${CLASHING}\n${CUT_OFF}\n${EASY}\n`,
    'packed.gz': gzipSync(`${EASY}\n`),
    'torn.gz': gzipSync(`${EASY}\n`.repeat(100)).subarray(0, 60),
    'board.json': `${BOARD}\n`,
    'comments.txt': `${'# one\n'.repeat(40)}${EASY}\n`,
    'only-comments.txt': '# one\n\n; two\n',
    'table.csv': `# made\nid,puzzle,rating,author\n7,${EASY},3,me\n`,
    'sizes.gz': gzipSync(`${EASY} ü\n${CLASHING}\n${CUT_OFF}\n0020100000030000\n`),
    'fourteen.txt': `1${'.'.repeat(195)}\n${'.'.repeat(195)}1\n`,
    'controls.csv': `puzzle,\u001b[31mred\n${EASY},1\n`,
    'words.txt': 'no puzzle at all\n',
    'empty.txt': '',
    'queens.dlx': 'a b c\na\nb c\n',
    'diagonal.txt': `1${'.'.repeat(79)}1\n`,
    'wide.txt': `1${'.'.repeat(12)}1${'.'.repeat(22)}\n`,
  },
  afterAll,
);
/** A puzzle with lines between its boxes. */
function drawn(puzzle: string): string[] {
  const rows = puzzle
    .match(/.{9}/g)!
    .map((row) => row.replaceAll(/(...)(?=.)/g, '$1|').replaceAll(/(.)(?=.)/g, '$1 '));
  return rows.flatMap((row, k) => (k === 3 || k === 6 ? ['------+-------+------', row] : [row]));
}

const check = (args: readonly string[], input = '') => runProgram(folder, ['check', ...args], input);

describe('check', () => {
  test('reports only the counts if all givens are valid, solvable or not', async () => {
    expect(await check(['good.txt'])).toEqual({
      status: 0,
      signal: null,
      stdout: '',
      stderr: 'good.txt: 2 puzzles: 2 valid\n',
    });
  });

  test('reports file, line and puzzle, and the clashing cells', async () => {
    const { status, stdout, stderr } = await check(['bad.txt']);
    expect([status, stderr]).toEqual([
      1,
      'bad.txt: 4 puzzles: 2 valid, 1 invalid, 1 unreadable\n  1 comment line:\n    line 1: # comment\n',
    ]);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'bad.txt:3: puzzle 2: invalid: 1 occurs twice in row 1 (r1c1, r1c2); 1 occurs twice in box 1 (r1c1, r1c2)',
      expect.stringMatching(/^bad\.txt:4: puzzle 3: unreadable: line 4, column 1: found 60 characters/),
    ]);
  });

  test('lists the first comment lines, and the columns that no result depends on', async () => {
    const comments = (await check(['comments.txt'])).stderr.trimEnd().split('\n');
    expect(comments).toHaveLength(12);
    expect(comments.slice(1, 3)).toEqual(['  40 comment lines; the first ones:', '    line 1: # one']);
    expect((await check(['only-comments.txt'])).stderr).toBe(
      'only-comments.txt: no puzzles: the file has only comments\n  2 comment lines:\n    line 1: # one\n    line 3: ; two\n',
    );
    expect((await check(['table.csv'])).stderr).toBe(
      'table.csv: 1 puzzle: 1 valid\n  1 comment line:\n    line 1: # made\n  unused columns: rating, author\n',
    );
    expect(JSON.parse((await check(['--json', 'table.csv'])).stdout)).toMatchObject({
      comments: { lines: 1, first: [{ line: 1, text: '# made' }] },
      unusedColumns: ['rating', 'author'],
    });
  });

  test('explains how a file is understood, with the first grid drawn', async () => {
    const { status, stdout } = await check(['--explain', 'table.csv']);
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'table.csv',
      '  encoding      ASCII',
      '  format        csv',
      '  columns       separated by ","; puzzle in "puzzle", name in "id", unused columns: rating, author',
      '  puzzles       1 puzzle',
      '                1 9x9 standard: format csv, digits 1-9, blank ".", boxes 3x3',
      '  comments      1 comment line',
      '                line 1: # made',
      '  first puzzle  puzzle 1, line 3',
      ...drawn(EASY).map((row) => `                ${row}`),
      '  if wrong, pass --alphabet (9x9): 1-9, 0-8, A-I',
      '                 --variant (9x9): latin, latin-x, x, windoku, windoku-x',
      '',
    ]);
  });

  test('explains each size, the first error and the container', async () => {
    const { status, stdout } = await check(['--explain', 'sizes.gz']);
    expect(status).toBe(1);
    for (const text of [
      'container     gzip data',
      'encoding      UTF-8',
      'puzzles       4 puzzles, 1 unreadable, 1 with clashing givens',
      '2 9x9 standard: format line, digits 1-9, blank ".", boxes 3x3',
      '1 4x4 standard: format line, digits 1-4, blank "0", boxes 2x2',
      'first error   puzzle 3: bad_length: line 3, column 1',
    ]) {
      expect(stdout).toContain(text);
    }
  });

  test('explains a file that cannot be read, with the option that helps', async () => {
    const { status, stdout } = await check(['--explain', 'fourteen.txt']);
    expect(status).toBe(2);
    expect(stdout).toContain('  format        none\n');
    expect(stdout).toMatch(/first error {3}no_puzzles: .*; --box 2x7 or --box 7x2 read it\n/);
    expect(JSON.parse((await check(['--explain', '--json', 'fourteen.txt'])).stdout)).toMatchObject({
      file: 'fourteen.txt',
      firstError: { code: 'no_puzzles', suggestion: [{ option: 'box', value: '2x7' }, { value: '7x2' }] },
    });
  });

  test('explains nothing of the terminal: control characters are replaced', async () => {
    const { stdout } = await check(['--explain', 'controls.csv']);
    expect(stdout).toContain('unused column');
    expect(stdout).not.toContain('\u001b');
  });

  test('writes JSON lines: one per puzzle, and one with the counts of each file', async () => {
    const { status, stdout, stderr } = await check(['--json', 'bad.txt', 'good.txt']);
    expect([status, stderr]).toEqual([1, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        file: 'bad.txt',
        index: 2,
        line: 3,
        status: 'invalid',
        puzzle: CLASHING,
        error: {
          code: 'clashing_givens',
          clashes: [
            { unit: 'row 1', digit: '1', cells: ['r1c1', 'r1c2'] },
            { unit: 'box 1', digit: '1', cells: ['r1c1', 'r1c2'] },
          ],
        },
      },
      { file: 'bad.txt', index: 3, line: 4, status: 'unreadable', error: { code: 'bad_length', column: 1 } },
      { file: 'bad.txt', puzzles: { total: 4, valid: 2, invalid: 1, unreadable: 1 } },
      { file: 'good.txt', puzzles: { total: 2, valid: 2, invalid: 0, unreadable: 0 } },
    ]);
  });

  test('says why a file has no puzzles, and exits with 2 if --require-puzzles is given', async () => {
    expect(await check(['--require-puzzles', 'empty.txt', 'good.txt'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^empty.*\ndlx-batch: empty.txt: no puzzles: .*--require-puzzles .*\ngood/,
      ),
    });
    const { stdout } = await check(['--json'], 'puzzle,solution\n');
    expect(JSON.parse(stdout)).toMatchObject({ puzzles: { total: 0 }, noPuzzles: 'header' });
  });

  test.each([
    ['a gzip file', ['packed.gz'], '', 'packed.gz: 1 puzzle: 1 valid\n'],
    ['standard input', [], `${EASY}\n`, '-: 1 puzzle: 1 valid\n'],
    ['an empty file', ['empty.txt'], '', 'empty.txt: no puzzles: the file is empty\n'],
    [
      'a file with the rules of --variant',
      ['--variant', 'latin', 'good.txt'],
      '',
      'good.txt: 2 puzzles: 2 valid\n',
    ],
    ['a file with the boxes of --box', ['--box', '2x3', 'wide.txt'], '', 'wide.txt: 1 puzzle: 1 valid\n'],
  ])('reads %s', async (_name, args, input, summary) => {
    expect(await check(args, input)).toMatchObject({ status: 0, stdout: '', stderr: summary });
  });

  test.each([
    ['a board of JSON', ['board.json'], '8 occurs twice in column 1 (r1c1, r4c1)'],
    ['a diagonal of the variant', ['--variant', 'x', 'diagonal.txt'], 'diagonal 1 (r1c1, r9c9)'],
    ['a box of another shape', ['--box', '3x2', 'wide.txt'], 'box 1 (r1c1, r3c2)'],
  ])('finds conflicts in %s', async (_name, args, message) => {
    const { status, stdout } = await check(args);
    expect([status, stdout]).toEqual([1, expect.stringContaining(message)]);
  });

  test.each([
    ['a file without puzzles', ['words.txt'], 'dlx-batch: words.txt: '],
    ['a missing file', ['missing.txt'], 'dlx-batch: missing.txt: no such file'],
    ['a truncated gzip file', ['torn.gz'], 'dlx-batch: torn.gz: '],
    ['exact-cover problems', ['queens.dlx'], 'which have no givens'],
    ['a bad option', ['--box', '3', 'good.txt'], 'option "--box" is "3"'],
  ])('exits with 2 for %s', async (_name, args, message) => {
    const { status, stderr } = await check(args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('continues with the next file after one that cannot be checked', async () => {
    const { status, stderr } = await check(['words.txt', 'good.txt']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/words\.txt.*\ngood\.txt: 2 puzzles: 2 valid\n$/),
    ]);
  });
});
