import { describe, expect, it } from 'vitest';
import { alphabetProblem } from '../../../lib/formats/formats.ts';
import { CLASSIC, fixture, readText } from '../reading.ts';

/** A 16x16 on one line: the symbols, then blanks. */
function sixteen(symbols: string, blank: string): string {
  return symbols.padEnd(256, blank);
}

describe('the alphabet of a large size', () => {
  const cases: Array<[name: string, text: string, alphabet: string, blank: string, warned: boolean]> = [
    ['letters only are A-P', sixteen('CAGE', '.'), 'A-P', '.', false],
    ['a letter beyond G is A-P', sixteen('HAB', '-'), 'A-P', '-', false],
    ['G and a digit are 1-9A-G', sixteen('1G', '.'), '1-9A-G', '.', false],
    ['0 with another blank is a value', sixteen('019AF', '.'), '0-9A-F', '.', false],
    ['0 as the only blank is a blank', sixteen('19AF', '0'), '1-9A-G', '0', false],
    ['otherwise 0-9A-F is assumed', sixteen('19AF', '.'), '0-9A-F', '.', true],
    ['lower case is folded', sixteen('01af', '.'), '0-9a-f', '.', false],
  ];
  it.each(cases)('%s', (_name, text, alphabet, blank, warned) => {
    const { records } = readText(text);
    expect(records).toMatchObject([{ size: 16, alphabet, blank }]);
    expect(records[0].notes?.warnings).toEqual(warned ? ['alphabet_assumed'] : undefined);
  });

  it('is decimal if numbers have several digits', () => {
    const row = (k: number) =>
      Array.from({ length: 16 }, (_, c) => (c === k ? String(k + 1) : '0')).join(' ');
    const text = Array.from({ length: 16 }, (_, k) => row(k)).join('\n');
    expect(readText(text).records).toMatchObject([
      { format: 'tokens', size: 16, alphabet: '1-16', blank: '0' },
    ]);
    const dotted = text.replace(/\b0\b/g, '.').replace('1', '0').replace('16', '15');
    expect(readText(dotted).records).toMatchObject([{ alphabet: '0-15', blank: '.' }]);
  });

  it('is decided from all puzzles of that size, then fixed', () => {
    const text = `${sixteen('123', '.')}\n${sixteen('1G', '.')}\n`;
    expect(readText(text).records.map(({ alphabet }) => alphabet)).toEqual(['1-9A-G', '1-9A-G']);
  });

  it('is not changed by one damaged puzzle', () => {
    const text = `${`${sixteen('0123456789ABCDEF', '.')}\n`.repeat(5)}${sixteen('0Z', '.')}\n`;
    const { records } = readText(text);
    expect(records.map(({ alphabet }) => alphabet)).toEqual(Array(6).fill('0-9A-F'));
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      ...Array(5).fill(undefined),
      'symbol_out_of_range',
    ]);
  });

  it('is the one in --alphabet', () => {
    const text = sixteen('19AF', '.');
    expect(readText(text, { alphabet: '123456789ABCDEFG' }).records).toMatchObject([{ alphabet: '1-9A-G' }]);
    expect(readText(text, { alphabet: '0-9A-F' }).records[0].notes).toBeUndefined();
  });

  it('of a 16x16 with letters, the rows of POJ 3076 on a line, is A-P', () => {
    const line = fixture('poj3076.txt').replaceAll('\n', '');
    expect(readText(line).records).toMatchObject([{ format: 'line', size: 16, alphabet: 'A-P' }]);
  });
});

describe('blanks', () => {
  const cases: Array<[name: string, blanks: string, blank: string, warnings: string[] | undefined]> = [
    ['.', '.', '.', undefined],
    ['0', '0', '0', undefined],
    ['X', 'X', 'X', undefined],
    ['*', '*', '*', undefined],
    ['_', '_', '_', undefined],
    ['-', '-', '-', undefined],
    ['?', '?', '?', undefined],
    ['0 and . mixed', '.0', '0', undefined],
    ['* and . mixed', '.*', '.', ['blanks_mixed']],
    ['another character', 'o', 'o', ['blank_assumed']],
  ];
  it.each(cases)('%s', (_name, blanks, blank, warnings) => {
    const text = `123456789${blanks.repeat(72).slice(0, 72)}`;
    const { records } = readText(text);
    expect(records).toMatchObject([{ blank, notes: warnings === undefined ? undefined : { warnings } }]);
    expect(records[0].grid).toBe(`123456789${blank.repeat(72)}`);
  });

  it('alone are a legal puzzle', () => {
    expect(readText('.'.repeat(81)).records).toMatchObject([{ size: 9, notes: undefined }]);
  });
});

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

describe('a file whose only puzzle has a symbol too many', () => {
  it.each([
    ['rows', `${sixteen('ABCDEFGHIJKLMNOPZ', '.').match(/.{16}/g)!.join('\n')}\n`],
    ['a line', sixteen('ABCDEFGHIJKLMNOPZ', '.')],
  ])('is not empty: %s', (_name, text) => {
    expect(readText(text).detection).toMatchObject({
      kind: 'unreadable',
      error: { code: 'no_puzzles', message: expect.stringMatching('found 17 symbols in a 16x16 puzzle') },
    });
  });
});

describe('a puzzle that one option would read', () => {
  it.each([
    ['of its own letters', 'ABCDEFGHK'],
    ['of other characters', '!$%&()=+~'],
  ])('names it: %s', (_name, alphabet) => {
    const text = `${[...CLASSIC].map((cell) => (cell === '.' ? cell : alphabet[Number(cell) - 1])).join('')}\n`;
    const { records, detection } = readText(`${text}${CLASSIC}\n`);
    expect([detection.kind, records[0].notes?.error?.message]).toEqual([
      'puzzles',
      expect.stringContaining('name them with --alphabet'),
    ]);
    expect(readText(text, { alphabet }).records).toMatchObject([{ size: 9, notes: undefined }]);
  });
});
