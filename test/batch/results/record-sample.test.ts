import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../lib/batch/results/job-record.ts';
import { RecordSample } from '../../../lib/batch/results/record-sample.ts';

describe('a sample of records', () => {
  it('keeps no grid that is too large to draw, and no options of an exact cover', () => {
    const sample = new RecordSample();
    const place = { line: 1, lineEnd: 1, status: 'multiple' as const };
    sample.add({ ...place, index: 1, puzzle: '.'.repeat(4097), solution: '1'.repeat(4097), size: 65 });
    sample.add({ ...place, index: 2, solution: ['A B'], solutions: 2 });
    sample.add({ ...place, index: 3, puzzle: '.'.repeat(81), size: 9 });
    expect(sample.exceptions).toEqual([
      { ...place, index: 1, size: 65 },
      { ...place, index: 2, solutions: 2 },
      { ...place, index: 3, puzzle: '.'.repeat(81), size: 9 },
    ]);
  });

  const failed = (index: number, code: string, message: string): JobRecord => ({
    ...{ index, line: index, lineEnd: index, status: 'unreadable' },
    error: { code, message },
  });

  it('has a bounded number of groups: further kinds are grouped by their codes', () => {
    const sample = new RecordSample();
    for (let index = 1; index <= 500; index++)
      sample.add(failed(index, `code ${index % 2}`, `text ${index}`));
    expect(sample.groups).toHaveLength(202);
    expect(sample.groups.slice(200).map(({ name, count }) => [name, count])).toEqual([
      ['unreadable: other errors (code 1)', 150],
      ['unreadable: other errors (code 0)', 150],
    ]);
  });
});
