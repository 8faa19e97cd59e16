/**
 * One search on several threads: `npm run bench -- --split [NAME] [--passes N --threads N]`.
 *
 *     whole        the search, not split (`DancingLinks`)
 *     1 thread     split, its subproblems one after the other in this thread
 *     N threads    split, its subproblems on N threads, which are started before
 *
 * Then files of several problems (split-files.ts).
 *
 * Wall time, medians over the passes; in each pass, each way runs once. All ways find the same number of solutions.
 */
import { availableParallelism } from 'node:os';
import { Elsewhere } from '../../lib/batch/solving/elsewhere.ts';
import { median } from '../../lib/cli/bench/measure.ts';
import { type DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { openLinks } from '../../lib/exact-cover/open-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { SplitSearch } from '../../lib/exact-cover/split/split-search.ts';
import { estimateTree } from '../../lib/exact-cover/tree-estimate.ts';
import { langford, pentominoes, queens } from '../exact-cover/classic-problems.ts';
import { motleyDissections } from '../exact-cover/known-problems.ts';
import { type SearchThreads, searchThreads } from '../node/threads.ts';
import { reportSplitFiles } from './split-files.ts';

interface SplitCase {
  readonly name: string;
  readonly problem: () => ExactCoverProblem;
  /** Whether each solution is read; else they are only counted. */
  readonly each: boolean;
  readonly maxSolutions: number;
}

const ALL = Number.POSITIVE_INFINITY;

const CASES: readonly SplitCase[] = [
  { name: 'pentominoes 5x12, count', problem: () => pentominoes(5, 12), each: false, maxSolutions: ALL },
  { name: 'pentominoes 6x10, count', problem: () => pentominoes(6, 10), each: false, maxSolutions: ALL },
  { name: 'pentominoes 6x10, each', problem: () => pentominoes(6, 10), each: true, maxSolutions: ALL },
  { name: 'Langford pairs 12, each', problem: () => langford(12), each: true, maxSolutions: ALL },
  { name: 'Langford pairs 13, proof of none', problem: () => langford(13), each: true, maxSolutions: 2 },
  {
    name: 'motley dissections 6x7, count',
    problem: () => motleyDissections(6, 7),
    each: false,
    maxSolutions: ALL,
  },
  { name: 'queens 14, count', problem: () => queens(14), each: false, maxSolutions: ALL },
];

async function run(
  { each, maxSolutions }: SplitCase,
  search: DancingLinks | SplitSearch,
  threads?: SearchThreads,
): Promise<{ readonly ms: number; readonly solutions: number }> {
  const startMs = performance.now();
  const limits = { maxSolutions, maxNodes: ALL };
  const elsewhere = new Elsewhere(threads, { ...limits, each });
  if (search instanceof SplitSearch) search.openAnswers = elsewhere.openAnswers;
  for (;;) {
    const stop = search.run({ ...limits, sliceNodes: 100_000, pauseAtSolution: each });
    if (search instanceof SplitSearch && search.isWaiting) await elsewhere.progress();
    else if (stop !== SearchStop.slice && stop !== SearchStop.solution) break;
  }
  elsewhere.close();
  return { ms: performance.now() - startMs, solutions: search.solutions };
}

/** Measures the searches and prints a table. @param only a part of the names */
export async function reportSplit(count = availableParallelism(), passes: number, only = ''): Promise<void> {
  const threads = searchThreads(count);
  const columns = [
    'search',
    'solutions',
    'whole ms',
    '1 thread ms',
    `${count} threads ms`,
    '1 thread / whole',
    'speed-up',
  ];
  printRow(columns);
  printRow(columns.map((_, k) => (k === 0 ? '---' : '---:')));
  try {
    for (const item of CASES.filter(({ name }) => name.includes(only))) {
      const problem = item.problem();
      const split = () => new SplitSearch(problem, item.maxSolutions, { estimate: estimateTree });
      const unsplit = () => openLinks(problem, item.maxSolutions);
      const rounds: Record<'whole' | 'one' | 'many', Awaited<ReturnType<typeof run>>>[] = [];
      for (let pass = 0; pass < passes; pass++) {
        const whole = await run(item, unsplit());
        const one = await run(item, split());
        const many = await run(item, split(), threads);
        if (one.solutions !== whole.solutions || many.solutions !== whole.solutions) {
          throw new Error(`${item.name}: ${whole.solutions}, ${one.solutions}, ${many.solutions} solutions`);
        }
        rounds.push({ whole, one, many });
      }
      const of = (value: (round: (typeof rounds)[number]) => number, digits = 0) =>
        median(rounds.map(value)).toFixed(digits);
      printRow([
        item.name,
        rounds[0].whole.solutions,
        of(({ whole }) => whole.ms),
        of(({ one }) => one.ms),
        of(({ many }) => many.ms),
        of(({ whole, one }) => one.ms / whole.ms, 2),
        of(({ one, many }) => one.ms / many.ms, 2),
      ]);
    }
  } finally {
    await threads.close();
  }
  if (only === '') await reportSplitFiles(count, passes, printRow);
}

function printRow(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
