import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../lib/formats/formats.ts';
import { type FormatHints, HEAD_BYTES } from '../../lib/formats/reader.ts';
import { bytesOf } from './reading.ts';

/** A file of some lines of one given each. */
function linesOf(cells: number, lines: number): string {
  return Array.from(
    { length: lines },
    (_, k) => `${'.'.repeat(k * 7)}1${'.'.repeat(cells - k * 7 - 1)}\n`,
  ).join('');
}

function errorOf(text: string, hints: FormatHints = {}) {
  const bytes = bytesOf(text);
  const head = bytes.subarray(0, HEAD_BYTES);
  const detection = detectFormat(head, bytes.length <= HEAD_BYTES, hints);
  return detection.kind === 'unreadable' ? detection.error : undefined;
}

describe('the error of an unreadable file suggests the options that make it readable', () => {
  const rows: Array<[name: string, text: string, hints: FormatHints, suggestion: object[], end: string]> = [
    [
      'a size without a usual box',
      linesOf(196, 3),
      {},
      [
        { option: 'box', value: '2x7' },
        { option: 'box', value: '7x2' },
      ],
      '; --box 2x7 or --box 7x2 read it',
    ],
    [
      'a file longer than its head',
      linesOf(196, 20).repeat(400),
      {},
      [
        { option: 'box', value: '2x7' },
        { option: 'box', value: '7x2' },
      ],
      '; --box 2x7 or --box 7x2 read it',
    ],
  ];
  it.each(rows)('%s', (_name, text, hints, suggestion, end) => {
    const error = errorOf(text, hints);
    expect(error?.suggestion).toEqual(suggestion);
    expect(error?.message.endsWith(end)).toBe(true);
    // Each of them makes the file readable.
    for (const { option, value } of suggestion as { option: string; value?: string }[]) {
      const box = value?.split('x').map(Number);
      expect(errorOf(text, { ...hints, [option]: option === 'box' ? box : value })).toBeUndefined();
    }
  });

  it.each([
    ['a size that has no box', linesOf(49, 2)],
    ['a sparse matrix', '7 2\n2 4 5\n0 3 6\n1 2\n0 3\n1\n'],
    ['words', 'no puzzle here\nnone there\n'],
    ['numbers of seven digits', '4815162\n3423108\n9710012\n5551234\n1234567\n7654321\n8888888\n'],
    ['equal lines of numbers', '12 3 4 99 1\n'.repeat(50)],
    ['a log', '2026-01-02 12:00:00 INFO request 17 served in 20 ms\n'.repeat(30)],
    ['UTF-16', '\ufffe1\u00002\u0000'],
    ['a killer', 'SumoCueV1\t=0+1J0+1J0'],
  ])('nothing is suggested for %s', (_name, text) => {
    const error = errorOf(text);
    expect(error).toBeDefined();
    expect(error?.suggestion).toBeUndefined();
  });
});

it('numbers that may be an exact cover are refused with its form and its format', () => {
  expect(errorOf('7 2\n2 4 5\n0 3 6\n1 2\n0 3\n1\n')?.message).toMatch(
    /"7" above "2 4 5".*--format sparse.*"rows columns"/,
  );
});
