import { describe, expect, it } from 'vitest';
import { createBlockAnswers } from '../../../lib/batch/solving/block-answers.ts';
import { OutOfTimeError } from '../../../lib/batch/solving/drive.ts';
import { StatusCode } from '../../../lib/batch/solving/puzzle-status.ts';
import { RangeSolver } from '../../../lib/batch/solving/range-solver.ts';
import type { Engine, SearchLimits } from '../../../lib/sudoku/engine.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { FakeClock } from '../../support/dependencies.ts';
import { CLASHING, EASY, HARD, TWO_SOLUTIONS, UNSOLVABLE } from '../../support/puzzles.ts';

const NINE = standardGeometry(9);
const TEXTS = [EASY, HARD, TWO_SOLUTIONS, CLASHING, UNSOLVABLE, HARD, EASY];
/** Index of a record that is marked as unreadable: no engine may solve it. */
const UNREADABLE = 5;
const cells = Uint8Array.from(TEXTS.join(''), (symbol) => (/[1-9]/.test(symbol) ? Number(symbol) : 0));
const NO_LIMITS = {
  maxSolutions: 2,
  maxNodes: 300_000,
  maxMs: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
};

interface Setting {
  readonly limits?: Partial<typeof NO_LIMITS>;
  readonly sliceMs?: number;
  readonly clock?: FakeClock;
  readonly engine?: Engine;
}

/** Solves all records, and counts the pauses. */
function solved({
  limits,
  sliceMs,
  clock = new FakeClock(0.5),
  engine = createEngine('backtrack'),
}: Setting = {}) {
  const answers = createBlockAnswers(TEXTS.length, 81);
  answers.status[UNREADABLE] = StatusCode.unreadable;
  const solver = new RangeSolver(engine, clock, { sliceMs });
  const range = { puzzles: { geometry: NINE, cells }, from: 0, to: TEXTS.length, answers };
  let pauses = 0;
  for (const _ of solver.solve({ ...range, limits: { ...NO_LIMITS, ...limits } })) pauses++;
  return { answers, pauses };
}

describe('a range of records', () => {
  it('has the status of each record', () => {
    const { solved: proven, multiple, invalid, unsolvable, unreadable } = StatusCode;
    const expected = [proven, proven, multiple, invalid, unsolvable, unreadable, proven];
    expect([...solved({ engine: createEngine('dlx') }).answers.status]).toEqual(expected);
  });

  it('has the duration of each search, from one read of the clock to the next, and 0 without a search', () => {
    const { solveUs } = solved({ engine: createEngine('dlx') }).answers;
    expect([...solveUs]).toEqual([500, 500, 500, 0, 500, 0, 500]);
  });

  for (const { name, setting } of [
    { name: 'with slices, for a distant deadline', setting: { limits: { deadlineMs: 1e9 } } },
    { name: 'with slices, for a time budget', setting: { limits: { maxMs: 1e9 } } },
    { name: 'with short slices', setting: { sliceMs: 0.1 } },
    {
      name: 'with slices of a few milliseconds and a deadline',
      setting: { sliceMs: 3, limits: { deadlineMs: 1e9 } },
    },
  ]) {
    it(`has the same answers and counts ${name}`, () => {
      const whole = solved();
      const sliced = solved(setting);
      expect(sliced.pauses).toBeGreaterThan(1);
      const untimed = ({ solveUs, ...answers }: typeof whole.answers) => answers;
      expect(untimed(sliced.answers)).toEqual(untimed(whole.answers));
      expect(Math.max(...whole.answers.nodes)).toBeGreaterThan(20_000);
    });
  }

  it('ends the search of a puzzle at its time budget, and solves the others', () => {
    const clock = new FakeClock(0);
    const slow = createEngine('backtrack');
    for (const name of ['solve', 'resume'] as const) {
      const search = slow[name].bind(slow) as (...args: unknown[]) => void;
      // A node takes 0.1 microseconds.
      slow[name] = (...args: unknown[]) => {
        const { sliceNodes } = args.find((arg) => Object.hasOwn(arg as object, 'sliceNodes')) as SearchLimits;
        if (Number.isFinite(sliceNodes)) clock.nowMs += sliceNodes / 10_000;
        search(...args);
      };
    }
    const { status, nodes } = solved({ limits: { maxMs: 1 }, clock, engine: slow }).answers;
    expect([status[0], status[1], status[6]]).toEqual([
      StatusCode.solved,
      StatusCode.limit,
      StatusCode.solved,
    ]);
    expect(nodes[1]).toBeLessThan(NO_LIMITS.maxNodes);
  });

  it.each([
    { name: 'between two puzzles', deadlineMs: 1.2 },
    { name: 'before the first', deadlineMs: 0 },
  ])('stops at the deadline $name', ({ deadlineMs }) => {
    expect(() => solved({ limits: { deadlineMs }, engine: createEngine('dlx') })).toThrow(OutOfTimeError);
  });
});
