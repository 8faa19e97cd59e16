import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Comparison, MAX_WAITING, TooManyWaitingError } from '../../../lib/batch/report/comparison.ts';
import { comparisonPage } from '../../../lib/batch/report/comparison-page.ts';
import type { JobRecord } from '../../../lib/batch/results/job-record.ts';
import { propertyRuns } from '../../support/depth.ts';
import { parsePage } from '../../support/html-tree.ts';

/** A solved 4x4 whose number makes it another puzzle. */
function record(index: number, partial: Partial<JobRecord> = {}): JobRecord {
  return {
    index,
    line: index,
    lineEnd: index,
    status: 'solved',
    size: 4,
    box: '2x2',
    variant: 'standard',
    blank: '.',
    puzzle: String(index).padEnd(16, '.'),
    solution: '1234341221434321',
    ...partial,
  };
}

async function* each(records: Iterable<JobRecord>): AsyncGenerator<JobRecord, void, void> {
  yield* records;
}

async function compared(
  a: Iterable<JobRecord>,
  b: Iterable<JobRecord>,
  byIndex = false,
): Promise<Comparison> {
  const comparison = new Comparison();
  await comparison.compare(each(a), each(b), byIndex);
  return comparison;
}

describe('a comparison', () => {
  it.each<[kind: string, a: Partial<JobRecord>, b: Partial<JobRecord>]>([
    ['solved in A, multiple in B', {}, { status: 'multiple' }],
    ['another solution', {}, { solution: '1234341243212143' }],
    ['another solution', {}, { solution: undefined }],
    ['another first solution', { status: 'multiple' }, { status: 'multiple', solution: '1234341243212143' }],
    ['another number of solutions', { solutions: 2, exact: true }, { solutions: 2, exact: false }],
    ['another error', { error: { code: 'limit', message: '' } }, {}],
    ['another puzzle', { id: 'x' }, { id: 'x', puzzle: '2'.padEnd(16, '.') }],
    ['unreadable in A, solved in B', { status: 'unreadable', puzzle: undefined, solution: undefined }, {}],
  ])('finds %s', async (kind, a, b) => {
    const comparison = await compared([record(1, a), record(7)], [record(1, b), record(7)]);
    expect([...comparison.answers].map(([name, { count }]) => [name, count])).toEqual([[kind, 1]]);
    expect(comparison.isSame).toBe(false);
    expect(comparison.pairs).toBe(2);
    expect(parsePage(comparisonPage(comparison, ['<a>', 'b'])).name).toBe('html');
  });

  it('compares ratings that both sets have', async () => {
    const rated = (rating: number, grade: JobRecord['grade']) => ({ rating, grade });
    const comparison = await compared(
      [record(1, rated(1.5, 'easy')), record(2, rated(2.6, 'medium')), record(3)],
      [record(1, rated(1.5, 'easy')), record(2, rated(3, 'hard')), record(3, rated(1.2, 'easy'))],
    );
    expect([comparison.isSame, comparison.rated]).toEqual([true, 2]);
    expect([...comparison.ratings.keys()]).toEqual(['medium in A, hard in B']);
  });

  it('matches the same records in any order, of which some occur twice', async () => {
    const indexes = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 12 });
    const orders = indexes.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    await fc.assert(
      fc.asyncProperty(orders, async ([a, b]) => {
        const comparison = await compared(
          a.map((index) => record(index)),
          b.map((index) => record(index)),
        );
        expect([comparison.isSame, comparison.pairs]).toEqual([true, a.length]);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('refuses sets of which too many records would wait', async () => {
    const [a, b] = [0, 1].map((part) =>
      Array.from({ length: MAX_WAITING + 1 }, (_, k) => record(1, { puzzle: `${part} ${k}` })),
    );
    await expect(compared(a!, b!)).rejects.toThrow(TooManyWaitingError);
  });
});
