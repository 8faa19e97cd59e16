import { describe, expect, it } from 'vitest';
import { alphabetProblem } from '../../../lib/formats/formats.ts';

describe('a bad alphabet', () => {
  const cases: Array<[alphabet: string, size: number | undefined, problem: RegExp | undefined]> = [
    ['ABCDEFGHIJKLMNOP', 16, undefined],
    ['A-P', 16, undefined],
    ['1-16', 16, undefined],
    ['ABCDEFGHI', undefined, undefined],
    ['ABCDEFGHI', 16, /has 9 symbols, and a 16x16 puzzle needs 16/],
    ['AACDEFGHI', undefined, /has "A" twice/],
    ['ABCDEFGH ', 9, /must be printable ASCII/],
    ['', undefined, /is empty/],
  ];
  it.each(cases)('%j for size %s', (alphabet, size, problem) => {
    if (problem === undefined) expect(alphabetProblem(alphabet, size)).toBeUndefined();
    else expect(alphabetProblem(alphabet, size)).toMatch(problem);
  });
});

describe('an alphabet with a number of symbols that no puzzle size has', () => {
  it.each(['ABC', '12', 'A'])('is rejected: %s', (alphabet) => {
    expect(alphabetProblem(alphabet)).toMatch('no puzzle size has that number');
  });
  it.each(['1-9', 'A-P', 'ABCD', '1-16'])(
    'is not rejected for a number that some size has: %s',
    (alphabet) => {
      expect(alphabetProblem(alphabet)).toBeUndefined();
    },
  );
});
