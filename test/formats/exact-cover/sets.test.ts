import { expect, it } from 'vitest';
import { readCovers } from './reading-covers.ts';

/** Options of the exact cover {1, 2}, {3, 4} and {2, 3}, {1, 4} with items 1 to 4 in any order. */
const OPTIONS = ['0 1', '2 3', '1 2'];

it.each<[name: string, text: string, options: string[], texts: string[]]>([
  ['as they are', '1 2\n3 4\n2 3\n', OPTIONS, ['1 2', '3 4', '2 3']],
  ['in brackets', '{1, 2}\n{3,4},\n[2 3]\n', OPTIONS, ['{1, 2}', '{3,4},', '[2 3]']],
  ['several on a line', '[{1, 2}, {3, 4},\n {2, 3}]\n', OPTIONS, ['{1, 2}', '{3, 4}', '{2, 3}]']],
  ['with names', "A: 1 2\n'B': 3, 4\nC = 2 3\n", OPTIONS, ['A: 1 2', "'B': 3, 4", 'C = 2 3']],
  ['below their items', '1 2 3 4\n\n1 2\n3 4\n2 3\n', OPTIONS, ['1 2', '3 4', '2 3']],
  ['below a name for all of them', 'Universe: 1 2 3 4\n1 2\n3 4\n2 3\n', OPTIONS, ['1 2', '3 4', '2 3']],
  ['below items and a count', '1 2 3 4\n3\n1 2\n3 4\n2 3\n', OPTIONS, ['1 2', '3 4', '2 3']],
  ['below a count', '3\n1 2\n3 4\n2 3\n', OPTIONS, ['1 2', '3 4', '2 3']],
  ['below counts', '3 4\n1 2\n3 4\n2 3\n', OPTIONS, ['1 2', '3 4', '2 3']],
  ['below counts and items', '4 3\na b c d\na b\nc d\nb c\n', OPTIONS, ['a b', 'c d', 'b c']],
  ['after counts', '3 4\n2 1 2\n2 3 4\n2 2 3\n', ['1 0', '2 3', '1 2'], ['2 1 2', '2 3 4', '2 2 3']],
  [
    'with comments, and a dash at the end',
    '; a\n1 2 -\n# b\n3 4 -\n2 3 -\n',
    OPTIONS,
    ['1 2 -', '3 4 -', '2 3 -'],
  ],
])('sets are read %s', (_name, text, options, texts) => {
  expect(readCovers(text, 'sets')).toMatchObject([
    { format: 'sets', primaryCount: 4, secondaryCount: 0, options, texts, warnings: [] },
  ]);
});

it('an item of no set is an item, if the head has it', () => {
  expect(readCovers('1 2 3\n1 2\n1\n', 'sets')).toMatchObject([{ primaryCount: 3, options: ['0 1', '0'] }]);
  expect(readCovers('2 3\n2 1 2\n1 1\n', 'sets')).toMatchObject([{ primaryCount: 3, options: ['1 0', '0'] }]);
});

it('an empty set is omitted with a warning, and counted', () => {
  expect(readCovers('1 2\n2\n{ }\n{1 2}\n', 'sets')).toMatchObject([
    { primaryCount: 2, options: ['0 1'], ignoredOptions: 1, warnings: [expect.stringMatching(/^line 3: /)] },
  ]);
});

it.each([
  ['an item twice', '1 2\n3 3\n', { code: 'duplicate_item', line: 2, column: 3, found: '3' }],
  ['an item twice after what is no count', '1 2\n2 3 2\n4\n', { code: 'duplicate_item', line: 2, column: 5 }],
  ['an item that is none of all', 'Items: x y\nx\ny z\n', { code: 'unknown_item', line: 3, found: 'z' }],
  ['a missing item', '{1,,2}\n', { code: 'bad_character', line: 1, column: 4, found: ',' }],
  ['a colour', 'a b:1\n', { code: 'bad_character', line: 1, column: 3, found: 'b:1' }],
  ['a bar', 'a b | c\n', { code: 'bad_character', line: 1, column: 5, found: '|' }],
  ['a set on several lines', '{1, 2,\n3}\n', { code: 'bad_character', line: 1, column: 1 }],
])('the place of %s is named', (_name, text, error) => {
  expect(readCovers(text, 'sets')).toMatchObject([{ error }]);
});
