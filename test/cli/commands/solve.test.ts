import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  CLASHING,
  EASY,
  HARD,
  MIXED_FILE,
  MIXED_OPTIONS,
  SOLUTION,
  TWO_SOLUTIONS,
} from '../../support/puzzles.ts';
import { type Ended, endOf, folderWith, runProgram, startProgram } from '../program.ts';

/** Options of a job as flags. */
const MIXED_FLAGS = Object.entries(MIXED_OPTIONS).flatMap(([name, value]) => [`--${name}`, value]);
/** The solution of another puzzle. */
const WRONG = `${SOLUTION.slice(9)}${SOLUTION.slice(0, 9)}`;
/** Larger than the buffer of a pipe and than the memory buffer of a result file. */
const LONG_FILE = `${EASY}\n`.repeat(30_000);

describe('solving a file', () => {
  let ended: Ended;
  beforeAll(async () => {
    const folder = folderWith({ 'mixed.txt': MIXED_FILE }, afterAll);
    ended = await runProgram(folder, ['solve', ...MIXED_FLAGS, 'mixed.txt']);
  });

  test('writes the solutions to standard output, and a # line for a puzzle without one', () => {
    const lines = ended.stdout.split('\n');
    expect(lines.map((line) => line.replace(/^(# puzzle \d+ \(line \d+\): \w+): .+$/, '$1'))).toEqual([
      SOLUTION,
      expect.stringMatching(/^534[67][67]8912/),
      '# puzzle 3 (line 4): unsolvable',
      '# puzzle 4 (line 5): invalid',
      '# puzzle 5 (line 6): unreadable',
      '# puzzle 6 (line 7): limit',
      SOLUTION,
      '',
    ]);
  });

  test('writes a summary to standard error', () => {
    const counts = '2 solved, 1 multiple, 1 unsolvable, 1 invalid, 1 unreadable, 1 limit';
    const [first, ...rest] = ended.stderr.trimEnd().split('\n');
    expect(first).toBe(`mixed.txt: 7 puzzles: ${counts}`);
    expect(rest).toEqual([
      '  1 has more than one solution: the first is written; --strict leaves it out; listed in exceptions.jsonl with -o <dir>',
      expect.stringMatching(/^ {2}\d+(\.\d+)? ms \(dlx, /),
      expect.stringContaining('p99'),
      '  1 comment line',
    ]);
  });

  test('exits with 1 if some puzzles are unsolved', () => {
    expect(ended.status).toBe(1);
  });
});

describe('one solved puzzle, exit status 0', () => {
  const line = `${EASY}\n`;
  test.each([
    ['from a file', ['a.txt'], ''],
    ['from standard input, without a file name', [], line],
    ['from standard input by its name -', ['-'], line],
    ['from a gzip file, whatever its name', ['packed.txt'], ''],
    ['from gzip on standard input', [], gzipSync(line)],
  ])('%s', async (_name, args, input) => {
    const folder = folderWith({ 'a.txt': line, 'packed.txt': gzipSync(line) }, afterAll);
    const { status, stdout } = await runProgram(folder, ['solve', ...args], input);
    expect([status, stdout]).toEqual([0, `${SOLUTION}\n`]);
  });
});

/** The lines of the summary about parts of the file. */
function parts(reason: string): string {
  if (reason.endsWith('comments')) return '  2 comment lines\n';
  return reason.endsWith('header') ? '  columns: puzzle = puzzle, solution = solution\n' : '';
}

describe('a file without puzzles', () => {
  const FILES: readonly (readonly [name: string, input: string | Buffer, reason: string])[] = [
    ['that is empty', '', 'the file is empty'],
    ['of gzip of nothing', gzipSync(''), 'the file is empty'],
    ['of comments', '# a\n# b\n', 'the file has only comments'],
    ['with only a header', 'puzzle,solution\n', 'the file has only a header'],
  ];

  test.each(FILES)('%s exits with 0, and the summary says why', async (_name, input, reason) => {
    const folder = folderWith({ a: input }, afterAll);
    expect(await runProgram(folder, ['solve', 'a'])).toMatchObject({
      status: 0,
      stderr: `a: no puzzles: ${reason}\n${parts(reason)}`,
    });
    expect(await runProgram(folder, ['solve'], input)).toMatchObject({
      status: 0,
      stderr: `-: no puzzles: ${reason}\n${parts(reason)}`,
    });
  });

  test('exits with 2 if --require-puzzles is given, after all files are solved', async () => {
    const folder = folderWith({ a: '# none\n', b: `${EASY}\n` }, afterAll);
    const { status, stdout, stderr } = await runProgram(folder, ['solve', '--require-puzzles', 'a', 'b']);
    expect([status, stdout]).toEqual([2, `${SOLUTION}\n`]);
    expect(stderr).toContain(
      'dlx-batch: a: no puzzles: the file has only comments; --require-puzzles expects at least one\n',
    );
    expect(await runProgram(folder, ['solve', '--require-puzzles', 'b'])).toMatchObject({ status: 0 });
  });
});

describe('an expected result', () => {
  test.each([
    [`puzzle,solution\n${EASY},${SOLUTION}\n`, 0, '1 puzzle: 1 solved'],
    [`puzzle,solution\n${EASY},${WRONG}\n`, 1, '1 puzzle: 1 solved; 1 expected result differs'],
    [`${EASY}:1:${WRONG}\n`.repeat(2), 1, '2 puzzles: 2 solved; 2 expected results differ'],
    [JSON.stringify([{ puzzle: EASY, solution: WRONG }]), 1, '1 puzzle: 1 solved; 1 expected result differs'],
  ])('in %j decides the exit status: %i', async (text, status, summary) => {
    const ended = await runProgram(folderWith({}, afterAll), ['solve'], text);
    expect(ended.status).toBe(status);
    expect(ended.stderr.split('\n')[0]).toBe(`-: ${summary}`);
  });
});

describe('the option', () => {
  const run = (text: string, ...flags: string[]) =>
    runProgram(folderWith({}, afterAll), ['solve', ...flags], text);

  test('--solutions all writes every solution after a # line, and exits with 0', async () => {
    const { status, stdout } = await run(`${EASY}\n${TWO_SOLUTIONS}\n`, '--solutions', 'all');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('#'))).toEqual([
      '# puzzle 1, solution 1',
      '# puzzle 2, solution 1',
      '# puzzle 2, solution 2',
    ]);
    const solutions = lines.filter((line) => !line.startsWith('#'));
    expect([solutions.length, new Set(solutions.slice(1)).size, status]).toEqual([3, 2, 0]);
  });

  test('--count writes the number of solutions instead of the solutions', async () => {
    const { status, stdout } = await run(TWO_SOLUTIONS, '--solutions', 'all', '--count');
    expect([stdout, status]).toEqual(['# puzzle 1 (line 1): 2 solutions\n', 0]);
  });

  test('--strict omits puzzles without a solution, and those with several', async () => {
    const { status, stdout, stderr } = await run(`${CLASHING}\n${EASY}\n${TWO_SOLUTIONS}\n`, '--strict');
    expect([stdout, status]).toEqual([`${SOLUTION}\n`, 1]);
    expect(stderr).toContain(
      '1 has more than one solution: --strict leaves it out; listed in exceptions.jsonl',
    );
  });

  test('says that not all solutions are written, and exits with 1', async () => {
    const all = [SOLUTION.replace(/./g, '.'), '--solutions', 'all', '--max-written', '3', '--json'];
    const { status, stdout } = await run(all[0], ...all.slice(1));
    expect(status).toBe(1);
    expect(stdout.match(/^\d{81}$/gm)).toHaveLength(3);
  });

  test('--max-nodes 1 gives a puzzle that needs more nodes the status limit', async () => {
    const { status, stdout } = await run(HARD, '--max-nodes', '1');
    expect(stdout).toMatch(/^# puzzle 1 \(line 1\): limit: .*\n$/);
    expect(status).toBe(1);
  });

  test('--json writes the summary as one JSON object to standard error', async () => {
    const { stdout, stderr } = await run(EASY, '--json');
    expect(stdout).toBe(`${SOLUTION}\n`);
    expect(JSON.parse(stderr)).toMatchObject({
      files: [{ file: '-', schema: 'dlx-batch/stats@1', puzzles: { total: 1, solved: 1 } }],
    });
  });
});

test('two processes never write the same result set', async () => {
  const folder = folderWith({ 'other/stdin': `${EASY}\n` });
  const first = startProgram(folder, ['solve', '-o', 'out']);
  onTestFinished(() => void first.kill('SIGKILL'));
  first.stdin.write(LONG_FILE);
  const hasStarted = () => existsSync(join(folder, 'out/stdin/solutions.txt.part'));
  while (!hasStarted() && first.exitCode === null) await sleep(10);
  const second = await runProgram(folder, ['solve', '-o', 'out', 'other/stdin']);
  expect(second.stderr).toMatch(
    /^dlx-batch: out\/stdin is in use by process \d+\. Stop that process or choose another/,
  );
  expect(second.status).toBe(2);
  first.stdin.end();
  const { status, stderr } = await endOf(first);
  expect([status, stderr]).toEqual([0, expect.stringContaining('30,000 solved')]);
  expect(readdirSync(join(folder, 'out/stdin')).sort()).toEqual([
    'exceptions.jsonl',
    'manifest.json',
    'report.html',
    'solutions.txt',
    'stats.json',
  ]);
});

describe('a process that ends early', () => {
  test('because its reader closes the pipe exits with 0 and no message', async () => {
    const child = startProgram(folderWith({ 'long.txt': LONG_FILE }), ['solve', 'long.txt']);
    child.stdout.once('data', () => child.stdout.destroy());
    const { status, stderr } = await endedWithoutOutput(child);
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each(['1', '2'])(
    'by Ctrl-C leaves no manifest, not even from an earlier run: %s worker(s)',
    async (workers) => {
      const folder = folderWith({ 'out/stdin/manifest.json': '{}' });
      const child = startProgram(folder, ['solve', '-o', 'out', '--workers', workers]);
      onTestFinished(() => void child.kill('SIGKILL'));
      // Standard input stays open, so the job does not finish.
      child.stdin.write(LONG_FILE);
      const hasStarted = () => existsSync(join(folder, 'out/stdin/solutions.txt.part'));
      while (!hasStarted() && child.exitCode === null) await sleep(10);
      child.kill('SIGINT');
      const { signal, stderr } = await endOf(child);
      expect(signal).toBe('SIGINT');
      expect(stderr).toMatch(
        /^\ndlx-batch: interrupted: - has no result, and partial files were removed; run the same command again\n$/,
      );
      expect(readdirSync(join(folder, 'out/stdin'))).toEqual([]);
    },
  );
});

/** Waits for the end of a process without reading its standard output. */
async function endedWithoutOutput(child: ReturnType<typeof startProgram>) {
  const closed = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stderr = '';
  for await (const bytes of child.stderr) stderr += bytes;
  return { status: await closed, stderr };
}
