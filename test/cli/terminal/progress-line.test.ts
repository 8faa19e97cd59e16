import { expect, test } from 'vitest';
import { ProgressLine, treeShare } from '../../../lib/cli/terminal/progress-line.ts';
import { LiveLine } from '../../../lib/cli/terminal/terminal.ts';

test.each([
  ['in percent of its estimated size', 250, () => 1000, ', about 25 %'],
  ['at most 99 percent, as the size is an estimate', 2000, () => 1000, ', about 99 %'],
  ['not at all if the size is unknown', 250, () => undefined, ''],
  ['not at all without an estimate', 250, undefined, ''],
])('the progress of a search is shown %s', (_name, nodes, treeNodes, text) => {
  expect(treeShare({ puzzles: 0, solutions: 0, nodes, treeNodes })).toBe(text);
});

test('the progress of a puzzle that is split is shown by its subproblems', () => {
  const written: string[] = [];
  const line = new LiveLine({ isTTY: true, columns: 100, write: (text) => written.push(text) });
  const progress = new ProgressLine({ path: 'hard.txt', bytes: 5000 }, line);
  progress.show({ puzzles: 7, storedBytes: 100, plainBytes: 100, elapsedMs: -1e6 });
  progress.showSearch({ puzzles: 2, solutions: 0, nodes: 120_000, subproblems: { done: 12, all: 307 } });
  expect(written.at(-1)).toMatch(/hard\.txt: puzzle 10, 0 solutions, 120,000 nodes, 12 of 307 subproblems$/);
});
