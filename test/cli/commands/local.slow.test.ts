/** What the command local writes. What it prints: `test/cli/transcripts`; stacks that keep running: `local-serve.nightly.test.ts`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MIXED_FILE, MIXED_STATUSES } from '../../support/puzzles.ts';
import { jsonLines } from '../../support/result-set.ts';
import { manifestIn, mismatches } from '../manifest-check.ts';
import { folderWith, runProgram } from '../program.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats');

test('local without a file writes the solutions of the samples in the form of their judges, and with --json prints only JSON', async () => {
  const folder = folderWith({}, onTestFinished);
  const { status, stdout, stderr } = await runProgram(folder, ['local', '--json']);
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout).files).toHaveLength(3);
  for (const [name, expected] of [
    ['hdu1426.txt', 'hdu1426.solutions.txt'],
    ['poj3076.txt', 'poj3076.solution.txt'],
  ] as const) {
    const solutions = readFileSync(join(folder, 'dlx-batch-results', name, 'solutions.txt'), 'utf8');
    expect(solutions).toBe(readFileSync(join(FIXTURES, expected), 'utf8'));
  }
});

test('local FILE saves result sets with correct checksums, and the reason of a rejection', async () => {
  const folder = folderWith({ 'mixed.txt': MIXED_FILE, 'letter.txt': 'Dear Ms Knuth,' }, onTestFinished);
  const args = ['local', '-o', 'out', '--json', '--set', 'max-nodes=5', 'mixed.txt', 'letter.txt'];
  const { status, stdout } = await runProgram(folder, args);
  expect(status).toBe(2);
  const set = join(folder, 'out/mixed.txt');
  const manifest = manifestIn(set);
  expect(manifest.options).toMatchObject({ 'max-nodes': 5 });
  expect(mismatches(manifest, (name) => readFileSync(join(set, name)))).toEqual([]);
  expect(jsonLines(readFileSync(join(set, 'exceptions.jsonl'), 'utf8')).length).toBe(
    MIXED_STATUSES.filter((each) => each !== 'solved').length,
  );
  const reject = JSON.parse(readFileSync(join(folder, 'out/letter.txt/error.json'), 'utf8'));
  expect(reject).toMatchObject({ input: { key: 'inbox/letter.txt' }, error: { code: 'no_puzzles' } });
  const [mixed, letter] = JSON.parse(stdout).files;
  expect(mixed).toMatchObject({ fetched: { folder: 'out/mixed.txt' }, stats: { puzzles: { total: 7 } } });
  expect(letter.trouble).toMatch(/^no puzzles found/);
});

test('local --serve reports in one line that its port is in use', async () => {
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
