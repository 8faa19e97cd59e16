/** Peers of the benchmark, as the command line starts them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BenchCase, fileCases } from '../../lib/cli/bench/bench-case.ts';
import {
  BENCH_NODES,
  benchPace,
  engineSolver,
  MAX_BLOCK_PUZZLES,
  measure,
} from '../../lib/cli/bench/measure.ts';
import { findInputFiles } from '../../lib/cli/files/input-files.ts';
import { createAnswers } from '../../lib/sudoku/engine.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { folderWith } from '../cli/program.ts';
import { Peer, readPeers, withPeers } from './peer.ts';
import { ratioRows } from './report.ts';

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

/** Measures dlx and peers on a file. @returns the rows of the results by solver */
async function bench(...peers: readonly string[]) {
  const [file] = await findInputFiles([join(folderWith({ 'some.txt': FILE }), 'some.txt')]);
  const { cases } = await fileCases(file!);
  const engine = engineSolver('dlx', BENCH_NODES);
  const commands = readPeers(peers, ['dlx']);
  return withPeers(commands, async (started) => {
    const solvers = [engine, ...started];
    const pace = { ...benchPace, passes: 2 };
    const measurements = await measure(cases[0]!, solvers, pace, () => {});
    return ratioRows(cases[0]!, measurements, commands[0]!.name);
  });
}

describe('a benchmark with peers', () => {
  it('measures a peer next to the engines, and relates all rates to the first peer', async () => {
    const results = await bench(`twin=${commandOf()}`, `windows = ${commandOf('crlf')}`);
    expect(results.map(({ solver }) => solver)).toEqual(['dlx', 'twin', 'windows']);
    expect(results[1]).toMatchObject({ solver: 'twin', file: 'some.txt', limit: 2, puzzles: 4, ratio: 1 });
    for (const { puzzlesPerSecond, ratio } of results) {
      expect(puzzlesPerSecond).toBeGreaterThan(0);
      expect(ratio).toBeGreaterThan(0);
    }
  });

  it('omits the peer for puzzles that are not ordinary 9x9', () => {
    const peer = new Peer('twin', 'true');
    expect(peer.refuses(standardGeometry(4))).toBe('peers solve only ordinary 9x9 puzzles');
    peer.end();
  });

  it.each([
    [
      'finds one of several solutions',
      'count',
      /is wrong about the puzzle 0{81}: found 1 solutions, another solver 2/,
    ],
    [
      'finds no solution',
      'unsolvable',
      /is wrong about the puzzle \d{81}: found 0 solutions, another solver [12]/,
    ],
    [
      'breaks a rule',
      'solution',
      /is wrong about the puzzle \d{81}: its solution breaks a rule or changes a given/,
    ],
    [
      'is wrong only about the last puzzle of a block',
      'last',
      /is wrong about the puzzle \d{81}: found [01] solutions/,
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
  ])('ends with one line if the peer %s', async (_name, defect, message) => {
    for (const parameter of ['', 'later']) {
      await expect(bench(`odd=${commandOf(defect, parameter)}`)).rejects.toThrow(message);
    }
  });

  it('ends with one line if the command does not exist', async () => {
    await expect(bench('none=./does-not-exist')).rejects.toThrow(
      /^peer none ended with exit status 127 after 0 of 4 answers; it says: [^\n]+$/,
    );
  });
});

/** Whether a process exists; a zombie, which no parent has awaited, has ended. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

it('the protocol names the largest block in the docs and in the example', async () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/how-to/compare-solvers.md'), 'utf8');
  const max = MAX_BLOCK_PUZZLES.toLocaleString('en');
  expect(docs).toContain(`A block has 1 to ${max} puzzles.`);
  expect(docs).toContain(`MAX = ${MAX_BLOCK_PUZZLES} }`);
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
    await expect(peer.solve(puzzles, createAnswers(3, 81))).rejects.toThrow(late);
  });

  it('that hangs is killed at the end', async () => {
    const pidPath = join(folderWith({}), 'pid');
    const peer = start(2000, 'hangs', pidPath);
    await expect(peer.solve(puzzles, createAnswers(3, 81))).rejects.toThrow(late);
    const pid = Number(readFileSync(pidPath, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    peer.end();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });

  it('that is killed by a signal is an error', async () => {
    const peer = new Peer('odd', 'kill -TERM $$');
    started.push(peer);
    await expect(peer.solve(puzzles, createAnswers(3, 81))).rejects.toThrow(
      'peer odd was ended by SIGTERM after 0 of 3 answers',
    );
  });

  it('fills the answers of a block, and reports its time', async () => {
    const peer = start(60_000);
    const answers = createAnswers(3, 81);
    const wallMs = performance.now();
    const seconds = await peer.solve(puzzles, answers);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan((performance.now() - wallMs) / 1000);
    expect([...answers.solutions]).toEqual([1, 2, 0]);
    expect(answers.cells.subarray(162).every((digit) => digit === 0)).toBe(true);
  });
});
