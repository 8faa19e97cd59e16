import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  EASY,
  HARD,
  MIXED_FILE,
  MIXED_OPTIONS,
  MIXED_STATUSES,
  SOLUTION,
  TWO_SOLUTIONS,
} from '../support/puzzles.ts';
import { jsonLines } from '../support/result-set.ts';
import { manifestIn, mismatches } from './manifest-check.ts';
import { type Ended, folderWith, runProgram } from './program.ts';

/** Needs a guess. */
const SPARSE = EASY.replace(/(\d\D*){8}$/, (end) => end.replaceAll(/\d/g, '.'));
const MIXED_FLAGS = Object.entries(MIXED_OPTIONS).flatMap(([name, value]) => [`--${name}`, value]);

function bytesIn(folder: string, name: string): Uint8Array {
  return readFileSync(join(folder, name));
}

function recordsIn(folder: string, name: string) {
  return jsonLines(readFileSync(join(folder, name), 'utf8'));
}

describe('solve -o writes the full result set of a file', () => {
  let ended: Ended;
  let first: string;
  let second: string;
  beforeAll(async () => {
    const folder = folderWith({ 'mixed.txt': MIXED_FILE }, afterAll);
    const flags = ['solve', ...MIXED_FLAGS, '--records', 'mixed.txt'];
    [ended] = await Promise.all([
      runProgram(folder, [...flags, '--json', '-o', 'first/run', '--workers', '2']),
      runProgram(folder, [...flags, '-o', 'second', '--workers', '1']),
    ]);
    first = join(folder, 'first/run/mixed.txt');
    second = join(folder, 'second/mixed.txt');
  });

  test('into a new folder with its name', () => {
    const names = [
      'exceptions.jsonl',
      'manifest.json',
      'records.jsonl',
      'report.html',
      'solutions.txt',
      'stats.json',
    ];
    expect(readdirSync(first).sort()).toEqual(names);
  });

  test('whose manifest names every other file, with correct checksums', () => {
    const manifest = manifestIn(first);
    expect(manifest.files.map(({ name }) => name).sort()).toEqual(
      readdirSync(first)
        .filter((name) => name !== 'manifest.json')
        .sort(),
    );
    expect(mismatches(manifest, (name) => bytesIn(first, name))).toEqual([]);
  });

  test('whose manifest has the input, the options and the counts', () => {
    expect(manifestIn(first)).toMatchObject({
      input: { file: 'mixed.txt', bytes: MIXED_FILE.length },
      options: { engine: 'dlx', 'max-nodes': 5, records: true },
      reproducible: true,
      puzzles: { total: 7, solved: 2, limit: 1 },
    });
  });

  test('with an exception for each unsolved puzzle', () => {
    const statuses = recordsIn(first, 'exceptions.jsonl').map(({ index, status }) => [index, status]);
    const expected = MIXED_STATUSES.map((status, k) => [k + 1, status]);
    expect(statuses).toEqual(expected.filter(([, status]) => status !== 'solved'));
  });

  test('with --records, with a record for each puzzle, timed if it was searched', () => {
    const records = recordsIn(first, 'records.jsonl');
    expect(records.map(({ status }) => status)).toEqual(MIXED_STATUSES);
    expect(records.map(({ solveUs }) => solveUs !== undefined)).toEqual(
      MIXED_STATUSES.map((status) => status !== 'invalid' && status !== 'unreadable'),
    );
  });

  test('with --json, with the summary as one JSON object on standard output', () => {
    expect(JSON.parse(ended.stdout)).toMatchObject({ files: [{ file: 'mixed.txt', puzzles: { total: 7 } }] });
    expect(ended.stderr).toBe('');
  });

  test.each(['solutions.txt', 'exceptions.jsonl'])('with the same bytes in %s in every run', (name) => {
    expect(bytesIn(second, name)).toEqual(bytesIn(first, name));
  });

  test('with the same manifest in every run, except for files with times', () => {
    const untimed = (folder: string) => {
      const manifest = manifestIn(folder);
      const timed = ['records.jsonl', 'report.html', 'stats.json'];
      const files = manifest.files.filter(({ name }) => !timed.includes(name));
      return { ...manifest, files };
    };
    expect(untimed(second)).toEqual(untimed(first));
  });
});

