/** Peers of the benchmark, as the command line starts them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BenchCase } from '../../../lib/cli/bench/bench-case.ts';
import { benchPace } from '../../../lib/cli/bench/measure.ts';
import { MAX_BLOCK_PUZZLES, Peer, readPeers } from '../../../lib/cli/bench/peer.ts';
import { createAnswers } from '../../../lib/sudoku/engine.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { endOf, folderWith, runProgram, startProgram } from '../program.ts';

const PACE = { ...benchPace };
beforeAll(() => {
  Object.assign(benchPace, { warmUpMs: 1, passMs: 1 });
});
afterAll(() => {
  Object.assign(benchPace, PACE);
});

const UNIQUE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const SEVERAL = '.'.repeat(81);
const NONE = `55${'.'.repeat(79)}`;
const FILE = `${[UNIQUE, SEVERAL, NONE, UNIQUE].join('\n')}\n`;

const commandOf = (...args: string[]) =>
  [process.execPath, join(import.meta.dirname, 'fake-peer.ts'), ...args].map((arg) => `'${arg}'`).join(' ');

const bench = (args: readonly string[], file = FILE) =>
  runProgram(folderWith({ 'some.txt': file }), [
    'bench',
    '--engine',
    'dlx',
    '--passes',
    '2',
    ...args,
    'some.txt',
  ]);

describe('dlx-batch bench --peer', () => {
  it('measures a peer next to the engines, and relates all rates to the first peer', async () => {
    const peers = ['--peer', `twin=${commandOf()}`, '--peer', `windows = ${commandOf('crlf')}`];
    const { status, stdout, stderr } = await bench(['--json', ...peers]);
    expect([status, stderr]).toEqual([0, '']);
    const { results } = JSON.parse(stdout);
    expect(results.map(({ solver }: { solver: string }) => solver)).toEqual(['dlx', 'twin', 'windows']);
    expect(results[1]).toEqual({
      solver: 'twin',
      file: 'some.txt',
      limit: 2,
      puzzles: 4,
      puzzlesPerSecond: expect.any(Number),
      ratio: 1,
    });
    for (const { puzzlesPerSecond, ratio } of results) {
      expect(puzzlesPerSecond).toBeGreaterThan(0);
      expect(ratio).toBeGreaterThan(0);
    }
  });

  it('explains the ratio in the table', async () => {
    const { status, stdout } = await bench(['--peer', `twin=${commandOf()}`]);
    expect(status).toBe(0);
    expect(stdout).toContain(
      'Ratio: median over the passes of the rate divided by that of twin in the same round.',
    );
    expect(stdout).toMatch(/\| twin +\| +\|.*\| +1 \|\n/);
  });

  it('omits the peer for puzzles that are not ordinary 9x9', async () => {
    const { status, stdout, stderr } = await bench(
      ['--json', '--peer', `twin=${commandOf()}`],
      `${'.'.repeat(16)}\n`,
    );
    expect(status).toBe(0);
    expect(stderr).toContain('not measured with twin: peers solve only ordinary 9x9 puzzles');
    expect(JSON.parse(stdout).results).toHaveLength(1);
  });

  it.each([
    [
      'finds one of several solutions',
      'count',
      /is wrong about puzzle 2 of some.txt: found 1 solutions \(limit 2\), expected 2/,
    ],
    [
      'finds no solution',
      'unsolvable',
      /is wrong about puzzle 1 of some.txt: found 0 solutions \(limit 2\), expected 1/,
    ],
    [
      'breaks a rule',
      'solution',
      /is wrong about puzzle 1 of some.txt: its solution breaks a rule or changes a given/,
    ],
    [
      'is wrong only about the last puzzle of a block',
      'last',
      /is wrong about puzzle 4 of some.txt: found 0 solutions/,
    ],
    ['exits', 'exits', /ended with exit status 3 after 0 of \d+ answers; it says: a table is missing/],
    ['gives too few answers', 'few', /gave \d+ answers for \d+ puzzles/],
    ['gives too many answers', 'many', /gave more than (\d+) answers for \1 puzzles/],
    ['writes after the time', 'after', /wrote more after the time of a block/],
    [
      'reports milliseconds',
      'milliseconds',
      /reports 5000 s for a block that took [\d.]+ s with its answers/,
    ],
    ['reports no time', 'zero', /reports 0 s for a block/],
    [
      'is another program',
      'words',
      /answered "usage: solve FILE"; expected 0, COUNT:SOLUTION or time SECONDS/,
    ],
  ])(
    'ends with one line if the peer %s',
    async (_name, defect, message) => {
      for (const parameter of ['', 'later']) {
        const { status, stderr } = await bench(['--json', '--peer', `odd=${commandOf(defect, parameter)}`]);
        expect(status).toBe(2);
        expect(stderr).toMatch(message);
        expect(stderr).toMatch(/^dlx-batch: (?:peer )?odd [^\n]+\n$/);
      }
    },
    60_000,
  );

  it('ends with one line if the command does not exist', async () => {
    const { status, stderr } = await bench(['--peer', 'none=./does-not-exist']);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^dlx-batch: peer none ended with exit status 127 after 0 of 4 answers; it says: [^\n]+\n$/,
    );
  });
});

/** Whether a process exists; a zombie, which no parent has awaited, has ended. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

it('the protocol names the largest block in the docs, in the example and in the help', async () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/how-to/compare-solvers.md'), 'utf8');
  const { stdout: help } = await runProgram(folderWith({}), ['bench', '--help']);
  const max = MAX_BLOCK_PUZZLES.toLocaleString('en');
  expect(docs).toContain(`A block has 1 to ${max} puzzles.`);
  expect(docs).toContain(`MAX = ${MAX_BLOCK_PUZZLES} }`);
  expect(help.replaceAll(/\s+/g, ' ')).toContain(`an empty line ends a block of at most ${max}`);
});

describe('readPeers', () => {
  it('reads a name and a command, which may contain "="', () => {
    expect(readPeers(['tdoku avx=A=1 ./peer --limit=2'], ['dlx'])).toEqual([
      { name: 'tdoku avx', command: 'A=1 ./peer --limit=2' },
    ]);
  });

  it.each(['tdoku', '=./peer', 'tdoku=', ' = '])('rejects %j', (value) => {
    expect(() => readPeers([value], [])).toThrow(
      `option "--peer" is "${value}": expected NAME=COMMAND, such as tdoku=./tdoku-peer`,
    );
  });

  it.each([[['dlx=./a']], [['one=./a', 'one=./b']]])('rejects the repeated name in %j', (values) => {
    expect(() => readPeers(values, ['dlx'])).toThrow(/is another solver$/);
  });
});

describe('a peer', () => {
  const started: Peer[] = [];
  afterEach(() => {
    for (const peer of started.splice(0)) peer.end();
  });
  const start = (timeoutMs: number, ...args: string[]) => {
    const peer = new Peer('odd', commandOf(...args), timeoutMs);
    started.push(peer);
    return peer;
  };
  const cells = Uint8Array.from(UNIQUE + SEVERAL + NONE, (symbol) => (symbol === '.' ? 0 : Number(symbol)));
  const puzzles: BenchCase = { name: 'three', geometry: standardGeometry(9), count: 3, cells };

  const late = 'peer odd gave 0 of 3 answers in 2 s: it must answer at an empty line, and flush its output';

  it('that gives no answer is an error after a time limit', async () => {
    const peer = start(2000, 'silent');
    await expect(peer.solveRepeatedly(puzzles, 1, createAnswers(3, 81), () => {})).rejects.toThrow(late);
  });

  it('that hangs is killed at the end', async () => {
    const pidPath = join(folderWith({}), 'pid');
    const peer = start(2000, 'hangs', pidPath);
    await expect(peer.solveRepeatedly(puzzles, 1, createAnswers(3, 81), () => {})).rejects.toThrow(late);
    const pid = Number(readFileSync(pidPath, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    peer.end();
    await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  });

  it('that hangs is killed if a signal ends the benchmark', async () => {
    const folder = folderWith({ 'some.txt': FILE });
    const pidPath = join(folder, 'pid');
    const child = startProgram(folder, [
      'bench',
      '--engine',
      'dlx',
      '--peer',
      `odd=${commandOf('hangs', pidPath)}`,
      'some.txt',
    ]);
    await expect
      .poll(() => existsSync(pidPath) && readFileSync(pidPath, 'utf8'), { timeout: 30_000 })
      .toMatch(/\d/);
    const pid = Number(readFileSync(pidPath, 'utf8'));
    child.kill('SIGINT');
    expect(await endOf(child)).toMatchObject({ status: null, signal: 'SIGINT' });
    await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  });

  it('that is killed by a signal is an error', async () => {
    const peer = new Peer('odd', 'kill -TERM $$');
    started.push(peer);
    await expect(peer.solveRepeatedly(puzzles, 1, createAnswers(3, 81), () => {})).rejects.toThrow(
      'peer odd was ended by SIGTERM after 0 of 3 answers',
    );
  });

  it('gets blocks of bounded size, and every answer of every block is checked', async () => {
    const peer = start(60_000);
    const answers = createAnswers(3, 81);
    const repeats = MAX_BLOCK_PUZZLES;
    const checked = [0, 0, 0];
    const wallMs = performance.now();
    const seconds = await peer.solveRepeatedly(puzzles, repeats, answers, (index) => checked[index]++);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan((performance.now() - wallMs) / 1000);
    expect(checked).toEqual([repeats, repeats, repeats]);
    expect([...answers.solutions]).toEqual([1, 2, 0]);
    expect(answers.cells.subarray(162).every((digit) => digit === 0)).toBe(true);
  });
});
