import { expect, test } from 'vitest';
import { Clauses, LITERALS } from '../../lib/exact-cover/learning/clauses.ts';

const MIB = 2 ** 20;

test('learned clauses are discarded before they take much more than 16 MiB', () => {
  const length = 50_000;
  const clauses = new Clauses(length, 1000);
  const literals = Int32Array.from({ length }, (_, option) => 2 * option);
  const open = new Int8Array(2 * length);
  const stays = clauses.add(literals, 2, 0);
  let reductions = 0;
  for (let learned = 1; learned <= 300; learned++) {
    clauses.add(literals, length, 1 + (learned % 7));
    // The caller reduces as soon as it can.
    if (!clauses.isReductionDue) continue;
    clauses.reduce(open);
    reductions++;
    expect(clauses.isReductionDue).toBe(false);
  }
  // 60 MB were added; the array grows by doubling.
  expect(300 * 4 * (length + LITERALS)).toBeGreaterThan(56 * MIB);
  expect(reductions).toBeGreaterThan(4);
  expect(clauses.bytes).toBeLessThan(2 * 17 * MIB);
  expect([...clauses.words.subarray(stays + LITERALS, stays + LITERALS + 2)]).toEqual([0, 2]);
});
