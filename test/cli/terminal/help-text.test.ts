import { expect, test } from 'vitest';
import { wrappedHelp } from '../../../lib/cli/terminal/help-text.ts';

test.each([
  ['a line that fits stays as it is', '  --json    an object', 21, ['  --json    an object']],
  [
    'an option too wide for its columns has its meaning below it',
    '  --port <n>   port of the endpoint, which anybody may use',
    30,
    ['  --port <n>', '      port of the endpoint,', '      which anybody may use'],
  ],
  [
    'an example is told from what it does, and never broken itself',
    '  dlx-batch upload --dry-run big.txt          time and dollars',
    24,
    ['  dlx-batch upload --dry-run big.txt', '      time and dollars'],
  ],
  [
    'an example without a word about it stays whole',
    '  cat puzzles.txt | dlx-batch solve --output line',
    20,
    ['  cat puzzles.txt | dlx-batch solve --output line'],
  ],
  [
    'sentences break between words',
    'Only the givens are looked at.',
    16,
    ['Only the givens', 'are looked at.'],
  ],
])('%s', (_name, text, columns, lines) => {
  expect(wrappedHelp(text, columns).split('\n')).toEqual(lines);
});

test('every line is kept where there is no terminal', () => {
  const text = `Usage:\n\n${'word '.repeat(100)}\n`;
  expect(wrappedHelp(text, undefined)).toBe(text);
});
