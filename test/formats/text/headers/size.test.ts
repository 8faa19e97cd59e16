import { describe, expect, it } from 'vitest';
import { CLASSIC, readText, rowsOf } from '../../reading.ts';

const rows = rowsOf(CLASSIC);
const tokens = rows.map((row) => `${[...row].join(' ')}\n`).join('');
const six = ['1.2.3.', '..4..5', '6..1..', '.2..4.', '3..5..', '..6..2'].map((row) => `${row}\n`).join('');

describe('a line with two integers before a grid', () => {
  it.each([
    ['rows and columns, tokens', `9 9\n${tokens}`],
    ['rows and columns, characters', `9 9\n${rows.join('\n')}\n`],
    ['rows and columns, commas', `9,9\n${tokens.replaceAll(' ', ',')}`],
    ['rows x columns', `9x9\n${tokens}`],
    ['rows and columns of boxes', `3 3\n${tokens}`],
  ])('is its size: %s', (_name, text) => {
    const { records } = readText(`${text}\n${text}`);
    expect(records.map(({ grid, notes }) => [grid, notes])).toEqual(Array(2).fill([CLASSIC, undefined]));
  });

  it('may be the usual box; another one is refused, as it may be meant either way', () => {
    expect(readText(`2 3\n${six}`).records.map(({ size }) => size)).toEqual([6]);
    const [{ line, lineEnd, notes }, next] = readText(`3 2\n${six}\n${six}`).records;
    expect([line, lineEnd, notes?.error?.code]).toEqual([1, 7, 'unsupported_variant']);
    expect(notes?.error?.message).toMatch(/boxes of 3x2 or of 2x3.*--box/);
    expect(next.notes).toBeUndefined();
    expect(readText(`3 2\n${six}`, { box: [3, 2] }).records.map(({ size }) => size)).toEqual([6]);
  });

  it('names a size that has no puzzles otherwise', () => {
    const eight = Array.from({ length: 8 }, (_, k) => `${'.'.repeat(k)}8${'.'.repeat(7 - k)}\n`).join('');
    expect(readText(`${CLASSIC}\n\n8 8\n${eight}`).records.map(({ size }) => size)).toEqual([9, 8]);
  });

  it('is no header before anything else', () => {
    const { records } = readText(`${CLASSIC}\n\n9 9\n${CLASSIC}\n`);
    expect(records.map(({ notes }) => notes?.error !== undefined)).toEqual([false, true, false]);
  });
});
