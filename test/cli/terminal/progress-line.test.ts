import { expect, test } from 'vitest';
import { treeShare } from '../../../lib/cli/terminal/progress-line.ts';

test.each([
  ['in percent of its estimated size', 250, () => 1000, ', about 25 %'],
  ['at most 99 percent, as the size is an estimate', 2000, () => 1000, ', about 99 %'],
  ['not at all if the size is unknown', 250, () => undefined, ''],
  ['not at all without an estimate', 250, undefined, ''],
])('the progress of a search is shown %s', (_name, nodes, treeNodes, text) => {
  expect(treeShare({ solutions: 0, nodes, treeNodes })).toBe(text);
});
