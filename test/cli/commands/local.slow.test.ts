/** The command local, but for stacks that keep running: `local-serve.nightly.test.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MIXED_FILE, MIXED_STATUSES } from '../../support/puzzles.ts';
import { jsonLines } from '../../support/result-set.ts';
import { manifestIn, mismatches } from '../manifest-check.ts';
import { type Ended, folderWith, runProgram } from '../program.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats');

describe('local without a file', () => {
  let ended: Ended;
  let folder: string;
  beforeAll(async () => {
    folder = folderWith({}, afterAll);
    ended = await runProgram(folder, ['local']);
  });

  test('sends its samples through the whole stack and exits with 0', () => {
    expect(ended.status).toBe(0);
    expect(ended.stderr).toBe('');
  });

  test('prints the counts by status, the rate and the times of each sample', () => {
    for (const [name, counts] of [
      ['hdu1426.txt', '2 puzzles: 2 solved'],
      ['poj3076.txt', '1 puzzle: 1 solved'],
      [
        'mixed-1000.txt',
        '1,000 puzzles: 997 solved, 1 multiple, 1 invalid, 1 unreadable\n  1 has more than one solution: .*',
      ],
    ]) {
      expect(ended.stdout).toMatch(
        new RegExp(`^${name}: ${counts}\n  .* \\(dlx, .*\n  solve time p50 .*, p95 .*, p99 .*, max `, 'm'),
      );
    }
  });

  test('prints the folder of each result set', () => {
    const found = [...ended.stdout.matchAll(/^ {2}5 files in (dlx-batch-results\/.*)$/gm)];
    expect(found.map(([, path]) => existsSync(join(folder, path!)))).toEqual([true, true, true]);
  });

  test('says what it does, where the results and the report are, and what to type next', () => {
    const { stdout } = ended;
    expect(stdout).toMatch(/^Three sample files go through the whole stack/);
    expect(stdout).toContain('\nThe results are in dlx-batch-results, in one folder for each file.\n');
    const report = /^Open its report in a browser: (.*)$/m.exec(stdout)?.[1];
    expect(existsSync(join(folder, report!))).toBe(true);
    expect(stdout).toContain('\n  npx dlx-batch solve puzzles.txt > solutions.txt\n');
    const conclusion = stdout.slice(stdout.indexOf('\nThe results are in')).split('\n');
    expect(conclusion.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([
    ['hdu1426.txt', 'hdu1426.solutions.txt'],
    ['poj3076.txt', 'poj3076.solution.txt'],
  ])('writes the solutions of %s in the form of the judge', (name, expected) => {
    const solutions = readFileSync(join(folder, 'dlx-batch-results', name, 'solutions.txt'), 'utf8');
    expect(solutions).toBe(readFileSync(join(FIXTURES, expected), 'utf8'));
  });
});

test('local --json without a file prints only JSON', async () => {
  const { stdout } = await runProgram(folderWith({}, onTestFinished), ['local', '--json']);
  expect(JSON.parse(stdout).files).toHaveLength(3);
});

describe('local FILE...', () => {
  let ended: Ended;
  let out: string;
  beforeAll(async () => {
    const folder = folderWith({ 'mixed.txt': MIXED_FILE, 'letter.txt': 'Dear Ms Knuth,' }, afterAll);
    const args = ['local', '-o', 'out', '--json', '--set', 'max-nodes=5', 'mixed.txt', 'letter.txt'];
    ended = await runProgram(folder, args);
    out = join(folder, 'out');
  });

  test('passes the options on, and saves result sets with correct checksums', () => {
    const folder = join(out, 'mixed.txt');
    const manifest = manifestIn(folder);
    expect(manifest.options).toMatchObject({ 'max-nodes': 5 });
    expect(mismatches(manifest, (name) => readFileSync(join(folder, name)))).toEqual([]);
    expect(jsonLines(readFileSync(join(folder, 'exceptions.jsonl'), 'utf8')).length).toBe(
      MIXED_STATUSES.filter((status) => status !== 'solved').length,
    );
  });

  test('saves the reason of a rejection, and exits with 2', () => {
    const reject = JSON.parse(readFileSync(join(out, 'letter.txt/error.json'), 'utf8'));
    expect(reject).toMatchObject({ input: { key: 'inbox/letter.txt' }, error: { code: 'no_puzzles' } });
    expect(ended.status).toBe(2);
  });

  test('writes the same as one JSON object with --json', () => {
    const [mixed, letter] = JSON.parse(ended.stdout).files;
    expect(mixed).toMatchObject({
      key: 'inbox/mixed.txt',
      fetched: { folder: 'out/mixed.txt' },
      stats: { puzzles: { total: 7 } },
    });
    expect(letter.trouble).toMatch(/^no puzzles found/);
  });
});

describe('local --serve', () => {
  test.each([
    [['--fast-retries'], '--fast-retries needs --serve: without it failed tries are repeated at once anyway'],
    [['--webhook', 'http://localhost/'], '--webhook needs --serve: without it the stack stops too soon'],
    [['--open'], '--open needs --serve: without it the stack stops too soon'],
    [
      ['--serve', '--webhook', 'localhost:80'],
      'option "--webhook" is "localhost:80": expected an http or https URL',
    ],
    [['--serve', '--webhook', 'http://a:b@c/'], 'expected an http or https URL without a user name'],
  ])('%j is refused with what is expected', async (flags, message) => {
    const { status, stderr } = await runProgram(folderWith({}), ['local', ...flags]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('reports in one line that its port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) => {
      server.once('listening', () => resolve((server.address() as { port: number }).port));
    });
    const ended = await runProgram(folderWith({}), ['local', '--serve', '--port', String(port)]);
    expect(ended.stderr).toBe(
      `dlx-batch: port ${port} is in use: choose another --port, or 0 for any free port\n`,
    );
    expect([ended.stdout, ended.status]).toEqual(['', 2]);
  });
});
