import { expect, test } from 'vitest';
import { durationText, numberText, shortNumberText } from '../../lib/batch/quantities.ts';

test.each([
  [0.4, '0.4 µs'],
  [9.96, '10.0 µs'],
  [999, '999 µs'],
  [1000, '1.0 ms'],
  [56_700, '57 ms'],
  [1_000_000, '1.00 s'],
  [75_000_000, '75.0 s'],
])('%d microseconds are %s', (us, expected) => {
  expect(durationText(us)).toBe(expected);
});

test.each([
  [7, '7'],
  [12.34, '12.3'],
  [999, '999'],
  [1234, '1.23k'],
  [999_499, '999k'],
  [999_500, '1M'],
  [4_500_000_000, '4.5G'],
])('%d is %s in short', (n, expected) => {
  expect(shortNumberText(n)).toBe(expected);
});

test('large numbers have thousands separators', () => {
  expect([7, 1234, 1_234_567].map(numberText)).toEqual(['7', '1,234', '1,234,567']);
});
