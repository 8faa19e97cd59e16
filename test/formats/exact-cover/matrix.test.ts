/** A 0/1 matrix below its sizes or names is an exact cover, and never a puzzle. */
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../lib/formats/formats.ts';
import { bytesOf } from '../reading.ts';
import { readCovers } from './reading-covers.ts';

describe('a 0/1 matrix', () => {
  const matrix = ['0010100', '1001001', '0110010', '1001010', '0100001', '0001101'];
  const spaced = matrix.map((row) => [...row].join(' '));

  it.each([
    ['its rows and columns', ['6 7', ...spaced]],
    ['its rows and columns on lines of their own', ['6', '7', ...spaced]],
    ['its rows alone', ['6', ...matrix]],
    ['its columns alone', ['7', ...matrix]],
    ['names of its columns', ['abcdefg', ...matrix]],
    ['names between commas', ['a1,b1,c1,d1,e1,f1,g1', ...matrix.map((row) => [...row].join(','))]],
  ])('has %s above it', (_name, lines) => {
    const text = `${lines.join('\n')}\n`;
    expect(detectFormat(bytesOf(text), true, {})).toEqual({ kind: 'exact-cover', format: 'matrix' });
    const whole = readCovers(text, 'matrix');
    expect(whole).toMatchObject([{ primaryCount: 7, secondaryCount: 0, lines: { length: 6 }, line: 1 }]);
    const cuts = Array.from({ length: text.length }, (_, at) => at);
    expect(readCovers(text, 'matrix', cuts)).toEqual(whole);
  });

  it('has secondary columns after its rows and columns', () => {
    const [problem] = readCovers(`6 7 2\n${spaced.join('\n')}\n`, 'matrix');
    expect(problem).toMatchObject({ primaryCount: 5, secondaryCount: 2 });
  });

  it('in the shape of a puzzle is one if its rows and columns are above it', () => {
    const identity = Array.from({ length: 8 }, (_, row) => `${'0'.repeat(row)}1${'0'.repeat(7 - row)}`);
    const square = `8 8\n${identity.join('\n')}\n`;
    expect(detectFormat(bytesOf(square), true, {})).toMatchObject({ kind: 'exact-cover' });
  });

  it('with another number of rows or columns is none', () => {
    for (const head of ['5 7', '6 8', '5', 'abcdef']) {
      const detection = detectFormat(bytesOf(`${head}\n${spaced.join('\n')}\n`), true, {});
      expect([head, detection.kind]).not.toEqual([head, 'exact-cover']);
    }
  });
});
