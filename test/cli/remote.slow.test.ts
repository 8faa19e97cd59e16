/** The commands upload, status, link and download against the local stack. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AtEnd } from '../local/fixture-function.ts';
import { eventually } from '../support/eventually.ts';
import { CUT_OFF, EASY, SOLUTION } from '../support/puzzles.ts';
import { type Ended, endOf, folderWith, runProgram, startProgram } from './program.ts';
import { startRecordingProxy } from './recording-proxy.ts';
import { serveStack } from './served-stack.ts';

const FILES = {
  'a.txt': `${EASY}\n`.repeat(3),
  'mixed.txt': `${EASY}\n${CUT_OFF}\n`,
  'junk.txt': 'nothing\n',
  'empty.txt': '',
  'wrong.txt': `${EASY}:2\n`,
};

let endpoint: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ endpoint, stop } = await serveStack(folderWith({}, afterAll)));
});
afterAll(() => stop());

function run(
  args: readonly string[],
  files: Readonly<Record<string, string>> = FILES,
  input?: string,
  atEnd: AtEnd = onTestFinished,
) {
  const folder = folderWith(files, atEnd);
  const [command, ...rest] = args;
  return {
    folder,
    ended: runProgram(folder, [command!, '--endpoint', endpoint, ...rest], input),
  };
}

async function json<Document>(ended: Promise<Ended>): Promise<Document> {
  return JSON.parse((await ended).stdout);
}

describe('upload', () => {
  test('waits for results and reports them', async () => {
    const ended = await run(['upload', '--wait', '--prefix', 'w/', 'a.txt']).ended;
    expect(ended.stderr).toBe('');
    expect(ended.stdout).toMatch(/^a.txt: uploaded as inbox\/w\/a.txt\na.txt: 3 puzzles: 3 solved\n/);
    expect(ended.status).toBe(0);
  });

  test.each([
    ['mixed.txt', 1],
    ['junk.txt', 1],
    ['empty.txt', 0],
    ['wrong.txt', 1],
  ])('of %s exits with %i', async (name, status) => {
    expect((await run(['upload', '--wait', '--prefix', 'status/', name]).ended).status).toBe(status);
  });

  test('of a file without puzzles says why, in status too', async () => {
    const { stdout } = await run(['upload', '--wait', '--prefix', 'none/', 'empty.txt']).ended;
    expect(stdout).toContain('\nempty.txt: no puzzles: the file is empty\n');
    const shown = await run(['status', 'inbox/none/empty.txt']).ended;
    expect(shown.stdout).toMatch(/state {5}done[\s\S]*puzzles {3}no puzzles: the file is empty\n/);
  });

  test('status counts unexpected results as exceptions', async () => {
    await run(['upload', '--wait', '--prefix', 'differ/', 'wrong.txt']).ended;
    const shown = await run(['status', 'inbox/differ/wrong.txt']).ended;
    expect(shown.stdout).toContain('puzzles   1: 1 solved; 1 exception: 1 expected result differs\n');
  });

  test('does not send an unchanged file again, unless the options differ or with --force', async () => {
    const unchanged = async (...args: string[]) => {
      const { ended } = run(['upload', '--json', '--prefix', 'again/', 'a.txt', ...args]);
      return (await json<{ files: { unchanged: boolean }[] }>(ended)).files[0]!.unchanged;
    };
    expect(await unchanged()).toBe(false);
    expect(await unchanged()).toBe(true);
    expect(await unchanged('--engine', 'bitboard')).toBe(false);
    expect(await unchanged('--engine', 'bitboard', '--force')).toBe(false);
  });

  test('and download escape control characters in names', async () => {
    const name = 'red\x1b[31m\n.txt';
    const shown = 'n/red\\u001b[31m\\u000a.txt';
    const uploaded = await run(['upload', '--wait', '--prefix', 'n/', name], { [name]: `${EASY}\n` }).ended;
    expect(uploaded.stdout).toContain(`uploaded as inbox/${shown}\n`);
    expect(uploaded.stdout).not.toContain('\x1b');
    const downloaded = await run(['download', `inbox/n/${name}`]).ended;
    expect(downloaded.stdout).toContain(`inbox/${shown}: 5 files in `);
    expect(downloaded.stdout).toMatch(/\/n\/red%1B\[31m%0A\.txt\n$/);
  });

  test('accepts folders', async () => {
    const { ended } = run(['upload', '--wait', '--json', '--prefix', 'z/', '.'], {
      'a.txt': `${EASY}\n`,
      'b.txt': `${EASY}\n`,
    });
    const { files } = await json<{ files: { key: string; stats: { puzzles: { solved: number } } }[] }>(ended);
    expect(files.map(({ key, stats }) => [key, stats.puzzles.solved])).toEqual([
      ['inbox/z/a.txt', 1],
      ['inbox/z/b.txt', 1],
    ]);
  });

  test('is a filter with --download -', async () => {
    const { ended } = run(
      ['upload', '-', '--wait', '--download', '-', '--prefix', 'filter/'],
      {},
      `${EASY}\n`,
    );
    expect((await ended).stdout).toBe(`${SOLUTION}\n`);
  });

  test('Ctrl-C in upload leaves no partial upload, says how to resume, and ends by the signal', async () => {
    const proxy = await startRecordingProxy(endpoint);
    onTestFinished(() => proxy.close());
    const folder = folderWith({}, onTestFinished);
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', 'cut/', '-'];
    const program = startProgram(folder, args);
    const ended = endOf(program);
    const part = proxy.has(/^PUT .*partNumber=1/);
    // Two full parts and a piece of the third; the end never comes.
    program.stdin.write(Buffer.alloc(20 * 1024 * 1024, '.'));
    await part;
    program.kill('SIGINT');
    const { signal, stderr } = await ended;
    expect(signal).toBe('SIGINT');
    const words = args.map((word) => (/[^\w./:-]/.test(word) ? `'${word}'` : word)).join(' ');
    expect(stderr).toMatch(/^\ndlx-batch: interrupted\nSTATE +NAME +NOTE\nleft +-\n1 file: 1 left\n/);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^to continue: (?:npx )?dlx-batch ${words}$`),
    );
    // On a busy machine, the answer may come after the program has ended.
    await eventually(() =>
      expect(proxy.answered.at(-1)).toMatch(/^DELETE .*cut\/stdin.txt\?uploadId=.* 204$/),
    );
  });

  test('reports in one line that an endpoint does not answer', async () => {
    const folder = folderWith(FILES, onTestFinished);
    const args = ['upload', '--endpoint', 'http://127.0.0.1:9', '--retry-for', '0s', 'a.txt'];
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
    const ended = await runProgram(folder, args, '', { ...process.env, ...keys });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(
      /^dlx-batch: uploading a.txt: no answer \(ECONNREFUSED\): check --endpoint.*\nto continue: dlx-batch upload .*\n$/,
    );
    const unknown = await runProgram(folder, args, '', { XDG_STATE_HOME: process.env.XDG_STATE_HOME });
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toMatch(
      /^dlx-batch: no local stack of yours runs at http:\/\/127\.0\.0\.1:9: start it with dlx-batch local --serve, or set .*\n$/,
    );
  });
});

describe('status', () => {
  beforeAll(async () => {
    await run(['upload', '--wait', '--prefix', 's/', 'a.txt', 'junk.txt'], FILES, '', afterAll).ended;
    await run(['upload', '--schedule', '--prefix', 's/', 'mixed.txt'], FILES, '', afterAll).ended;
  });

  test('shows the jobs of a prefix as a table', async () => {
    const { stdout, status } = await run(['status', 'inbox/s/']).ended;
    const [heading, done, rejected, counts] = stdout.split('\n');
    expect(heading).toMatch(/^STATE +KEY +PUZZLES +SOLVED +AGE +NOTE$/);
    expect(done).toMatch(/^done +inbox\/s\/a.txt +3 +3 +\d+ s$/);
    expect(rejected).toMatch(/^rejected +inbox\/s\/junk.txt +\d+ s +no puzzles found/);
    expect(counts).toBe('2 jobs: 1 done, 1 rejected; 3 puzzles, 3 solved');
    expect(status).toBe(0);
  });

  test('shows one job in detail, and as JSON', async () => {
    const { stdout } = await run(['status', 'scheduled/s/mixed.txt']).ended;
    expect(stdout).toMatch(/^scheduled\/s\/mixed.txt\n {2}state {5}queued\n/);
    const { jobs } = await json<{ jobs: object[] }>(run(['status', '--json', 'inbox/s/a.txt']).ended);
    expect(jobs).toMatchObject([{ key: 'inbox/s/a.txt', state: 'done', puzzles: { total: 3, solved: 3 } }]);
  });

  test('--watch polls until every job has finished', async () => {
    await run(['upload', '--prefix', 's/watched/', '-'], {}, EASY).ended;
    const { stdout, status } = await run(['status', '--watch', '--json', 'inbox/s/watched/stdin.txt']).ended;
    const last: { jobs: object[] } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
    expect(last.jobs).toMatchObject([{ key: 'inbox/s/watched/stdin.txt', state: 'done' }]);
    expect(status).toBe(0);
  });

  test('rejects an unknown key', async () => {
    expect(await run(['status', 'inbox/none.txt']).ended).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^dlx-batch: no upload in .* has the key or prefix inbox\/none.txt.*\n$/),
    });
  });
});

describe('link', () => {
  beforeAll(async () => {
    await run(['upload', '--wait', '--prefix', 'l/', 'a.txt', 'junk.txt'], FILES, '', afterAll).ended;
  });

  test.each([
    ['the solutions', [], `${SOLUTION}\n`.repeat(3)],
    ['a named file', ['--file', 'stats'], '"schema": "dlx-batch/stats@1"'],
  ])('leads to %s without credentials, and reports its lifetime', async (_name, args, text) => {
    const { stdout, stderr } = await run(['link', 'inbox/l/a.txt', ...args]).ended;
    expect(await (await fetch(stdout.trimEnd())).text()).toContain(text);
    expect(stderr).toMatch(/^valid for 24.0 h, until .*Z; anyone with the link can read the file\n$/);
  });

  test.each([
    ['a key without a result', ['inbox/none.txt'], /inbox\/none.txt has no result/],
    [
      'a rejected file',
      ['inbox/l/junk.txt'],
      /inbox\/l\/junk.txt was rejected and has no results: no puzzle/,
    ],
    [
      'a file that was not requested',
      ['inbox/l/a.txt', '--file', 'records'],
      /the result of inbox\/l\/a.txt has no records; available: solutions, exceptions, stats, report/,
    ],
    ['an unknown file name', ['inbox/l/a.txt', '--file', 'x'], /option "--file" is "x": expected one of/],
  ])('to %s is rejected in one line', async (_name, args, message) => {
    const { status, stdout, stderr } = await run(['link', ...args]).ended;
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

describe('download', () => {
  beforeAll(async () => {
    await run(['upload', '--wait', '--prefix', 'd/', 'a.txt', 'mixed.txt', 'junk.txt'], FILES, '', afterAll)
      .ended;
  });

  test('fetches a result set under its key, and verifies it against its manifest', async () => {
    const { folder, ended } = run(['download', 'inbox/d/a.txt', '-o', 'out']);
    expect((await ended).status).toBe(0);
    const set = join(folder, 'out/inbox/d/a.txt');
    expect(readdirSync(set).sort()).toEqual([
      'exceptions.jsonl',
      'manifest.json',
      'report.html',
      'solutions.txt',
      'stats.json',
    ]);
    expect(readFileSync(join(set, 'solutions.txt'), 'utf8')).toBe(`${SOLUTION}\n`.repeat(3));
  });

  test('resumes: only files that are missing or differ from their manifest are fetched', async () => {
    const { folder, ended } = run(['download', 'inbox/d/', '-o', 'out']);
    expect((await ended).status).toBe(1);
    const set = join(folder, 'out/inbox/d/a.txt');
    rmSync(join(set, 'manifest.json'));
    rmSync(join(set, 'stats.json'));
    writeFileSync(join(set, 'exceptions.jsonl'), 'damaged');
    const again = await runProgram(folder, [
      'download',
      '--endpoint',
      endpoint,
      '--json',
      'inbox/d/a.txt',
      '-o',
      'out',
    ]);
    const { results } = JSON.parse(again.stdout) as { results: { kept: number; files: string[] }[] };
    expect(results).toMatchObject([{ kept: 2 }]);
    expect(readFileSync(join(set, 'exceptions.jsonl'), 'utf8')).toBe('');
    expect(existsSync(join(set, 'manifest.json'))).toBe(true);
  });

  test('reports why a file was rejected', async () => {
    const { folder, ended } = run(['download', 'inbox/d/junk.txt', '-o', 'out']);
    expect(await ended).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^inbox\/d\/junk.txt: rejected: no puzzle/),
    });
    expect(existsSync(join(folder, 'out/inbox/d/junk.txt/error.json'))).toBe(true);
  });

  test('writes solutions to standard output', async () => {
    const { ended } = run(['download', 'inbox/d/a.txt', '-o', '-']);
    expect((await ended).stdout).toBe(`${SOLUTION}\n`.repeat(3));
  });

  test('rejects a key without a result', async () => {
    const { ended } = run(['download', 'inbox/none.txt']);
    expect(await ended).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^dlx-batch: inbox\/none.txt has no result/),
    });
  });
});
