import { expect, test } from 'vitest';
import { durationText, numberText } from '../../lib/batch/quantities.ts';

test.each([
  [0.4, '0.4 µs'],
  [9.96, '10.0 µs'],
  [999, '999 µs'],
  [1000, '1.0 ms'],
  [56_700, '57 ms'],
  [1_000_000, '1.00 s'],
  [75_000_000, '75.0 s'],
])('%d microseconds read as %s', (us, expected) => {
  expect(durationText(us)).toBe(expected);
});

test('large numbers have their thousands parted', () => {
  expect([7, 1234, 1_234_567].map(numberText)).toEqual(['7', '1,234', '1,234,567']);
});
