/**
 * The time of counting all solutions, with memoised counting and without: `npm run bench -- --counting`.
 *
 * The search without stops after as many nodes as the budget of a puzzle. Times are processor time.
 */
import { CountingSearch } from '../../lib/exact-cover/counting-search.ts';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import type { SolutionCount } from '../../lib/exact-cover/solution-count.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { dominoes, latinSquare } from '../exact-cover/board-problems.ts';
import { langford, pentominoes, queens } from '../exact-cover/classic-problems.ts';

/** Problems, and whether memoised counting is of use. */
const PROBLEMS: readonly [name: string, problem: () => ExactCoverProblem][] = [
  ['dominoes 6x8', () => dominoes(6, 8)],
  ['dominoes 8x8', () => dominoes(8, 8)],
  ['dominoes 12x12', () => dominoes(12, 12)],
  ['dominoes 16x16', () => dominoes(16, 16)],
  ['dominoes 12x12 less two corners', () => dominoes(12, 12, [0, 143])],
  ['Latin squares 5', () => latinSquare(5)],
  ['Latin squares 6', () => latinSquare(6)],
  ['empty 6x6 sudoku', () => sudokuCover(standardGeometry(6)).problem],
  ['queens 10', () => queens(10)],
  ['queens 12', () => queens(12)],
  ['Langford pairs 11', () => langford(11)],
  ['pentominoes 3x20', () => pentominoes(3, 20)],
  ['pentominoes 4x15', () => pentominoes(4, 15)],
  ['pentominoes 6x10', () => pentominoes(6, 10)],
];

export interface CountResult {
  readonly solutions: SolutionCount;
  readonly exact: boolean;
  readonly nodes: number;
  readonly ms: number;
  /** Bytes of memoised counting; 0 without it. */
  readonly bytes: number;
}

/** Counts with memoised counting where it is worthwhile, or without it. */
export function measureCount(problem: ExactCoverProblem, memoised: boolean, maxNodes: number): CountResult {
  const cpu = process.cpuUsage();
  const links = new DancingLinks(problem, Number.POSITIVE_INFINITY);
  const counting = new CountingSearch(links, () => ({ problem }));
  const search = memoised ? counting : links;
  const limits = {
    maxSolutions: Number.POSITIVE_INFINITY,
    maxNodes,
    sliceNodes: Number.POSITIVE_INFINITY,
    pauseAtSolution: false,
  };
  let stop: SearchStop;
  do {
    stop = search.run(limits);
  } while (stop === SearchStop.slice);
  const { user, system } = process.cpuUsage(cpu);
  return {
    solutions: search.solutions,
    exact: stop === SearchStop.exhausted,
    nodes: search.nodes,
    ms: (user + system) / 1000,
    bytes: memoised ? counting.memoBytes : 0,
  };
}

/** Measures all problems and prints a table. @param only a part of the names */
export function reportCounting(maxNodes: number, only = ''): void {
  process.stdout.write('| problem | solutions | memoised ms | nodes | MiB | without ms | nodes |\n');
  process.stdout.write('|---|---:|---:|---:|---:|---:|---:|\n');
  for (const [name, problem] of PROBLEMS.filter(([name]) => name.includes(only))) {
    const memoised = measureCount(problem(), true, maxNodes);
    const without = measureCount(problem(), false, maxNodes);
    if (memoised.exact && without.exact && memoised.solutions !== without.solutions) {
      throw new Error(`${name}: ${memoised.solutions} solutions memoised, ${without.solutions} without`);
    }
    const row = [
      name,
      `${memoised.solutions}${memoised.exact ? '' : ' or more'}`,
      memoised.ms.toFixed(0),
      memoised.nodes,
      (memoised.bytes / 2 ** 20).toFixed(1),
      `${without.ms.toFixed(0)}${without.exact ? '' : ' (stopped)'}`,
      without.nodes,
    ];
    process.stdout.write(`| ${row.join(' | ')} |\n`);
  }
}
