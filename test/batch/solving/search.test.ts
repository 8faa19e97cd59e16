/**
 * The contract of a Search: whatever it searches, it gives the same solutions and counts in slices of any size, ends at its budgets,
 * and at the deadline of the job.
 */
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../lib/batch/ports.ts';
import { createBlockAnswers } from '../../../lib/batch/solving/block-answers.ts';
import { puzzleCount, randomBelow } from '../../../lib/batch/solving/count-puzzle.ts';
import { type CoverSearchOptions, searchCover } from '../../../lib/batch/solving/cover-search.ts';
import { drive, OutOfTimeError, type PuzzleLimits, type Step } from '../../../lib/batch/solving/drive.ts';
import { EngineSearch, PuzzleSearch, searchPuzzle } from '../../../lib/batch/solving/puzzle-search.ts';
import { RecordAnswer } from '../../../lib/batch/solving/record-search.ts';
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../../lib/exact-cover/search.ts';
import { SPLIT_RULE } from '../../../lib/exact-cover/split/split-search.ts';
import { Stop } from '../../../lib/sudoku/engine.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { dominoes } from '../../exact-cover/board-problems.ts';
import { langford, queens } from '../../exact-cover/classic-problems.ts';
import { FakeClock, UnevenClock } from '../../support/dependencies.ts';

interface Searching {
  readonly answer: RecordAnswer;
  readonly steps: Iterable<Step>;
  /** The latest solution. */
  solution(): string;
}

type Open = (limits: PuzzleLimits, clock: Clock) => Searching;

const cover =
  (problem: ExactCoverProblem, options: Partial<CoverSearchOptions> = {}): Open =>
  (limits, clock) => {
    const answer = new RecordAnswer();
    const steps = searchCover(problem, limits, answer, { clock, counting: false, ...options });
    return { answer, steps, solution: () => answer.options.join(' ') };
  };

/** A 6x6 with seven givens: it has thousands of solutions. */
const GIVENS = [1, 2, 3, 4, 5, 6, 4];

const puzzle =
  (name: 'dlx' | 'backtrack', counting: boolean): Open =>
  (limits, clock) => {
    const geometry = standardGeometry(6);
    const answers = createBlockAnswers(1, geometry.cellCount);
    const cells = new Uint8Array(geometry.cellCount);
    cells.set(GIVENS);
    const place = { engine: createEngine(name), puzzles: { geometry, cells }, index: 0, answers };
    const engine = new EngineSearch(place);
    const search = counting ? puzzleCount(place, engine) : new PuzzleSearch(place, engine);
    const answer = new RecordAnswer();
    const steps = searchPuzzle(search, 0, limits, answers, { clock, each: !counting }, answer);
    return { answer, steps, solution: () => answers.cells.join('') };
  };

const priced = { ...queens(9), costs: Float64Array.from({ length: 81 }, (_, k) => (k * 7) % 11) };

const SEARCHES: readonly (readonly [name: string, open: Open, maxSolutions: number])[] = [
  ['an exact cover', cover(langford(8)), 1e6],
  [
    'an exact cover that is split',
    cover(langford(8), { splitRule: { ...SPLIT_RULE, work: 1, nodes: 100 } }),
    1e6,
  ],
  ['a count of an exact cover', cover(dominoes(6, 6), { counting: true }), Number.POSITIVE_INFINITY],
  ['random draws', (limits, clock) => cover(dominoes(6, 6), { below: randomBelow(1) })(limits, clock), 300],
  ['the cheapest solutions', cover(priced), 20],
  ['an engine, dlx', puzzle('dlx', false), 500],
  ['an engine, backtrack', puzzle('backtrack', false), 500],
  ['a count of a puzzle', puzzle('dlx', true), Number.POSITIVE_INFINITY],
];

const NONE = {
  maxNodes: Number.POSITIVE_INFINITY,
  maxMs: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
};

/** @param between called by the caller of the search between its steps */
function found(open: Open, limits: PuzzleLimits, clock: Clock, between = () => {}) {
  const { answer, steps, solution } = open(limits, clock);
  const solutions: string[] = [];
  for (const step of steps) {
    if (step === 'solution') solutions.push(solution());
    between();
  }
  const { nodes, guesses, updates, stop, status, drawn } = answer;
  return { solutions, count: answer.solutions, nodes, guesses, updates, stop, status, drawn };
}

describe.each(SEARCHES)('%s', (_name, open, maxSolutions) => {
  const whole = found(open, { ...NONE, maxSolutions }, new FakeClock(0));

  it('gives each solution once', () => {
    const { solutions, count, drawn } = whole;
    // A count gives the first one only.
    expect([1, count, drawn]).toContain(solutions.length);
    if (drawn === undefined) expect(new Set(solutions).size).toBe(solutions.length);
  });

  it('finds the same in slices of any size', () => {
    expect(whole.nodes).toBeGreaterThan(300);
    expect(whole.solutions.length).toBeGreaterThan(0);
    for (const clock of [new FakeClock(60), new UnevenClock(1), new UnevenClock(2)]) {
      expect(found(open, { ...NONE, maxSolutions }, clock)).toEqual(whole);
    }
  });

  it('ends at its budget of nodes, the same in slices of any size', () => {
    for (const maxNodes of [1, 257, whole.nodes - 1]) {
      const limits = { ...NONE, maxSolutions, maxNodes };
      const cut = found(open, limits, new FakeClock(0));
      expect(cut.nodes).toBe(maxNodes);
      expect(cut.solutions.length).toBeLessThanOrEqual(Math.max(1, whole.solutions.length));
      expect(found(open, limits, new FakeClock(60))).toEqual(cut);
    }
  });

  it('ends at its budget of time as at one of nodes, and at the deadline with an error', () => {
    const limits = { ...NONE, maxSolutions, maxMs: 3 };
    const cut = found(open, limits, new FakeClock(2));
    expect(cut.nodes).toBeLessThan(whole.nodes);
    // All solutions are counted before one is drawn.
    if (cut.drawn === undefined) expect(cut.stop).not.toBe(Stop.exhausted);
    else expect(cut.drawn).toBeLessThan(maxSolutions);
    // The time of its caller is not its own.
    const busy = new FakeClock(0.5);
    const isBusy = () => {
      busy.nowMs += 1000;
    };
    expect(found(open, limits, busy, isBusy)).toEqual(found(open, limits, new FakeClock(0.5)));
    const late = { ...NONE, maxSolutions, deadlineMs: 3 };
    expect(() => found(open, late, new FakeClock(2))).toThrow(OutOfTimeError);
  });
});

it('a search that waits for other threads ends at its budget of time', () => {
  const clock = new FakeClock(0);
  const search = { solutions: 0, nodes: 0, isWaiting: true, run: () => SearchStop.slice };
  const progress = async () => {};
  const steps = drive(search, { ...NONE, maxSolutions: 1, maxMs: 10 }, { clock, each: false, progress });
  const waits: unknown[] = [];
  for (const step of steps) {
    if (waits.push(step) > 9) break;
    clock.nowMs += 4;
  }
  expect(waits).toEqual(Array(3).fill(expect.any(Promise)));
});
