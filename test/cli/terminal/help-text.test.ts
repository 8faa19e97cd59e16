import { expect, test } from 'vitest';
import { wrappedHelp } from '../../../lib/cli/terminal/help-text.ts';

test.each([
  ['a line that fits is unchanged', '  --json    an object', 21, ['  --json    an object']],
  [
    'an option that is too wide has its description on the next line',
    '  --port <n>   port of the endpoint, which anybody may use',
    30,
    ['  --port <n>', '      port of the endpoint,', '      which anybody may use'],
  ],
  [
    'an example is separated from its description, and never broken',
    '  dlx-batch upload --schedule big.txt         time and dollars',
    24,
    ['  dlx-batch upload --schedule big.txt', '      time and dollars'],
  ],
  [
    'an example without a description is unchanged',
    '  cat puzzles.txt | dlx-batch solve --output line',
    20,
    ['  cat puzzles.txt | dlx-batch solve --output line'],
  ],
  [
    'sentences are broken between words',
    'Only the givens are checked.',
    16,
    ['Only the givens', 'are checked.'],
  ],
])('%s', (_name, text, columns, lines) => {
  expect(wrappedHelp(text, columns).split('\n')).toEqual(lines);
});

test('without a terminal, every line is unchanged', () => {
  const text = `Usage:\n\n${'word '.repeat(100)}\n`;
  expect(wrappedHelp(text, undefined)).toBe(text);
});
