import { expect, test } from 'vitest';
import { ageText, bytesText, secondsText } from '../../../lib/cli/terminal/quantity-text.ts';

test.each([
  [0, '0 s'],
  [0.4321, '0.43 s'],
  [9.99, '10 s'],
  [119.4, '119 s'],
  [120, '2 min'],
  [7199, '120 min'],
  [7200, '2.0 h'],
  [172_800, '2 days'],
])('%d seconds read as %s', (seconds, text) => {
  expect(secondsText(seconds)).toBe(text);
});

test.each([
  ['2025-03-01T11:59:30Z', '30 s'],
  ['2025-03-01T09:00:00Z', '3.0 h'],
  ['2025-03-01T12:00:05Z', '0 s'],
])('at noon, %s was %s ago', (time, text) => {
  expect(ageText(time, Date.parse('2025-03-01T12:00:00Z'))).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [9960, '10 kB'],
  [999_600, '1.0 MB'],
  [35_200_000, '35 MB'],
  [123e15, '123000 TB'],
])('%d bytes read as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
