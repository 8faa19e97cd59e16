import { describe, expect, it } from 'vitest';
import { ExceptionSample } from '../../../lib/batch/results/exception-sample.ts';

describe('a sample of exceptions', () => {
  it('keeps the first hundred and counts the rest', () => {
    const sample = new ExceptionSample();
    for (let index = 1; index <= 250; index++)
      sample.add({ index, line: index, lineEnd: index, status: 'limit' });
    expect(sample.total).toBe(250);
    expect(sample.first.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, k) => k + 1));
  });

  it('counts unexpected results, also those that it does not keep', () => {
    const sample = new ExceptionSample();
    const error = { code: 'unexpected_result', message: '' };
    for (let index = 1; index <= 250; index++)
      sample.add({ index, line: index, lineEnd: index, status: 'solved', ...(index % 2 === 0 && { error }) });
    expect([sample.total, sample.unexpected]).toEqual([250, 125]);
  });

  it('keeps no grid that is too large to draw, and no options of an exact cover', () => {
    const sample = new ExceptionSample();
    const place = { line: 1, lineEnd: 1, status: 'multiple' as const };
    sample.add({ ...place, index: 1, puzzle: '.'.repeat(4097), solution: '1'.repeat(4097), size: 65 });
    sample.add({ ...place, index: 2, solution: ['A B'], solutions: 2 });
    sample.add({ ...place, index: 3, puzzle: '.'.repeat(81), size: 9 });
    expect(sample.first).toEqual([
      { ...place, index: 1, size: 65 },
      { ...place, index: 2, solutions: 2 },
      { ...place, index: 3, puzzle: '.'.repeat(81), size: 9 },
    ]);
  });
});
