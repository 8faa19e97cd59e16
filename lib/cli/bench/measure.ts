/**
 * Measures solvers on a case, after a warm-up and over several passes.
 *
 * The solvers alternate: in each round, every solver has one pass. So other load on the machine affects all of them
 * equally, and a ratio compares passes of the same round, which are seconds apart. While a peer solves, this process
 * waits.
 */
import { isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import { type Answers, createAnswers, Stop } from '../../sudoku/engine.ts';
import { CommandError } from '../exit.ts';
import { pause } from '../terminal/interrupt.ts';
import { type BenchCase, evenSample } from './bench-case.ts';
import { type BenchSolver, engineSolver, type PeerSolver, SOLUTION_LIMIT } from './bench-solver.ts';

export interface Pace {
  /** Warm-up before the first pass: long enough for optimising compilation. */
  readonly warmUpMs: number;
  /** Target duration of a pass. A faster solver repeats the puzzles, a slower one solves an even sample. */
  readonly passMs: number;
  readonly passes: number;
}

/** The pace of the command. Tests set shorter times. */
export const benchPace = { warmUpMs: 300, passMs: 500 };

export interface Measurement {
  readonly solver: BenchSolver | PeerSolver;
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

/** Time of work between two moments at which a signal is handled. */
const PIECE_SECONDS = 0.1;

interface Run {
  readonly solver: BenchSolver | PeerSolver;
  readonly step: number;
  readonly sample: BenchCase;
  readonly repeats: number;
  /** About how long a puzzle takes. */
  readonly puzzleSeconds: number;
  readonly rates: number[];
  limited: number;
}

const isPeer = (solver: BenchSolver | PeerSolver): solver is PeerSolver => 'solveRepeatedly' in solver;

/**
 * Measures solvers on a case.
 *
 * @param onProgress receives the current step as text
 * @param referenceName the solver for ratios, if any
 * @throws Error if an answer is wrong; CommandError if it is that of a peer
 */
export async function measure(
  puzzles: BenchCase,
  solvers: readonly (BenchSolver | PeerSolver)[],
  pace: Pace,
  onProgress: (text: string) => void,
  referenceName?: string,
): Promise<Measurement[]> {
  const counts = solvers.some(isPeer) ? await solutionCounts(puzzles) : undefined;
  const runs: Run[] = [];
  for (const solver of solvers) {
    onProgress(`${puzzles.name}: warming up ${solver.name}`);
    runs.push(await prepare(puzzles, solver, pace));
  }
  for (let pass = 1; pass <= pace.passes; pass++) {
    onProgress(`${puzzles.name}: pass ${pass} of ${pace.passes}`);
    for (const run of runs) await timePass(run, counts);
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

/** The number of solutions of each puzzle, up to the limit: what a peer must find. */
async function solutionCounts(puzzles: BenchCase): Promise<Float64Array> {
  const answers = createAnswers(puzzles.count, puzzles.geometry.cellCount);
  await solveInPieces(engineSolver('dlx', Number.POSITIVE_INFINITY), puzzles, 1, answers, 0.001);
  return answers.solutions;
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Warms up on a small even sample, and derives the sample and the repeats of a pass from the rate. */
async function prepare(puzzles: BenchCase, solver: BenchSolver | PeerSolver, pace: Pace): Promise<Run> {
  const trial = evenSample(puzzles, Math.max(1, Math.floor(puzzles.count / 50)));
  const answers = createAnswers(trial.count, trial.geometry.cellCount);
  const beginMs = performance.now();
  let bestSeconds = Number.POSITIVE_INFINITY;
  // Before the first measurement, a puzzle may take any time.
  let puzzleSeconds = PIECE_SECONDS;
  do {
    const seconds = await solvingSeconds(solver, trial, 1, answers, puzzleSeconds, () => {});
    bestSeconds = Math.min(bestSeconds, seconds);
    puzzleSeconds = bestSeconds / trial.count;
  } while (performance.now() - beginMs < pace.warmUpMs);
  const wholeMs = 1000 * puzzleSeconds * puzzles.count;
  const minimum = Number.isFinite(solver.maxNodes) ? MIN_LIMITED_SAMPLE : MIN_SAMPLE;
  const maxStep = Math.max(1, Math.floor(puzzles.count / minimum));
  const step = Math.min(Math.max(1, Math.floor(wholeMs / pace.passMs)), maxStep);
  const repeats = Math.max(1, Math.round(pace.passMs / wholeMs));
  return { solver, step, sample: evenSample(puzzles, step), repeats, puzzleSeconds, rates: [], limited: 0 };
}

/**
 * Runs one pass: times only the solving, and checks every answer.
 *
 * @param counts the number of solutions of each puzzle of the case; undefined without peers
 */
async function timePass(run: Run, counts: Float64Array | undefined): Promise<void> {
  const { solver, sample, repeats, step, puzzleSeconds } = run;
  const answers = createAnswers(sample.count, sample.geometry.cellCount);
  const check = (i: number) => {
    const at = i * sample.geometry.cellCount;
    const found = answers.solutions[i]!;
    // A search that reached its node limit has not found every solution.
    const expected = answers.stop[i] === Stop.nodeLimit ? undefined : counts?.[i * step];
    const text = `${solver.name} is wrong about puzzle ${i * step + 1} of ${sample.name}`;
    const WrongAnswer = isPeer(solver) ? CommandError : Error;
    if (expected !== undefined && Math.min(found, SOLUTION_LIMIT) !== expected) {
      throw new WrongAnswer(
        `${text}: found ${found} solutions (limit ${SOLUTION_LIMIT}), expected ${expected}`,
      );
    }
    if (found > 0 !== isSolutionOf(sample.geometry, sample.cells, at, answers.cells, at)) {
      throw new WrongAnswer(`${text}: its solution breaks a rule or changes a given`);
    }
  };
  const seconds = await solvingSeconds(solver, sample, repeats, answers, puzzleSeconds, check);
  run.rates.push((sample.count * repeats) / seconds);
  run.limited = answers.stop.reduce((sum, stop) => sum + Number(stop === Stop.nodeLimit), 0);
}

/** Solves a case several times; returns the seconds of solving. `check` is called for each puzzle that has an answer. */
async function solvingSeconds(
  solver: BenchSolver | PeerSolver,
  puzzles: BenchCase,
  repeats: number,
  answers: Answers,
  puzzleSeconds: number,
  check: (index: number) => void,
): Promise<number> {
  if (isPeer(solver)) return solver.solveRepeatedly(puzzles, repeats, answers, check);
  const seconds = await solveInPieces(solver, puzzles, repeats, answers, puzzleSeconds);
  for (let i = 0; i < puzzles.count; i++) check(i);
  return seconds;
}

/**
 * Solves a case several times, in pieces of about a tenth of a second, between which signals are handled.
 *
 * @returns the seconds of solving
 */
async function solveInPieces(
  solver: BenchSolver,
  puzzles: BenchCase,
  repeats: number,
  answers: Answers,
  puzzleSeconds: number,
): Promise<number> {
  const piece = Math.max(1, Math.floor(PIECE_SECONDS / puzzleSeconds));
  // A case that takes less than a piece is repeated within it.
  const repeatsAtOnce = Math.max(1, Math.floor(piece / puzzles.count));
  let seconds = 0;
  for (let done = 0; done < repeats; done += repeatsAtOnce) {
    const again = Math.min(repeatsAtOnce, repeats - done);
    for (let from = 0; from < puzzles.count; from += piece) {
      const to = Math.min(from + piece, puzzles.count);
      const [part, partAnswers] = [partOf(puzzles, from, to), partOfAnswers(puzzles, answers, from, to)];
      await pause();
      seconds += secondsOf(() => {
        for (let k = 0; k < again; k++) solver.solve(part, partAnswers);
      });
    }
  }
  return seconds;
}

/** The puzzles from `from` to `to` (exclusive) of a case, in the same memory. */
function partOf(puzzles: BenchCase, from: number, to: number): BenchCase {
  const { cellCount } = puzzles.geometry;
  return { ...puzzles, count: to - from, cells: puzzles.cells.subarray(from * cellCount, to * cellCount) };
}

function partOfAnswers({ geometry }: BenchCase, answers: Answers, from: number, to: number): Answers {
  const { cellCount } = geometry;
  return {
    solutions: answers.solutions.subarray(from, to),
    stop: answers.stop.subarray(from, to),
    nodes: answers.nodes.subarray(from, to),
    guesses: answers.guesses.subarray(from, to),
    cells: answers.cells.subarray(from * cellCount, to * cellCount),
  };
}

function secondsOf(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