describe('solve -o', () => {
  test('with the same hardest puzzles for any number of threads', async () => {
    // Easy puzzles with few hard ones between them, in many blocks.
    const lines = Array.from({ length: 12_000 }, (_, k) => (k % 701 === 700 ? HARD : k % 97 ? EASY : SPARSE));
    const folder = folderWith({ 'a.txt': `${lines.join('\n')}\n` });
    const hardest = async (workers: string) => {
      await runProgram(folder, ['solve', '--workers', workers, '-o', workers, 'a.txt']);
      return JSON.parse(readFileSync(join(folder, workers, 'a.txt/stats.json'), 'utf8')).hardest;
    };
    const alone = await hardest('1');
    expect(alone.map(({ index }: { index: number }) => index)).toEqual(
      Array.from({ length: 10 }, (_, k) => 701 * (k + 1)),
    );
    expect(await hardest('2')).toEqual(alone);
    expect(await hardest('4')).toEqual(alone);
  });

  test('marks results under a time budget as not reproducible', async () => {
    const folder = folderWith({ 'a.txt': EASY }, afterAll);
    await runProgram(folder, ['solve', '-o', 'out', '--max-ms', '60000', 'a.txt']);
    expect(manifestIn(join(folder, 'out/a.txt')).reproducible).toBe(false);
  });

  test('completes the job of an empty file, exit status 0', async () => {
    const folder = folderWith({ 'empty.txt': '' }, afterAll);
    const { status } = await runProgram(folder, ['solve', '-o', 'out', 'empty.txt']);
    const out = join(folder, 'out/empty.txt');
    expect([manifestIn(out).puzzles.total, bytesIn(out, 'solutions.txt').length, status]).toEqual([0, 0, 0]);
  });

  test('counts the bytes of standard input, comments after the last puzzle included', async () => {
    const folder = folderWith({}, afterAll);
    const text = '# nothing but a comment\n';
    await runProgram(folder, ['solve', '-o', 'out'], text);
    expect(manifestIn(join(folder, 'out/stdin')).input).toEqual({ file: '-', bytes: text.length });
  });

  test('records the number of solutions of --count, and that it is exact', async () => {
    const folder = folderWith({ 'a.txt': TWO_SOLUTIONS }, afterAll);
    await runProgram(folder, ['solve', '-o', 'out', '--solutions', 'all', '--count', 'a.txt']);
    const out = join(folder, 'out/a.txt');
    expect(recordsIn(out, 'exceptions.jsonl')).toMatchObject([
      { status: 'multiple', solutions: 2, exact: true },
    ]);
  });
});

describe('a rejected file', () => {
  let folder: string;
  let ended: Ended;
  beforeAll(async () => {
    const earlier = { 'out/letter.txt/manifest.json': '{}', 'out/letter.txt/solutions.txt': SOLUTION };
    const files = { 'letter.txt': 'Dear Ms Knuth,', 'good.txt': EASY, ...earlier };
    folder = folderWith(files, afterAll);
    ended = await runProgram(folder, ['solve', '-o', 'out', 'letter.txt', 'good.txt']);
  });

  test('leaves only error.json and removes the result set of an earlier run', () => {
    expect(readdirSync(join(folder, 'out/letter.txt'))).toEqual(['error.json']);
  });

  test('has its reason in error.json', () => {
    const document = JSON.parse(readFileSync(join(folder, 'out/letter.txt/error.json'), 'utf8'));
    expect(document).toMatchObject({
      schema: 'dlx-batch/reject@1',
      input: { file: 'letter.txt' },
      error: { code: 'no_puzzles', line: 1, found: 'Dear Ms Knuth,' },
    });
  });

  test('makes the exit status 2', () => {
    expect(ended.status).toBe(2);
  });

  test('does not prevent solving the next file', () => {
    expect(manifestIn(join(folder, 'out/good.txt')).puzzles.solved).toBe(1);
  });
});

describe('solve -o with several files', () => {
  test('gives each a folder, also if two have the same name or names that Windows cannot keep apart', async () => {
    const files = { 'a.txt': EASY, 'x/a.txt': EASY, 'x/A.TXT': EASY, 'x/nul.txt': EASY };
    const folder = folderWith(files, onTestFinished);
    const run = () => runProgram(folder, ['solve', '-o', 'out', ...Object.keys(files).reverse()]);
    const { status, stderr } = await run();
    expect(status).toBe(0);
    const names = readdirSync(join(folder, 'out'));
    expect(names.sort().map((name) => name.replace(/~[0-9a-f]{16}$/, '~HASH'))).toEqual([
      '%6Eul.txt',
      'A.TXT',
      'a.txt~HASH',
      'a.txt~HASH',
    ]);
    for (const name of names) expect(manifestIn(join(folder, 'out', name)).puzzles.solved).toBe(1);
    // The changed names are reported, and the same in a second run.
    for (const name of names.filter((each) => each !== 'A.TXT')) {
      expect(stderr).toContain(`  out/${name}/solutions.txt\n`);
    }
    await run();
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(names.sort());
  });

  test('reports a file whose result set cannot be written, and solves the others', async () => {
    const files = { 'a.txt': EASY, 'b.txt': EASY, 'c.txt': EASY, 'out/b.txt': 'a file' };
    const folder = folderWith(files, onTestFinished);
    const args = ['solve', '-o', 'out', 'a.txt', 'b.txt', 'c.txt'];
    const { status, stderr } = await runProgram(folder, args);
    expect(status).toBe(2);
    expect(stderr).toContain('dlx-batch: out/b.txt: a file with this name exists, expected a folder');
    for (const name of ['a.txt', 'c.txt'])
      expect(manifestIn(join(folder, 'out', name)).puzzles.solved).toBe(1);
    const summary = JSON.parse((await runProgram(folder, [...args, '--json'])).stdout);
    expect(summary.files).toMatchObject([
      { puzzles: { solved: 1 } },
      { file: 'b.txt', failed: { message: expect.stringContaining('a file with this name exists') } },
      { puzzles: { solved: 1 } },
    ]);
  });
});
