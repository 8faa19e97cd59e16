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
/** More than any pipe holds, and more than a result file keeps in memory. */
const LONG_FILE = `${EASY}\n`.repeat(30_000);

describe('solving a file', () => {
  let ended: Ended;
  beforeAll(async () => {
    const folder = folderWith({ 'mixed.txt': MIXED_FILE }, afterAll);
    ended = await runProgram(folder, ['solve', ...MIXED_FLAGS, 'mixed.txt']);
  });

  test('writes the solutions to standard output, and a # line in the place of a puzzle without one', () => {
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
    expect(rest).toEqual([expect.stringContaining('puzzles/s'), expect.stringContaining('p99')]);
  });

  test('exits with 1 where some are not solved', () => {
    expect(ended.status).toBe(1);
  });
});

describe('one solved puzzle, exit status 0', () => {
  const line = `${EASY}\n`;
  test.concurrent.each([
    ['from a file', ['a.txt'], ''],
    ['from standard input, where no file is named', [], line],
    ['from standard input by its name -', ['-'], line],
    ['from a gzip file, whatever its name', ['packed.txt'], ''],
    ['from gzip on standard input', [], gzipSync(line)],
  ])('%s', async (_name, args, input) => {
    const folder = folderWith({ 'a.txt': line, 'packed.txt': gzipSync(line) }, afterAll);
    const { status, stdout } = await runProgram(folder, ['solve', ...args], input);
    expect([status, stdout]).toEqual([0, `${SOLUTION}\n`]);
  });
});

describe('what is asked for', () => {
  const run = (text: string, ...flags: string[]) =>
    runProgram(folderWith({}, afterAll), ['solve', ...flags], text);

  test.concurrent('--solutions all writes every solution under a line of its own, and it is no failure', async () => {
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

  test.concurrent('--count writes how many there are instead of them', async () => {
    const { status, stdout } = await run(TWO_SOLUTIONS, '--solutions', 'all', '--count');
    expect([stdout, status]).toEqual(['# puzzle 1 (line 1): 2 solutions\n', 0]);
  });

  test.concurrent('--strict leaves out what has no solution', async () => {
    const { status, stdout } = await run(`${CLASHING}\n${EASY}\n`, '--strict');
    expect([stdout, status]).toEqual([`${SOLUTION}\n`, 1]);
  });

  test.concurrent('--max-nodes 1 stops a puzzle that needs more with status limit', async () => {
    const { status, stdout } = await run(HARD, '--max-nodes', '1');
    expect(stdout).toMatch(/^# puzzle 1 \(line 1\): limit: .*\n$/);
    expect(status).toBe(1);
  });

  test.concurrent('--json says the summary as one JSON object on standard error', async () => {
    const { stdout, stderr } = await run(EASY, '--json');
    expect(stdout).toBe(`${SOLUTION}\n`);
    expect(JSON.parse(stderr)).toMatchObject({
      files: [{ file: '-', schema: 'dlx-batch/stats@1', puzzles: { total: 1, solved: 1 } }],
    });
  });
});

test('two at once never write the same result set', async () => {
  const folder = folderWith({ 'other/stdin': `${EASY}\n` });
  const first = startProgram(folder, ['solve', '-o', 'out']);
  onTestFinished(() => void first.kill('SIGKILL'));
  first.stdin.write(LONG_FILE);
  const begun = () => existsSync(join(folder, 'out/stdin/solutions.txt.part'));
  while (!begun() && first.exitCode === null) await sleep(10);
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

describe('a process that is cut short', () => {
  test('by a reader that has seen enough ends quietly', async () => {
    const child = startProgram(folderWith({ 'long.txt': LONG_FILE }), ['solve', 'long.txt']);
    child.stdout.once('data', () => child.stdout.destroy());
    const { status, stderr } = await endedWithoutOutput(child);
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each([
    ['1', ['solutions.txt.part', 'writing.pid'], /^$/],
    [
      '2',
      [],
      /^\ndlx-batch: interrupted: - has no result, and nothing is half-written; run the same command again\n$/,
    ],
  ])(
    'by Ctrl-C leaves no manifest, not even that of an earlier run: %s worker(s)',
    async (workers, left, said) => {
      const folder = folderWith({ 'out/stdin/manifest.json': '{}' });
      const child = startProgram(folder, ['solve', '-o', 'out', '--workers', workers]);
      onTestFinished(() => void child.kill('SIGKILL'));
      // Standard input stays open, so the job is in the middle for as long as we like.
      child.stdin.write(LONG_FILE);
      const begun = () => existsSync(join(folder, 'out/stdin/solutions.txt.part'));
      while (!begun() && child.exitCode === null) await sleep(10);
      child.kill('SIGINT');
      const { signal, stderr } = await endOf(child);
      expect(signal).toBe('SIGINT');
      expect(stderr).toMatch(said);
      expect(readdirSync(join(folder, 'out/stdin')).sort()).toEqual(left);
    },
  );
});

/** The end of a process whose standard output somebody else reads, or nobody. */
async function endedWithoutOutput(child: ReturnType<typeof startProgram>) {
  const closed = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stderr = '';
  for await (const bytes of child.stderr) stderr += bytes;
  return { status: await closed, stderr };
}
