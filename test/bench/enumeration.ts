/**
 * The time of finding all solutions of exact covers, with other programs: `npm run bench -- --enumeration [NAME]
 * [--peer NAME=COMMAND] [--passes N]`.
 *
 * A peer is a shell command that reads a problem in Knuth's format and writes his statistics ("Altogether 8 solutions, ...,
 * 10986975 updates"), such as his DLX1; for problems with costs, his DLX5
 * (`--enumeration cheapest --peer dlx5=...`). In each pass, each program runs once. Times are processor time:
 *
 *     search        finding all solutions in this process, with a new instance
 *     solve         `solve --solutions all --count --workers 1` in a process of its own, less the same on a problem with one option
 *     a peer        its whole process, several times, as most take milliseconds
 *
 * Ratios are medians over the passes, to the first peer.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../../lib/cli/bench/measure.ts';
import { CommandError } from '../../lib/cli/exit.ts';
import { openSearch } from '../../lib/exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { dominoes, latinSquare } from '../exact-cover/board-problems.ts';
import { langford, pentominoes, queens, somaCube } from '../exact-cover/classic-problems.ts';
import { createProblem } from '../exact-cover/create-problem.ts';
import { knuthText } from '../formats/exact-cover/problem-files.ts';
import type { PeerCommand } from './peer.ts';

const PROBLEMS: readonly [name: string, problem: () => ExactCoverProblem][] = [
  ['pentominoes 3x20', () => pentominoes(3, 20)],
  ['pentominoes 4x15', () => pentominoes(4, 15)],
  ['pentominoes 8x8 less 2x2', () => pentominoes(8, 8, [27, 28, 35, 36])],
  ['Soma cube', somaCube],
  ['Langford pairs 11', () => langford(11)],
  ['queens 10', () => queens(10)],
  ['Latin squares 5', () => latinSquare(5)],
  ['dominoes 6x8', () => dominoes(6, 8)],
  // A cheapest solution is found.
  ['cheapest pentominoes 5x12', () => withCosts(pentominoes(5, 12))],
];

/** A problem with a cost from 0 to 100 for each option, the same in every run. */
function withCosts(problem: ExactCoverProblem): ExactCoverProblem {
  const random = new RandomSource(1);
  return { ...problem, costs: Float64Array.from({ length: problem.optionCount }, () => random.below(101)) };
}

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
const CPU_AT_EXIT = join(import.meta.dirname, 'cpu-at-exit.ts');
/** Runs of a peer in one pass. */
const PEER_RUNS = 5;

/** Solutions and updates of a search, and its processor time. */
export interface EnumerationTime {
  readonly solutions: number;
  readonly updates: number;
  readonly ms: number;
}

/** Finds all solutions in this process; a cheapest one if the problem has costs. */
export function measureEnumeration(problem: ExactCoverProblem): EnumerationTime {
  const cpu = process.cpuUsage();
  const wanted = problem.costs === undefined ? Number.POSITIVE_INFINITY : 1;
  const links = openSearch(problem, false, wanted);
  links.run({
    maxSolutions: wanted,
    maxNodes: Number.POSITIVE_INFINITY,
    sliceNodes: Number.POSITIVE_INFINITY,
    pauseAtSolution: false,
  });
  const { user, system } = process.cpuUsage(cpu);
  return { solutions: links.solutions, updates: links.updates, ms: (user + system) / 1000 };
}

/**
 * Runs a peer on a file.
 *
 * @throws CommandError if it does not write its statistics
 */
export function measurePeer({ name, command }: PeerCommand, path: string, runs = PEER_RUNS): EnumerationTime {
  // `times` writes the times of the shell, then those of its children: user and system.
  const loop = `k=0; while [ $k -lt ${runs} ]; do (${command}) < "$0" > "$0.out" 2>&1; k=$((k+1)); done; times`;
  const { stdout } = spawnSync('sh', ['-c', loop, path], { encoding: 'utf8' });
  const output = readFileSync(`${path}.out`, 'utf8');
  const [, solutions, updates] = /Altogether (\d+) solutions?,.* (\d+) updates/s.exec(output) ?? [];
  if (updates === undefined) {
    throw new CommandError(`peer ${name} wrote no line "Altogether N solutions, ..., N updates" for ${path}`);
  }
  const times = [...stdout.split('\n')[1]!.matchAll(/(\d+)m([\d.]+)s/g)];
  const ms = times.reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
    0,
  );
  return { solutions: Number(solutions), updates: Number(updates), ms: ms / runs };
}

