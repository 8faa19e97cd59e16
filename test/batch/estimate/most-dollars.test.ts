import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mostDollarsOfDay } from '../../../lib/batch/estimate/most-dollars.ts';

const DEFAULTS = { files: 10, memoryMb: 1769, shards: 100, shardMemoryMb: 1769 };

test('the functions of a day cost at most what all of them cost that run all day', () => {
  // 10 files, 10 plans, 25 counts, 100 shards and 10 merges of 1,769 MiB.
  expect(mostDollarsOfDay(DEFAULTS)).toBeCloseTo((155 * 1769 * 86_400 * 0.0000133334) / 1024, 6);
});

test('README has the figure of the default settings', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(readme.replaceAll('\n', ' ')).toContain(`at most $${Math.round(mostDollarsOfDay(DEFAULTS))} a day`);
});

test.each([
  [{ memoryMb: 2 * 1769 }, 10],
  [{ shardMemoryMb: 2 * 1769 }, 100],
  [{ files: 11 }, 3],
  [{ shards: 104 }, 5],
])('%j adds %i functions of the default memory', (change, more) => {
  const ratio = mostDollarsOfDay({ ...DEFAULTS, ...change }) / mostDollarsOfDay(DEFAULTS);
  expect(ratio).toBeCloseTo((155 + more) / 155, 9);
});
