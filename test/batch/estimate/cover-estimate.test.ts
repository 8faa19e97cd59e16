import { expect, test } from 'vitest';
import { estimateCover } from '../../../lib/batch/estimate/cover-estimate.ts';
import type { CoverRecord } from '../../../lib/formats/exact-cover/cover-record.ts';
import { langford } from '../../exact-cover/classic-problems.ts';

test('the estimated time does not contain that of other programs during the sample', () => {
  const record = { cover: { problem: langford(11) }, line: 1 } as unknown as CoverRecord;
  // When each slice begins and ends: the last one of 4,000 nodes is interrupted for a second.
  const times = [0, 10, 10, 20, 20, 30, 30, 1030];
  const clock = { monotonicMs: () => times.shift()!, epochMs: () => 0 };
  const { nodes, seconds } = estimateCover(record, 1, clock as never);
  expect(times).toEqual([]);
  expect(seconds! / nodes!).toBeCloseTo(0.01 / 2000, 8);
});
