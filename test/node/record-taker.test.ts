import { expect, it } from 'vitest';
import { createBlockAnswers } from '../../lib/batch/solving/block-answers.ts';
import type { PuzzleLimits } from '../../lib/batch/solving/drive.ts';
import { RecordTaker } from '../../lib/node/record-taker.ts';
import { createControl, type SharedBlock } from '../../lib/node/shared-block.ts';
import { FakeClock } from '../support/dependencies.ts';

const LIMITS: PuzzleLimits = {
  maxSolutions: 2,
  maxNodes: Number.POSITIVE_INFINITY,
  maxMs: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
};

function block(count: number, cellCount = 81): SharedBlock {
  const answers = createBlockAnswers(count, cellCount, true);
  return { cells: answers.cells, count, limits: LIMITS, answers, control: createControl() };
}

/** Numbers of records taken each time until none are left, if solving them takes `ms`. */
function sizes(count: number, cellCount: number, ms: number): number[] {
  const clock = new FakeClock(0);
  const taker = new RecordTaker(clock);
  const shared = block(count, cellCount);
  const taken: number[] = [];
  while (taker.take(shared, cellCount)) {
    taken.push(taker.to - taker.from);
    clock.nowMs += ms;
    taker.finish(shared);
  }
  return taken;
}

it('takes increasing numbers of easy records, and decreasing numbers of hard ones', () => {
  expect(sizes(1024, 81, 0.1)).toEqual([8, 16, 32, 64, 128, 256, 256, 256, 8]);
  expect(sizes(20, 81, 5)).toEqual([8, 4, 2, 1, 1, 1, 1, 1, 1]);
  expect(sizes(40, 81, 0.5)).toEqual([8, 8, 8, 8, 8]);
});

it('takes the same number of cells of a larger grid, and at least one record', () => {
  expect(sizes(20, 256, 0.5).slice(0, 3)).toEqual([2, 2, 2]);
  expect(sizes(3, 15_625, 5)).toEqual([1, 1, 1]);
});

it('gives every record to one thread, and finishes the block once', () => {
  const clock = new FakeClock(0.05);
  const shared = block(999);
  const takers = [new RecordTaker(clock), new RecordTaker(clock), new RecordTaker(clock)];
  const takings = new Int32Array(999);
  let finished = 0;
  for (let busyLeft = true; busyLeft; ) {
    // All of them take records before any of them finishes.
    const busy = takers.filter((taker) => taker.take(shared, 81));
    for (const taker of busy) for (let i = taker.from; i < taker.to; i++) takings[i]!++;
    for (const taker of busy) if (taker.finish(shared)) finished++;
    busyLeft = busy.length > 0;
  }
  expect(takings.every((times) => times === 1)).toBe(true);
  expect(finished).toBe(1);
});
