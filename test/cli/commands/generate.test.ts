import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { OUTPUT_PROFILES } from '../../../lib/formats/formats.ts';
import { endOf, folderWith, runProgram, startProgram } from '../program.ts';

const folder = folderWith({}, afterAll);
const generate = (...args: string[]) => runProgram(folder, ['generate', ...args]);

describe('generate', () => {
  test('writes the same bytes for the same seed, and other puzzles for another seed', async () => {
    const [once, again, longer, other] = await Promise.all([
      generate('--seed', '5', '--count', '20'),
      generate('--seed', '5', '--count', '20'),
      generate('--seed', '5', '--count', '30'),
      generate('--seed', '6', '--count', '20'),
    ]);
    expect(once).toMatchObject({ status: 0, stderr: '' });
    expect(again.stdout).toBe(once.stdout);
    expect(longer.stdout.startsWith(once.stdout)).toBe(true);
    const lines = new Set(once.stdout.trimEnd().split('\n'));
    expect(lines.size).toBe(20);
    expect(other.stdout.split('\n').filter((line) => lines.has(line))).toEqual([]);
  });

  test('writes exactly these bytes on every machine', async () => {
    const { stdout } = await generate('--seed', '1', '--count', '2');
    expect(stdout).toBe(
      '..............7.64..7631..2..59...2....2...5.4.8.....3....6..9.1.......7.5...8.1.\n' +
        '...3..1...9..4...8...5...397..6..2..24......1..67.....9......15.1.836.2.....5....\n',
    );
  });

  test.each([
    ['minimal 9x9', []],
    ['4x4', ['--size', '4']],
    ['6x6 with 3x2 boxes', ['--box', '3x2']],
    ['16x16 with letters', ['--size', '16', '--givens', '130']],
    ['25x25', ['--size', '25', '--givens', '400']],
    ['a given number of givens', ['--givens', '36', '--symmetry', 'full']],
    ['jigsaw', ['--variant', 'jigsaw', '--output', 'jsonl']],
    ['jigsaw as lines', ['--variant', 'jigsaw']],
    ['variant x', ['--variant', 'x', '--output', 'jsonl']],
  ])('writes puzzles for which solve finds exactly one solution: %s', async (_name, args) => {
    const { stdout, status } = await generate('--seed', '9', '--count', '3', ...args);
    expect(status).toBe(0);
    const box = args[0] === '--box' ? args : [];
    const solved = await runProgram(folder, ['solve', '--json', ...box], stdout);
    expect(JSON.parse(solved.stderr).files[0].puzzles).toMatchObject({ total: 3, solved: 3 });
  });

  test.each(OUTPUT_PROFILES.map((profile) => [profile]))(
    'writes puzzles that solve reads, in every profile: %s',
    async (profile) => {
      const { stdout } = await generate('--seed', '3', '--count', '4', '--output', profile);
      const solved = await runProgram(folder, ['solve', '--json'], stdout);
      expect(JSON.parse(solved.stderr).files[0].puzzles).toMatchObject({ total: 4, solved: 4 });
    },
  );

  test('reports a random seed, which reproduces the puzzles', async () => {
    const drawn = await generate('--count', '2');
    const seed = /seed (\d+)\n$/.exec(drawn.stderr)?.[1];
    expect((await generate('--count', '2', '--seed', seed!)).stdout).toBe(drawn.stdout);
  });

  test('writes a file, and a summary as JSON', async () => {
    const { stdout, stderr } = await generate('--count', '3', '--seed', '2', '-o', 'new.txt', '--json');
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({ puzzles: 3, seed: 2, puzzlesPerSecond: expect.any(Number) });
    expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toMatch(/^([1-9.]{81}\n){3}$/);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  test('writes to a pipe and through a link, and does not replace them', async () => {
    const at = (name: string) => join(folder, name);
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('linked.txt', at('link'));
    writeFileSync(at('linked.txt'), 'old\n');
    const [piped] = await Promise.all([
      readFile(at('pipe'), 'utf8'),
      generate('--count', '3', '--seed', '2', '-o', 'pipe'),
      generate('--count', '3', '--seed', '2', '-o', 'link'),
    ]);
    expect(piped).toMatch(/^([1-9.]{81}\n){3}$/);
    expect(readFileSync(at('linked.txt'), 'utf8')).toBe(piped);
    expect([lstatSync(at('pipe')).isFIFO(), lstatSync(at('link')).isSymbolicLink()]).toEqual([true, true]);
  }, 20_000);

  test('interrupted in the middle leaves no file, reports that, and ends by the signal', async ({
    onTestFinished,
  }) => {
    const own = folderWith({}, onTestFinished);
    const program = startProgram(own, ['generate', '--count', '1000000000', '-o', 'endless.txt']);
    onTestFinished(() => void program.kill('SIGKILL'));
    const ended = endOf(program);
    // The file has content, so generation has started.
    const unfinished = join(own, 'endless.txt.unfinished');
    while (!existsSync(unfinished) || statSync(unfinished).size === 0) await sleep(20);
    program.kill('SIGINT');
    const { signal, stderr } = await ended;
    expect(signal).toBe('SIGINT');
    expect(stderr).toMatch(
      /dlx-batch: interrupted: endless\.txt was not written, and no partial file is left\n$/,
    );
    expect(readdirSync(own)).toEqual([]);
  });

  test('omits the solution if a puzzle may have several', async () => {
    const { stdout } = await generate('--any', '--givens', '10', '--output', 'csv');
    expect(stdout).toMatch(/^puzzle,solution\n[1-9.]{81},\n$/);
  });

  test.each([
    [['--givens', '16'], 'no standard 9x9 puzzle with 16 givens has just one solution: ask for 17 or more'],
    [['--givens', '82'], '82 givens are out of range: expected 0 to 81'],
    [['--size', '4', '--givens', '7', '--symmetry', 'rotational'], 'ask for one more or one less'],
    [['--any'], '--any needs --givens with a number'],
    [['--size', '9', '--box', '2x3'], 'box 2x3 does not have 9 cells'],
    [['--size', '7'], 'size 7 has no usual box shape: give one with --box, or --variant latin'],
    [
      ['--variant', 'windoku', '--size', '6'],
      'variant windoku does not allow 6x6: expected a size with square boxes',
    ],
    [['--variant', 'jigsaw', '--output', 'grid'], 'output grid cannot include a region map'],
    [['--alphabet', '.23456789'], 'the blank of output same'],
    [['--alphabet', 'ABC'], 'has 3 symbols, and a 9x9 puzzle needs 9'],
    [['--count', '0'], 'expected a whole number from 1'],
    [['--seed', '1.5'], 'expected a whole number from 0'],
    [['--output', 'xml'], 'Allowed choices are same, line'],
    [['-o', 'missing/new.txt'], 'no such file or folder'],
    [['-o', '.'], '. is a folder: expected a file name'],
  ])('rejects in one line: %j', async (args, message) => {
    const { status, stdout, stderr } = await generate(...args);
    expect([status, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toContain(message);
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});
