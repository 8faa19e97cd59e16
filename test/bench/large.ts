/**
 * The time of solving large puzzles, with SAT solvers: `npm run bench -- --large [NAME] [--peer NAME=COMMAND] [--passes N]`.
 *
 * Every program finds two solutions of each puzzle, or proves that there is only one. A peer is a shell command that reads the
 * puzzles as clauses and writes its times (docs/how-to/compare-solvers.md). In each pass each program solves the whole set. Times are processor
 * time of each puzzle, and medians over the passes:
 *
 *     dlx       solving with a warm engine. Its links are built once for each geometry, which the column `loading` has
 *     a peer    `loading` is adding all clauses to a new solver, the solving is in the other columns. Its start, and making the
 *               clauses from the puzzle, are not measured
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchCase } from '../../lib/cli/bench/bench-case.ts';
import { median } from '../../lib/cli/bench/measure.ts';
import { CommandError } from '../../lib/cli/exit.ts';
import { createAnswers } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { evenSample } from './cases.ts';
import { largeSets } from './large-puzzles.ts';
import type { PeerCommand } from './peer.ts';

const PUZZLES = 100;

/** Solutions of each puzzle, at most 2, and processor time in milliseconds. */
export interface LargeTimes {
  readonly solutions: readonly number[];
  readonly loadingMs: readonly number[];
  readonly solvingMs: readonly number[];
}

/** Solves a set with a new engine. */
export function measureLarge({ geometry, cells, count }: BenchCase): LargeTimes {
  const { cellCount } = geometry;
  const engine = createEngine('dlx');
  const answers = createAnswers(1, cellCount);
  const limits = {
    maxSolutions: 2,
    maxNodes: Number.POSITIVE_INFINITY,
    sliceNodes: Number.POSITIVE_INFINITY,
    pauseAtSolution: false,
  };
  const solve = (puzzle: Uint8Array) => {
    const cpu = process.cpuUsage();
    engine.solve({ geometry, cells: puzzle }, 0, 1, limits, answers);
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1000;
  };
  const puzzles = Array.from({ length: count }, (_, k) => cells.subarray(k * cellCount, (k + 1) * cellCount));
  const first = solve(puzzles[0]!);
  const loading = Math.max(0, first - solve(puzzles[0]!));
  const times = puzzles.map((puzzle) => ({ ms: solve(puzzle), solutions: answers.solutions[0]! }));
  return {
    solutions: times.map(({ solutions }) => solutions),
    loadingMs: [loading],
    solvingMs: times.map(({ ms }) => ms),
  };
}

/** Writes a set as clauses; "one option of each item" is one clause, and one for each two of its options. */
export function writeClauses({ geometry, cells, count }: BenchCase, path: string): void {
  const { problem, optionOf } = sudokuCover(geometry);
  const optionsOf: number[][] = Array.from({ length: problem.primaryCount }, () => []);
  for (let option = 0; option < problem.optionCount; option++) {
    for (let k = problem.optionStart[option]!; k < problem.optionStart[option + 1]!; k++) {
      optionsOf[problem.items[k]!]!.push(option + 1);
    }
  }
  const file = openSync(path, 'w');
  writeSync(file, 'p inccnf\n');
  for (const options of optionsOf) {
    const pairs = options.flatMap((one, k) => options.slice(k + 1).map((other) => `-${one} -${other} 0\n`));
    writeSync(file, `${options.join(' ')} 0\n${pairs.join('')}`);
  }
  for (let k = 0; k < count; k++) {
    const givens = Array.from(
      cells.subarray(k * geometry.cellCount, (k + 1) * geometry.cellCount),
      (digit, cell) => (digit === 0 ? '' : `${optionOf[cell * geometry.size + digit - 1]! + 1} `),
    );
    writeSync(file, `a ${givens.join('')}0\n`);
  }
  closeSync(file);
}

/**
 * Runs a peer on a file of clauses.
 *
 * @throws CommandError if it does not write a line for each of the puzzles
 */
export function measureSatPeer({ name, command }: PeerCommand, path: string, count: number): LargeTimes {
  const input = openSync(path, 'r');
  const { stdout } = spawnSync('sh', ['-c', command], {
    stdio: [input, 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  closeSync(input);
  const lines = [...stdout.matchAll(/^([012]) ([\d.e-]+) ([\d.e-]+)$/gm)];
  if (lines.length !== count) {
    throw new CommandError(
      `peer ${name} wrote ${lines.length} lines "SOLUTIONS LOADING SOLVING" for ${count} puzzles`,
    );
  }
  return {
    solutions: lines.map((line) => Number(line[1])),
    loadingMs: lines.map((line) => 1000 * Number(line[2])),
    solvingMs: lines.map((line) => 1000 * Number(line[3])),
  };
}

/** Measures the sets and prints a table. @param only a part of the names */
export function reportLarge(peers: readonly PeerCommand[], passes: number, only = ''): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
  const path = join(folder, 'puzzles.icnf');
  printRow(['set', 'program', 'loading s', 'total s', 'median ms', '95% ms', 'slowest ms']);
  printRow(['---', '---', '---:', '---:', '---:', '---:', '---:']);
  try {
    for (const set of largeSets(PUZZLES, only)) {
      if (peers.length > 0) writeClauses(set, path);
      // The first rounds of compiled code are slower.
      measureLarge(evenSample(set, 10));
      const rounds = Array.from({ length: passes }, () => [
        measureLarge(set),
        ...peers.map((peer) => measureSatPeer(peer, path, set.count)),
      ]);
      const counts = rounds[0]![0]!.solutions.join('');
      for (const [k, name] of ['dlx', ...peers.map((peer) => peer.name)].entries()) {
        const runs = rounds.map((round) => round[k]!);
        if (runs.some(({ solutions }) => solutions.join('') !== counts)) {
          throw new CommandError(`${name} found other numbers of solutions of ${set.name}`);
        }
        const medianOf = (value: (run: LargeTimes) => number) => median(runs.map(value));
        const shareMs = (share: number) => medianOf((run) => percentile(run.solvingMs, share)).toFixed(1);
        printRow([
          set.name,
          name,
          (medianOf((run) => sum(run.loadingMs)) / 1000).toFixed(2),
          (medianOf((run) => sum(run.solvingMs)) / 1000).toFixed(2),
          shareMs(0.5),
          shareMs(0.95),
          shareMs(1),
        ]);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The value that this share of the values does not exceed. */
function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1]!;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function printRow(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