/** Processor time of `solve --solutions all --count`, or of `--solutions 1` for a problem with costs, in its own process. */
function solveMs(path: string, hasCosts = false): number {
  const solutions = hasCosts ? ['1'] : ['all', '--count', '--workers', '1'];
  const { output } = spawnSync(
    process.execPath,
    ['--import', CPU_AT_EXIT, PROGRAM, 'solve', '--solutions', ...solutions, path],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  return Number(output[3]);
}

/** Problems with costs are for other peers, so they are measured if they are named. */
function problemsNamed(only: string): typeof PROBLEMS {
  return PROBLEMS.filter(([name]) => (only === '' ? !name.startsWith('cheapest') : name.includes(only)));
}

/** Measures the problems and prints a table. @param only a part of the names */
export function reportEnumeration(peers: readonly PeerCommand[], passes: number, only = ''): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-enumeration-'));
  const start = join(folder, 'start.dlx');
  writeFileSync(start, knuthText(createProblem({ primaryCount: 1, options: [[0]] })));
  const columns = ['problem', 'solutions', 'updates', 'search ms', 'solve ms'];
  for (const { name } of peers) columns.push(`${name} updates`, `${name} ms`);
  if (peers.length > 0) columns.push('search ratio', 'solve ratio');
  printRow(columns);
  printRow(columns.map((_, k) => (k === 0 ? '---' : '---:')));
  const ratios: { search: number; solve: number }[] = [];
  try {
    for (const [name, problem] of problemsNamed(only)) {
      const path = join(folder, 'problem.dlx');
      writeFileSync(path, knuthText(problem()));
      const hasCosts = problem().costs !== undefined;
      const rounds = Array.from({ length: passes }, () => ({
        search: measureEnumeration(problem()),
        solveMs: solveMs(path, hasCosts) - solveMs(start),
        peers: peers.map((peer) => measurePeer(peer, path)),
      }));
      const { search, peers: found } = rounds[0]!;
      for (const [k, { solutions }] of found.entries()) {
        // With costs, a peer counts each solution that was the cheapest so far.
        if (hasCosts || solutions === search.solutions) continue;
        throw new CommandError(
          `peer ${peers[k]!.name} found ${solutions} solutions of ${name}, not ${search.solutions}`,
        );
      }
      const medianOf = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
      const row = [
        name,
        search.solutions,
        search.updates,
        medianOf((round) => round.search.ms).toFixed(1),
        medianOf((round) => round.solveMs).toFixed(1),
      ];
      for (const [k, { updates }] of found.entries()) {
        row.push(updates, medianOf((round) => round.peers[k]!.ms).toFixed(1));
      }
      if (peers.length > 0) {
        const ratio = {
          search: medianOf(({ search, peers: [peer] }) => search.ms / peer!.ms),
          solve: medianOf(({ solveMs, peers: [peer] }) => solveMs / peer!.ms),
        };
        // A peer whose time is that of its start has no ratio.
        const isMeasured = Number.isFinite(ratio.search);
        if (isMeasured) ratios.push(ratio);
        row.push(...[ratio.search, ratio.solve].map((each) => (isMeasured ? each.toFixed(2) : '-')));
      }
      printRow(row);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (ratios.length === 0) return;
  const search = geometricMean(ratios.map((ratio) => ratio.search));
  const solve = geometricMean(ratios.map((ratio) => ratio.solve));
  process.stdout.write(
    `\nGeometric means of these ratios to ${peers[0]!.name}: search ${search}, solve ${solve}.\n`,
  );
}

function printRow(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** Differences of two processes can be below 0: at least a hundredth. */
function geometricMean(ratios: readonly number[]): string {
  const logs = ratios.map((ratio) => Math.log(Math.max(ratio, 0.01)));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length).toFixed(2);
}
