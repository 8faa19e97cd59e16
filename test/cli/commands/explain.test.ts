import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { CUT_OFF, EASY } from '../../support/puzzles.ts';
import { folderWith, runProgram } from '../program.ts';

const folder = folderWith(
  {
    'a.txt': `${EASY}\n${CUT_OFF}\n`,
    'good.txt': `${EASY}\n`,
    'letter.txt': 'Dear Ms Knuth,',
    'torn.gz': gzipSync(`${EASY}\n`.repeat(100)).subarray(0, 60),
    'queens.dlx': 'a b c\na\nb c\n',
    'torn.dlx': 'a b c\na\nb d\n',
  },
  afterAll,
);

test('--explain reports options, items, nodes, and the bytes of both layouts of each puzzle', async () => {
  const { status, stdout } = await runProgram(folder, ['solve', '--explain', 'a.txt']);
  // 183 options of 4 nodes, 324 items, the root; 6 bytes per node, 2 per option, 1 for each item and the root.
  const layout = 'puzzle 1 (line 1), 9x9: 183 options, 324 items, 1,057 nodes; ';
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/ [\d,]+ bytes in typed arrays, 7,033 in a linked layout with 6 bytes per node/),
    expect.stringMatching(/^puzzle 2 \(line 2\): unreadable: line 2, column 1: /),
    '',
  ]);
  expect(stdout.slice(0, layout.length)).toBe(layout);
  expect(status).toBe(1);
});

test('--explain --json reports the same as one JSON object per line', async () => {
  const { stdout } = await runProgram(folder, ['solve', '--explain', '--json', 'a.txt']);
  const [report, failure] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const counts = { options: 183, items: 324, nodes: 1057, seedBytes: 7033 };
  expect(report).toEqual({ file: 'a.txt', index: 1, line: 1, size: 9, ...counts, bytes: expect.any(Number) });
  expect(failure).toMatchObject({ file: 'a.txt', index: 2, line: 2, error: { code: 'bad_length' } });
});

test('--explain of a file without puzzles writes one line and exits with 2', async () => {
  const { status, stdout, stderr } = await runProgram(folder, ['solve', '--explain', 'letter.txt']);
  expect(stderr).toMatch(/^dlx-batch: letter\.txt: no puzzles found.*\n$/);
  expect([stdout, status]).toEqual(['', 2]);
});

test.each([
  ['every puzzle is readable', ['good.txt'], 0],
  ['every exact-cover problem is readable', ['queens.dlx'], 0],
  ['a puzzle of any file is unreadable', ['a.txt', 'good.txt'], 1],
  ['an exact-cover problem is unreadable', ['torn.dlx'], 1],
  ['a file has no puzzles', ['letter.txt', 'a.txt'], 2],
  ['a file is damaged', ['torn.gz', 'a.txt'], 2],
])('the exit status of --explain if %s', async (_name, files, expected) => {
  const { status, stdout, stderr } = await runProgram(folder, ['solve', '--explain', ...files]);
  expect(status).toBe(expected);
  expect(stdout).not.toBe('');
  // One line for each unreadable file, and no stack trace.
  expect(stderr.split('\n').length - 1).toBe(expected === 2 ? 1 : 0);
});
