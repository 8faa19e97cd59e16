import { expect, test } from 'vitest';
import { dollarsText } from '../../../lib/cli/terminal/dollars-text.ts';

test.each([
  [0, '$0'],
  [0.000_000_123, '$0.00000012'],
  [0.000_6, '$0.0006'],
  [0.009_94, '$0.0099'],
  [0.01, '$0.01'],
  [98.71, '$98.71'],
])('%d dollars are written as %s', (dollars, text) => {
  expect(dollarsText(dollars)).toBe(text);
});
