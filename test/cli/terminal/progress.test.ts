import { describe, expect, test } from 'vitest';
import { fileProgress, progressText } from '../../../lib/cli/terminal/progress.ts';

describe('progress', () => {
  test('has what is done, the rate and the time left, beside a bar that fits', () => {
    const progress = {
      share: 0.25,
      done: '1 of 4',
      rate: (seconds: number) => `${1 / seconds}`,
      note: 'and 2',
    };
    expect(progressText(progress, 10_000)).toBe(
      '[######................] 25 %, 1 of 4, 0.1/s, about 30 s left, and 2',
    );
    expect(progressText(progress, 10_000, 50)).toBe('25 %, 1 of 4, 0.1/s, about 30 s left, and 2');
  });

  test('has no rate and no time left before they can be measured', () => {
    expect(progressText({ name: 'a.txt', done: '1', rate: () => '9' }, 1)).toBe('a.txt: 1');
    expect(progressText({ share: 0, done: '0' }, 10_000)).toBe(`[${'.'.repeat(22)}] 0 %, 0`);
  });

  test('cuts a long name in its middle', () => {
    expect(progressText({ name: `${'a'.repeat(50)}.txt`, done: '1' }, 0)).toMatch(/^a{19}…a+\.txt: 1$/);
  });
});

describe('the progress of a file', () => {
  const file = { path: 'a.txt', bytes: 100 };

  test('is the part of its bytes that is read', () => {
    const progress = fileProgress(file, { puzzles: 1200, storedBytes: 50, problem: undefined });
    expect(progressText(progress, 2_000)).toBe(
      '[###########...........] a.txt: 50 %, 1,200 puzzles, 600/s, about 2 s left',
    );
    expect(
      fileProgress({ ...file, bytes: undefined }, { puzzles: 1, storedBytes: 5, problem: undefined }).share,
    ).toBe(undefined);
  });

  test.each([
    ['subproblems', { subproblems: { done: 12, all: 48 } }, 0.25],
    ['the estimated size of the search', { treeNodes: () => 400 }, 0.25],
    ['an estimate that was too low', { treeNodes: () => 50 }, 0.99],
    ['nothing', {}, undefined],
  ])('in a long search is that of %s', (_name, problem, share) => {
    const progress = fileProgress(file, {
      puzzles: 4,
      storedBytes: 0,
      problem: { puzzles: 0, solutions: 3, nodes: 100, ...problem },
    });
    expect(progress.share).toBe(share);
    expect(progress.done).toBe('puzzle 5, 3 solutions, 100 nodes');
  });
});
