/**
 * How long a case takes: warmed up, over several passes, each long enough, the solvers in turn.
 *
 * A pass of one solver is followed by a pass of the next, round after round. So whatever else the machine does
 * meets all of them alike, and a ratio is taken within a round, between passes that are seconds apart.
 */

import { isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import { createAnswers, Stop } from '../../sudoku/engine.ts';
import { type BenchCase, evenSample } from './bench-case.ts';
import type { BenchSolver } from './bench-solver.ts';

export interface Pace {
  /** Before anything is timed: enough for code to be compiled for speed. */
  readonly warmUpMs: number;
  /** What a pass should take. A faster solver solves the puzzles several times, a slower one an even sample. */
  readonly passMs: number;
  readonly passes: number;
}

export interface Measurement {
  readonly solver: BenchSolver;
  /** It solved every `step`-th puzzle: `puzzles` of them, `repeats` times in a pass. */
  readonly step: number;
  readonly puzzles: number;
  readonly repeats: number;
  /** Puzzles it gave up at its node budget. */
  readonly limited: number;
  /** Puzzles a second in each pass. */
  readonly rates: readonly number[];
  /** Median over the rounds of its rate to the reference's; undefined where there is none. */
  readonly ratio: number | undefined;
}

/** Fewer puzzles would say little of a file, whose hard ones are few. */
const MIN_SAMPLE = 180;
/** For a solver that may give up: each puzzle may cost it its whole budget. */
const MIN_BUDGETED_SAMPLE = 20;

interface Run {
  readonly solver: BenchSolver;
  readonly step: number;
  readonly sample: BenchCase;
  readonly repeats: number;
  readonly rates: number[];
  limited: number;
}

/**
 * Measures solvers on a case.
 *
 * @param onProgress told what is being done, for people
 * @param referenceName the solver to which ratios are, if any
 * @throws Error where an answer is wrong
 */
export function measure(
  puzzles: BenchCase,
  solvers: readonly BenchSolver[],
  pace: Pace,
  onProgress: (text: string) => void,
  referenceName?: string,
): Measurement[] {
  const runs = solvers.map((solver) => {
    onProgress(`${puzzles.name}: ${solver.name} warms up`);
    return prepare(puzzles, solver, pace);
  });
  for (let pass = 1; pass <= pace.passes; pass++) {
    onProgress(`${puzzles.name}: pass ${pass} of ${pace.passes}`);
    for (const run of runs) timePass(run);
  }
  const reference = runs.find(({ solver }) => solver.name === referenceName);
  return runs.map(({ solver, step, sample, repeats, limited, rates }) => ({
    solver,
    step,
    puzzles: sample.count,
    repeats,
    limited,
    rates,
    ratio: reference && median(rates.map((rate, pass) => rate / reference.rates[pass]!)),
  }));
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Runs on a small even sample until it is warm, and from its rate decides what a pass is. */
function prepare(puzzles: BenchCase, solver: BenchSolver, pace: Pace): Run {
  const trial = evenSample(puzzles, Math.max(1, Math.floor(puzzles.count / 50)));
  const answers = createAnswers(trial.count, trial.geometry.cellCount);
  const begin = performance.now();
  let bestMs = Number.POSITIVE_INFINITY;
  do {
    const start = performance.now();
    solver.solve(trial, answers);
    bestMs = Math.min(bestMs, performance.now() - start);
  } while (performance.now() - begin < pace.warmUpMs);
  const wholeMs = (bestMs / trial.count) * puzzles.count;
  const fewest = Number.isFinite(solver.maxNodes) ? MIN_BUDGETED_SAMPLE : MIN_SAMPLE;
  const mostSteps = Math.max(1, Math.floor(puzzles.count / fewest));
  const step = Math.min(Math.max(1, Math.floor(wholeMs / pace.passMs)), mostSteps);
  const repeats = Math.max(1, Math.round(pace.passMs / wholeMs));
  return { solver, step, sample: evenSample(puzzles, step), repeats, rates: [], limited: 0 };
}

/** One pass: only the solving is timed, then every answer is checked. */
function timePass(run: Run): void {
  const { solver, sample, repeats } = run;
  const answers = createAnswers(sample.count, sample.geometry.cellCount);
  const start = performance.now();
  for (let k = 0; k < repeats; k++) solver.solve(sample, answers);
  const seconds = (performance.now() - start) / 1000;
  run.rates.push((sample.count * repeats) / seconds);
  run.limited = 0;
  for (let i = 0; i < sample.count; i++) {
    const at = i * sample.geometry.cellCount;
    if (answers.stop[i] === Stop.nodeLimit) run.limited++;
    const hasSolution = answers.solutions[i]! > 0;
    if (hasSolution !== isSolutionOf(sample.geometry, sample.cells, at, answers.cells, at)) {
      throw new Error(`${solver.name} is wrong about puzzle ${i * run.step + 1} of ${sample.name}`);
    }
  }
}
