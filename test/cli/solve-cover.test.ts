import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queens } from '../exact-cover/classic-problems.ts';
import { knuthText, sparseText } from '../formats/exact-cover/problem-files.ts';
import { folderWith, runProgram } from './program.ts';

const COLOURED = '| colours\nA B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n';
const EIGHT = knuthText(queens(8));

describe('solving exact-cover files', () => {
  let folder: string;
  beforeAll(() => {
    folder = folderWith(
      {
        'coloured.txt': COLOURED,
        'items.dlx': 'A B\n',
        'queens.dlx.gz': gzipSync(EIGHT),
        'queens.sparse': sparseText(queens(8)),
        'costs.dlx': 'a\na |3\na |1\na |2\n',
        'bad.dlx': 'A B\nA C\n',
      },
      afterAll,
    );
  });

  test('writes the chosen options to standard output, and warnings and statistics to standard error', async () => {
    const { status, stdout, stderr } = await runProgram(folder, ['solve', 'coloured.txt']);
    expect([status, stdout]).toEqual([0, 'A C X:1 Y:1\nB X:1\n']);
    expect(stderr).toMatch(/^coloured\.txt: 1 puzzle: 1 solved$/m);
    expect(stderr).toMatch(/^ {2}warning: puzzle 1: line 5: the option "X:0 Y:1" has no primary item/m);
    expect(stderr).toMatch(/^ {2}\(4 options, 3\+2 items, 12 entries read, 1 omitted; /m);
    expect(stderr).toMatch(/^ {2}Altogether 1 solution, \d+ updates, \d+ search nodes$/m);
  });

  test('writes the two cheapest solutions if two are requested, and a cheapest one by default', async () => {
    const two = await runProgram(folder, ['solve', '--solutions', '2', 'costs.dlx']);
    const lines = [
      '# puzzle 1, solution 1, cost 1',
      'a |1',
      '',
      '# puzzle 1, solution 2, cost 2',
      'a |2',
      '',
    ];
    expect([two.status, two.stdout]).toEqual([0, lines.join('\n')]);
    const one = await runProgram(folder, ['solve', 'costs.dlx']);
    expect([one.status, one.stdout]).toEqual([1, '# puzzle 1, cost 1\na |1\n']);
    expect(one.stderr).toContain('1 multiple');
  });

  test('draws random solutions, the same for a seed', async () => {
    const draw = (seed: string) =>
      runProgram(folder, ['solve', '--random', '3', '--seed', seed, 'queens.dlx.gz']);
    const { status, stdout, stderr } = await draw('5');
    expect([status, stdout.match(/^# puzzle 1, solution \d$/gm)?.length]).toEqual([0, 3]);
    expect(stderr).toMatch(/^ {2}3 random solutions of each puzzle, seed 5$/m);
    expect((await draw('5')).stdout).toBe(stdout);
    expect((await draw('6')).stdout).not.toBe(stdout);
  });

  test.each([
    [['--random', '0'], 'option "--random" is "0": expected a whole number from 1'],
    [['--seed', '1'], '--seed needs --random'],
    [['--random', '2', '--count'], '--random counts all solutions before it draws: omit --count'],
    [['--random', '2', '--solutions', '3'], '--random draws among all solutions: omit --solutions'],
  ])('refuses %j', async (flags, message) => {
    const { status, stderr } = await runProgram(folder, ['solve', ...flags, 'queens.sparse']);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('counts all solutions of a gzip file, with exit status 0', async () => {
    const args = ['solve', '--solutions', 'all', '--count', 'queens.dlx.gz'];
    const { status, stdout, stderr } = await runProgram(folder, args);
    expect([status, stdout]).toEqual([0, '# puzzle 1 (line 1): 92 solutions\n']);
    expect(stderr).toMatch(/^ {2}Altogether 92 solutions, /m);
  });

  test('reads standard input in the requested format', async () => {
    const args = ['solve', '--format', 'sparse', '--solutions', 'all', '--count', '-'];
    const { status, stdout } = await runProgram(folder, args, sparseText(queens(6)));
    expect([status, stdout]).toEqual([0, '# puzzle 1 (line 1): 4 solutions\n']);
  });

  test('writes the full result set of a file', async () => {
    const args = ['solve', '-o', 'out', '--solutions', 'all', '--output', 'jsonl', 'queens.dlx.gz'];
    expect((await runProgram(folder, args)).status).toBe(0);
    const file = (name: string) => readFileSync(join(folder, 'out', 'queens.dlx.gz', name), 'utf8');
    expect(file('solutions.jsonl').trimEnd().split('\n')).toHaveLength(93);
    expect(JSON.parse(file('exceptions.jsonl'))).toMatchObject({ solutions: 92, exact: true });
    expect(JSON.parse(file('stats.json')).exactCover).toMatchObject({ solutions: 92, entries: 256 });
    expect(JSON.parse(file('manifest.json')).puzzles).toMatchObject({ total: 1, multiple: 1 });
  });

  test.each([
    ['a problem without a solution', ['items.dlx'], 1, ''],
    ['a problem with several solutions under the default limit', ['queens.dlx.gz'], 1, ''],
    ['an unreadable problem', ['bad.dlx'], 1, ''],
    ['an engine for cells', ['--engine', 'bitboard', 'coloured.txt'], 2, 'option "engine" is "bitboard"'],
    ['a layout of cells', ['--output', 'grid', 'coloured.txt'], 2, 'option "output" is "grid"'],
  ])('%s has its exit status', async (_name, args, expected, message) => {
    const { status, stderr } = await runProgram(folder, ['solve', ...args]);
    expect(status).toBe(expected);
    expect(stderr).toContain(message);
  });

  test('reports the matrix of a problem', async () => {
    const { stdout } = await runProgram(folder, ['solve', '--explain', 'queens.dlx.gz', 'bad.dlx']);
    const [queensLine, badLine] = stdout.split('\n');
    expect(queensLine).toMatch(/^puzzle 1 \(line 1\): 64 options, 46 items, 303 nodes; [\d,]+ bytes/);
    expect(badLine).toMatch(
      /^puzzle 1 \(line 1\): unreadable: line 2, column 3: found "C", an unknown item: /,
    );
  });
});
