import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../lib/batch/results/job-record.ts';
import { RecordSample } from '../../../lib/batch/results/record-sample.ts';

describe('a sample of records', () => {
  it('keeps the first thousand exceptions and counts the rest', () => {
    const sample = new RecordSample();
    for (let index = 1; index <= 1250; index++)
      sample.add({ index, line: index, lineEnd: index, status: 'limit' });
    expect(sample.total).toBe(1250);
    expect(sample.exceptions.map(({ index }) => index)).toEqual(
      Array.from({ length: 1000 }, (_, k) => k + 1),
    );
  });

  it('counts unexpected results, also those that it does not keep', () => {
    const sample = new RecordSample();
    const error = { code: 'unexpected_result', message: '' };
    for (let index = 1; index <= 250; index++)
      sample.add({ index, line: index, lineEnd: index, status: 'solved', ...(index % 2 === 0 && { error }) });
    expect([sample.total, sample.unexpected]).toEqual([250, 125]);
  });

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

  /** An exception with givens that clash in a unit, or with an error. */
  const clash = (index: number, unit: string, digit = '5', cells = ['r1c1', 'r1c5']): JobRecord => ({
    ...{ index, line: index, lineEnd: index, status: 'invalid' },
    error: { code: 'clashing_givens', message: `${digit} in ${unit}`, clashes: [{ unit, digit, cells }] },
  });
  const failed = (index: number, code: string, message: string): JobRecord => ({
    ...{ index, line: index, lineEnd: index, status: 'unreadable' },
    error: { code, message },
  });

  it('groups equal errors, wherever they are', () => {
    const sample = new RecordSample();
    sample.add(clash(1, 'row 1'));
    sample.add(clash(2, 'row 9'));
    sample.add(clash(3, 'box 2', '7', ['r1c4', 'r2c5', 'r3c6']));
    sample.add(clash(4, 'column 3 of the top left grid'));
    sample.add(failed(5, 'bad_length', 'line 5, column 1: found 60 characters: expected 81'));
    sample.add(failed(6, 'bad_length', 'line 6: found 64 characters: expected 81; an 8x8 puzzle has 64'));
    sample.add({ index: 7, line: 7, lineEnd: 7, status: 'multiple' });
    sample.add({ index: 8, line: 8, lineEnd: 8, status: 'unsolvable' });
    expect(sample.groups.map(({ name, count, first }) => [name, count, first.index])).toEqual([
      ['invalid: 5 occurs twice in a row', 2, 1],
      ['invalid: 7 occurs 3 times in a box', 1, 3],
      ['invalid: 5 occurs twice in a column', 1, 4],
      ['unreadable: found another number of characters: expected 81', 2, 5],
      ['multiple: more than one solution', 1, 7],
      ['unsolvable: it has no solution', 1, 8],
    ]);
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

  it('of parts is that of the whole', () => {
    const records = Array.from({ length: 40 }, (_, k) => ({
      ...(k % 3 === 0 ? clash(k + 1, `row ${(k % 9) + 1}`) : failed(k + 1, 'bad_length', `text ${k % 4}`)),
      source: k % 3 === 0 ? undefined : `text ${k}`,
    }));
    const whole = new RecordSample();
    const merged = new RecordSample();
    for (const record of records) whole.add(record);
    for (const from of [0, 15, 30]) {
      const part = new RecordSample();
      for (const record of records.slice(from, from + 15)) part.add(record);
      merged.merge(JSON.parse(JSON.stringify(part.snapshot())));
    }
    // The file of exceptions has no text of unreadable records.
    for (const { source: _, ...record } of records) merged.keep(record);
    expect(JSON.parse(JSON.stringify(merged.snapshot()))).toEqual(
      JSON.parse(JSON.stringify(whole.snapshot())),
    );
    expect(merged.exceptions.map(({ source }) => source)).toEqual(records.map(({ source }) => source));
  });
});
