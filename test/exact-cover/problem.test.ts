import { describe, expect, test } from 'vitest';
import { checkProblem, createProblem } from './create-problem.ts';

describe('a problem given as lists', () => {
  test('is packed option after option', () => {
    const problem = createProblem({ primaryCount: 3, secondaryCount: 1, options: [[2, 0], [1, 3], [3]] });
    expect(problem).toEqual({
      primaryCount: 3,
      secondaryCount: 1,
      optionCount: 3,
      optionStart: Int32Array.of(0, 2, 4, 5),
      items: Int32Array.of(2, 0, 1, 3, 3),
    });
  });

  test('keeps its colours', () => {
    const problem = createProblem({
      primaryCount: 1,
      secondaryCount: 1,
      options: [[0, 1]],
      colours: [[0, 7]],
    });
    expect(problem.colours).toEqual(Int32Array.of(0, 7));
  });

  test('has no colours if all of them are 0', () => {
    const problem = createProblem({
      primaryCount: 1,
      secondaryCount: 1,
      options: [[0, 1]],
      colours: [[0, 0]],
    });
    expect(problem.colours).toBeUndefined();
  });

  test('may have more items than fit in 16 bits', () => {
    const problem = createProblem({ primaryCount: 70_000, options: [[69_999]] });
    expect(problem.items).toEqual(Int32Array.of(69_999));
  });
});

describe('a problem is rejected, with option and item, if', () => {
  const refusals: [string, Parameters<typeof createProblem>[0], string][] = [
    [
      'an item is too large',
      { primaryCount: 2, secondaryCount: 1, options: [[0], [1, 3]] },
      'option 1 has item 3: expected an item from 0 to 2',
    ],
    [
      'an item is negative',
      { primaryCount: 2, options: [[-1]] },
      'option 0 has item -1: expected an item from 0 to 1',
    ],
    [
      'an item is a fraction',
      { primaryCount: 2, options: [[0.5]] },
      'option 0 has item 0.5: expected an item from 0',
    ],
    [
      'an item would be valid modulo 2^32',
      { primaryCount: 2, options: [[2 ** 32]] },
      'option 0 has item 4294967296: expected an item from 0 to 1',
    ],
    [
      'an item is twice in an option',
      { primaryCount: 2, options: [[0], [1, 0, 1]] },
      'option 1 has item 1 twice',
    ],
    [
      'an option is empty',
      { primaryCount: 2, options: [[0], []] },
      'option 1 is empty: expected at least one item',
    ],
    [
      'a primary item has a colour',
      { primaryCount: 2, options: [[0, 1]], colours: [[0, 4]] },
      'option 0 gives item 1 colour 4: only secondary items, from 2 up, may have a colour',
    ],
    [
      'a colour is negative',
      { primaryCount: 1, secondaryCount: 1, options: [[0, 1]], colours: [[0, -2]] },
      'option 0 gives item 1 colour -2: expected an integer from 0 up',
    ],
    [
      'an option has too few colours',
      { primaryCount: 1, secondaryCount: 1, options: [[0, 1]], colours: [[0]] },
      'option 0 has 2 items and 1 colours: expected one for each item',
    ],
    [
      'there are colours for too few options',
      { primaryCount: 1, options: [[0], [0]], colours: [[0]] },
      'there are colours for 1 options: expected 2',
    ],
    [
      'a count is negative',
      { primaryCount: -1, options: [] },
      'primaryCount is -1: expected an integer from 0 up',
    ],
    [
      'a count is not a number',
      { primaryCount: 0, secondaryCount: Number.NaN, options: [] },
      'secondaryCount is NaN: expected an integer from 0 up',
    ],
  ];

  test.each(refusals)('%s', (_name, lists, message) => {
    expect(() => createProblem(lists)).toThrow(RangeError);
    expect(() => createProblem(lists)).toThrow(message);
  });
});

describe('a problem given in typed arrays', () => {
  const good = createProblem({ primaryCount: 3, options: [[0, 1], [2]] });

  test('is returned unchanged if it is valid', () => {
    expect(checkProblem(good)).toBe(good);
  });

  test.each([
    [
      'its starts are too few',
      { optionStart: Int32Array.of(0, 2) },
      'optionStart has 2 entries from 0: expected 3',
    ],
    [
      'its starts end early',
      { optionStart: Int32Array.of(0, 1, 2) },
      'optionStart ends at 2, but there are 3 items',
    ],
    ['its starts fall', { optionStart: Int32Array.of(0, 4, 3) }, 'option 1 is empty'],
    ['it has an item out of range', { items: Int32Array.of(0, 1, 3) }, 'option 1 has item 3'],
    ['it has an item twice', { items: Int32Array.of(1, 1, 2) }, 'option 0 has item 1 twice'],
    ['its colours are too few', { colours: Int32Array.of(0) }, 'there are 1 colours for 3 items'],
  ])('is rejected if %s', (_name, change, message) => {
    expect(() => checkProblem({ ...good, ...change })).toThrow(message);
  });
});
