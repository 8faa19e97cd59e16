/**
 * Files of several exact-cover problems on several threads: a part of `npm run bench -- --split`.
 *
 * Wall time of the whole job, medians over the passes; in each pass, each way runs once. Both write the same solutions.
 */
import { InlineSolver } from '../../lib/batch/solving/block-solver.ts';
import { median } from '../../lib/cli/bench/measure.ts';
import { systemClock } from '../../lib/node/system.ts';
import { workerPool } from '../../lib/node/worker-pool.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { langford, pentominoes } from '../exact-cover/classic-problems.ts';
import { sparseText } from '../formats/exact-cover/problem-files.ts';
import { solveText } from '../support/run-job.ts';

const SHORT = sparseText(langford(7));
const MIDDLE = sparseText(pentominoes(3, 20));
const LONG = sparseText(pentominoes(4, 15));

const FILES: readonly (readonly [name: string, problems: readonly string[]])[] = [
  ['2,000 of 0.1 ms', Array<string>(2000).fill(SHORT)],
  ['60 of 30 ms', Array<string>(60).fill(MIDDLE)],
  ['6 of 0.5 s', Array<string>(6).fill(LONG)],
  [
    '3 of 0.5 s, each before 15 of 30 ms',
    Array<string[]>(3)
      .fill([LONG, ...Array<string>(15).fill(MIDDLE)])
      .flat(),
  ],
];

/** Measures the files. @param printRow prints a row of the table */
export async function reportSplitFiles(
  count: number,
  passes: number,
  printRow: (cells: readonly (string | number)[]) => void,
): Promise<void> {
  const columns = ['file', 'problems', '1 thread ms', `${count} threads ms`, 'speed-up'];
  printRow(columns);
  printRow(columns.map((_, k) => (k === 0 ? '---' : '---:')));
  for (const [name, problems] of FILES) {
    const text = problems.join('\n');
    const rounds: { readonly one: number; readonly many: number }[] = [];
    for (let pass = 0; pass < passes; pass++) {
      const one = await run(text, 1);
      const many = await run(text, count);
      if (one.solutions !== many.solutions) throw new Error(`${name}: the solutions differ`);
      rounds.push({ one: one.ms, many: many.ms });
    }
    const of = (value: (round: (typeof rounds)[number]) => number, digits = 0) =>
      median(rounds.map(value)).toFixed(digits);
    printRow([
      name,
      problems.length,
      of(({ one }) => one),
      of(({ many }) => many),
      of(({ one, many }) => one / many, 2),
    ]);
  }
}

/** Runs a job, with the start of its threads. */
async function run(
  text: string,
  workers: number,
): Promise<{ readonly ms: number; readonly solutions: string }> {
  const engine = createEngine('dlx');
  const pool = workers > 1 ? workerPool(workers, engine, systemClock) : undefined;
  const solver = pool?.solver ?? new InlineSolver(engine, systemClock);
  const startMs = performance.now();
  try {
    const { solutions } = await solveText(
      text,
      { format: 'sparse', solutions: 'all' },
      { dependencies: { solver, clock: systemClock } },
    );
    return { ms: performance.now() - startMs, solutions };
  } finally {
    await pool?.close();
  }
}
