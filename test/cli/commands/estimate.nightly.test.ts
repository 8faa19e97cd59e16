import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { EASY } from '../../support/puzzles.ts';
import { zipOf } from '../../support/zip.ts';
import { folderWith, runProgram } from '../program.ts';

const run = (
  args: readonly string[],
  files: Readonly<Record<string, string | Uint8Array>>,
  stdin?: string | Uint8Array,
) => runProgram(folderWith(files, onTestFinished), ['estimate', ...args], stdin);

describe('estimate', () => {
  test('reports puzzles, functions, time and cost by service, with the date of the prices', async () => {
    const { stdout, status } = await run(['a.txt'], { 'a.txt': `${EASY}\n`.repeat(500) });
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^a.txt: about 500 puzzles in 41,000 bytes\n {2}one function, .* of vCPU time, finished in about .*\n/,
    );
    expect(stdout).toMatch(
      /\n {2}about \$.*: Lambda \$.*, Step Functions \$.*, S3 requests \$.*, SQS \$.* \(us-east-1, prices of \d{4}-\d\d-\d\d\)\nThe functions of a stack that solves 10 files and 100 shards .*\n$/,
    );
  });

  test('reports the most that functions of its size cost in a day', async () => {
    const { stdout } = await run(['--concurrency', '1000', 'a.txt'], { 'a.txt': EASY });
    expect(stdout).toMatch(
      /\nThe functions of a stack that solves 10 files and 1000 shards at the same time cost at most \$[\d,.]+ a day\n$/,
    );
  });

  test('reports the search trees of exact-cover problems, the same each time', async () => {
    const files = { 'two.dlx': `${knuthText(langford(5))}\n`, 'pairs.dlx': knuthText(langford(13)) };
    const { stdout, status } = await run(['two.dlx', 'pairs.dlx'], files);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^two.dlx: 1 exact-cover problem\n {2}puzzle 1 \(line 1\): \d+ nodes, \d+ updates, .* for all solutions on one core\n/,
    );
    expect(stdout).toMatch(/\n {2}puzzle 1 \(line 1\): about \d.*\d \(.* to .*\) nodes, .* updates, .*/);
    const estimates = await Promise.all(
      [0, 1].map(async () => JSON.parse((await run(['--json', 'pairs.dlx'], files)).stdout).estimates[0]),
    );
    const [first, second] = estimates.map(({ covers: [{ seconds, ...others }] }) => others);
    expect(first).toMatchObject({ index: 1, line: 1, low: expect.any(Number), high: expect.any(Number) });
    expect(second).toEqual(first);
  });

  test('says that a file is empty, and no cost', async () => {
    const files = { 'empty.txt': '', 'comments.txt': '# nothing\n\n', 'a.txt': EASY };
    const none = await run(['empty.txt', 'comments.txt'], files);
    expect(none).toMatchObject({
      stdout:
        'empty.txt: no puzzles: the file is empty\ncomments.txt: no puzzles: the file has only comments\n',
      status: 0,
    });
    const { stdout } = await run(['empty.txt', 'a.txt'], files);
    expect(stdout).toMatch(/^empty.txt: .*\na.txt: about 1 puzzle in (.*\n)+The functions of a stack/);
  });

  test('accepts a file without puzzles', async () => {
    const { stdout, status } = await run(['--json', 'empty.txt', 'comments.txt'], {
      'empty.txt': '',
      'comments.txt': '# nothing\n\n',
    });
    expect(JSON.parse(stdout).estimates).toEqual([
      expect.objectContaining({ file: 'empty.txt', puzzles: 0, path: 'one function' }),
      expect.objectContaining({ file: 'comments.txt', puzzles: 0, path: 'one function' }),
    ]);
    expect(status).toBe(0);
  });

  test('splits a large file into shards, which finish sooner with more concurrency', async () => {
    // 60 MB of a puzzle that is as hard as the hardest ones.
    const hard = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..';
    const files = { 'big.txt': `${hard}\n`.repeat(730_000) };
    const estimate = async (concurrency: string) => {
      const { stdout } = await run(
        ['--json', '--engine', 'backtrack', '--concurrency', concurrency, 'big.txt'],
        files,
      );
      return JSON.parse(stdout).estimates[0];
    };
    const few = await estimate('1');
    const many = await estimate('1000');
    expect(few.path).toBe('shards');
    expect(few.shards).toBeGreaterThan(4);
    // The sample ends within a line.
    expect(few.puzzles / 730_000).toBeCloseTo(1, 3);
    expect(many.wallSeconds).toBeLessThan(few.wallSeconds);
  });

  test('judges compressed data, and standard input, by their text', async () => {
    // 1.6 MB, of which a sample of the first MiB is solved.
    const text = Array.from({ length: 20_000 }, (_, k) => `${EASY} ${k}\n`)
      .join('')
      .slice(0, 1_600_000);
    const packed = {
      'puzzles.gz': gzipSync(text),
      'puzzles.zst': zstdCompressSync(text),
      'puzzles.zip': zipOf({ name: 'puzzles.txt', content: text }),
    };
    const estimates = async (args: readonly string[], stdin?: string | Uint8Array) => {
      const { stdout, stderr } = await run(['--json', ...args], { 'puzzles.txt': text, ...packed }, stdin);
      expect(stderr).toBe('');
      return JSON.parse(stdout).estimates;
    };
    const [plain, ...others] = await estimates(['puzzles.txt', ...Object.keys(packed)]);
    others.push(...(await estimates(['-'], text)), ...(await estimates([], packed['puzzles.gz'])));
    for (const { bytes, puzzles, path, shards } of others) {
      expect({ bytes, puzzles, path, shards }).toEqual({
        bytes: 1_600_000,
        puzzles: plain.puzzles,
        path: 'one function',
        shards: 1,
      });
    }
    const sizes = others.map((estimate: { storedBytes?: number }) => estimate.storedBytes);
    const [gz, zst, zip] = Object.values(packed).map(({ length }) => length);
    expect(sizes).toEqual([gz, zst, zip, undefined, gz]);
    const { stdout } = await run(['puzzles.gz'], packed);
    expect(stdout).toContain(`puzzles in 1,600,000 bytes, unpacked from ${gz!.toLocaleString('en-US')}\n`);
  });

  test('reads UTF-16, whose plain text has half the bytes', async () => {
    const text = `${EASY}\n`.repeat(100);
    const { stdout } = await run(['--json', 'plain.txt', 'wide.txt'], {
      'plain.txt': text,
      'wide.txt': Buffer.from(text, 'utf16le'),
    });
    const [plain, wide] = JSON.parse(stdout).estimates;
    expect(wide).toMatchObject({ puzzles: 100, bytes: plain.bytes });
  });

  describe('of several files, some of which cannot be estimated', () => {
    const files = {
      'a.txt': `${EASY}\n`,
      'words.txt': 'nothing\n',
      'packed.gz': Uint8Array.of(0x1f, 0x8b, 8, 0),
      'z.txt': `${EASY}\n${EASY}\n`,
    };
    const paths = ['words.txt', 'a.txt', 'none.txt', 'packed.gz', 'z.txt'];

    test('estimates the others, and reports one line for each of these', async () => {
      const { status, stdout, stderr } = await run(paths, files);
      expect(stdout.match(/^\S+(?=: about)/gm)).toEqual(['a.txt', 'z.txt']);
      expect(stderr.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^dlx-batch: words\.txt: no puzzles found/),
        'dlx-batch: none.txt: no such file',
        expect.stringMatching(/^dlx-batch: packed\.gz: the gzip data is damaged/),
      ]);
      expect(status).toBe(2);
    });

    test('lists all of them in JSON, in order', async () => {
      const { status, stdout } = await run(['--json', ...paths], files);
      expect(JSON.parse(stdout).estimates).toEqual([
        { file: 'words.txt', rejected: { message: expect.stringContaining('no puzzles found') } },
        expect.objectContaining({ file: 'a.txt', puzzles: 1 }),
        { file: 'none.txt', rejected: { message: 'none.txt: no such file' } },
        { file: 'packed.gz', rejected: { message: expect.stringContaining('gzip data is damaged') } },
        expect.objectContaining({ file: 'z.txt', puzzles: 2 }),
      ]);
      expect(status).toBe(2);
    });
  });
});
