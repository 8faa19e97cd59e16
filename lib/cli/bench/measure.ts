/**
 * Measures solvers on a case, after a warm-up and over several passes.
 *
 * The solvers alternate: in each round, every solver has one pass. So other load on the machine affects all of them
 * equally, and a ratio compares passes of the same round, which are seconds apart.
 */
import { isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import { createAnswers, Stop } from '../../sudoku/engine.ts';
import { type BenchCase, evenSample } from './bench-case.ts';
import type { BenchSolver } from './bench-solver.ts';

export interface Pace {
  /** Warm-up before the first pass: long enough for optimising compilation. */
  readonly warmUpMs: number;
  /** Target duration of a pass. A faster solver repeats the puzzles, a slower one solves an even sample. */
  readonly passMs: number;
  readonly passes: number;
}

export interface Measurement {
  readonly solver: BenchSolver;
  /** The solver solved every `step`-th puzzle: `puzzles` of them, `repeats` times per pass. */
  readonly step: number;
  readonly puzzles: number;
  readonly repeats: number;
  /** Puzzles that reached the node limit. */
  readonly limited: number;
  /** Puzzles per second in each pass. */
  readonly rates: readonly number[];
  /** Median over the rounds of the rate divided by the reference's; undefined without a reference. */
  readonly ratio: number | undefined;
}

/** Minimum sample: hard puzzles are rare, so a smaller one would not represent the file. */
const MIN_SAMPLE = 180;
/** Minimum sample for a solver with a node limit, because every puzzle may reach the limit. */
const MIN_LIMITED_SAMPLE = 20;

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
 * @param onProgress receives the current step as text
 * @param referenceName the solver for ratios, if any
 * @throws Error if an answer is wrong
 */
export function measure(
  puzzles: BenchCase,
  solvers: readonly BenchSolver[],
  pace: Pace,
  onProgress: (text: string) => void,
  referenceName?: string,
): Measurement[] {
  const runs = solvers.map((solver) => {
    onProgress(`${puzzles.name}: warming up ${solver.name}`);
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

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Warms up on a small even sample, and derives the sample and the repeats of a pass from the rate. */
function prepare(puzzles: BenchCase, solver: BenchSolver, pace: Pace): Run {
  const trial = evenSample(puzzles, Math.max(1, Math.floor(puzzles.count / 50)));
  const answers = createAnswers(trial.count, trial.geometry.cellCount);
  const beginMs = performance.now();
  let bestMs = Number.POSITIVE_INFINITY;
  do {
    const start = performance.now();
    solver.solve(trial, answers);
    bestMs = Math.min(bestMs, performance.now() - start);
  } while (performance.now() - beginMs < pace.warmUpMs);
  const wholeMs = (bestMs / trial.count) * puzzles.count;
  const minimum = Number.isFinite(solver.maxNodes) ? MIN_LIMITED_SAMPLE : MIN_SAMPLE;
  const maxStep = Math.max(1, Math.floor(puzzles.count / minimum));
  const step = Math.min(Math.max(1, Math.floor(wholeMs / pace.passMs)), maxStep);
  const repeats = Math.max(1, Math.round(pace.passMs / wholeMs));
  return { solver, step, sample: evenSample(puzzles, step), repeats, rates: [], limited: 0 };
}

/** Runs one pass: times only the solving, then checks every answer. */
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
