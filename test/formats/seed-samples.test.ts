import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, fixture, readText, rewrite, rowsOf } from './reading.ts';
import { HDU_LAYOUTS, LEETCODE_TEXTS, POJ_TEXTS } from './seed-texts.ts';

const hduSolutions = fixture('hdu1426.solutions.txt');
const poj = fixture('poj3076.txt');
const pojSolution = fixture('poj3076.solution.txt');

describe('HDU 1426', () => {
  const cases = readText(fixture('hdu1426.txt')).records;

  it('reads the sample and the harder case, with 58 and 36 givens', () => {
    expect(cases.map(({ grid }) => [...grid].filter((cell) => cell !== '?').length)).toEqual([58, 36]);
    expect(cases.map(({ format, blank, line, lineEnd }) => [format, blank, line, lineEnd])).toEqual([
      ['tokens', '?', 1, 9],
      ['tokens', '?', 11, 19],
    ]);
  });

  it('reads givens that match the published answers', () => {
    const answers = readText(hduSolutions).records;
    for (const [index, { grid }] of cases.entries()) {
      const answer = answers[index].grid;
      expect([...grid].map((cell, at) => (cell === '?' ? '?' : answer[at])).join('')).toBe(grid);
    }
  });

  it('writes the published answers byte for byte: one blank line between, none after the last', () => {
    expect(rewrite(hduSolutions, 'hdu')).toBe(hduSolutions);
    expect(rewrite(hduSolutions, 'same')).toBe(hduSolutions);
    expect(hduSolutions.endsWith('\n2 8 5 9 3 1 6 7 4\n')).toBe(true);
  });

  it.each(HDU_LAYOUTS)('reads the same puzzles with %s', (_name, change) => {
    const { records } = readText(change(fixture('hdu1426.txt')));
    expect(records.map(({ grid }) => grid.replaceAll('0', '?'))).toEqual(cases.map(({ grid }) => grid));
  });
});

describe('POJ 3076', () => {
  const grid = poj.replaceAll('\n', '');
  it.each(POJ_TEXTS)('reads both cases: %s', (_name, text) => {
    const { records } = readText(text);
    expect(records.map((record) => [record.format, record.alphabet, record.grid])).toEqual([
      ['rows', 'A-P', grid],
      ['rows', 'A-P', grid],
    ]);
  });

  it.each(POJ_TEXTS)('writes the input in its own form, without headers: %s', (_name, text) => {
    const solved = text.replaceAll('\r\n', '\n').replaceAll(poj.trimEnd(), pojSolution.trimEnd());
    expect(rewrite(solved, 'same')).toBe(`${pojSolution}\n${pojSolution}`);
  });

  it('puts the blank line between cases for POJ, after each for AcWing', () => {
    const two = `${pojSolution}\n${pojSolution}`;
    expect(rewrite(two, 'poj3076')).toBe(two);
    expect(rewrite(two, 'acwing')).toBe(`${two}\n`);
  });
});

describe('Luogu P1784', () => {
  const solution = rowsOf(CLASSIC_SOLUTION).map((row) => [...row].join(' '));

  it('reads 0 as the blank', () => {
    const text = rowsOf(CLASSIC.replaceAll('.', '0'))
      .map((row) => `${[...row].join(' ')}\n`)
      .join('');
    expect(readText(text).records).toMatchObject([
      { format: 'tokens', blank: '0', grid: CLASSIC.replaceAll('.', '0') },
    ]);
  });

  it('writes a space after every number, on every line', () => {
    const expected = solution.map((row) => `${row} \n`).join('');
    expect(rewrite(solution.join('\n'), 'luogu')).toBe(expected);
  });
});

describe('LeetCode', () => {
  const board = (line: string) => rowsOf(line).map((row) => [...row]);
  const solved = JSON.stringify(board(CLASSIC_SOLUTION));

  it.each(LEETCODE_TEXTS)('reads %s', (_name, text, grids) => {
    const { detection, records } = readText(text);
    expect(detection).toMatchObject({ kind: 'puzzles', format: 'json' });
    expect(records.map(({ grid }) => grid)).toEqual(Array(grids).fill(CLASSIC));
  });

  it('reads numbers, with 0 or null for blanks', () => {
    const numbers = board(CLASSIC).map((row) => row.map((cell) => (cell === '.' ? null : Number(cell))));
    expect(readText(JSON.stringify(numbers)).records).toMatchObject([{ grid: CLASSIC.replaceAll('.', '0') }]);
    expect(readText(JSON.stringify(numbers).replaceAll('null', '0')).records).toHaveLength(1);
  });

  it('writes one board as one board, and a list as a list with null for a board without a solution', () => {
    expect(rewrite(solved, 'same')).toBe(`${solved}\n`);
    const list = `[${solved},${solved.replace('"5"', '"q"')},${solved}]`;
    const written = rewrite(list, 'same');
    expect(JSON.parse(written)).toEqual([board(CLASSIC_SOLUTION), null, board(CLASSIC_SOLUTION)]);
  });
});

describe('defects of earlier programs in reading and writing do not occur', () => {
  const solved = rowsOf(CLASSIC_SOLUTION).join('\n');

  it('gives no answer for a blank line at the end', () => {
    expect(readText(`${solved}\n\n`).records).toHaveLength(1);
    expect(rewrite(`${solved}\n\n`, 'same')).toBe(`${solved}\n`);
  });

  it('adds no byte if the last line has no line end', () => {
    expect(rewrite(solved, 'poj3076')).toBe(`${solved}\n`);
    expect(rewrite(CLASSIC_SOLUTION, 'same')).toBe(`${CLASSIC_SOLUTION}\n`);
  });

  it('keeps the place of a puzzle that has no solution', () => {
    const text = `${CLASSIC_SOLUTION}\n${CLASSIC_SOLUTION.slice(1)}\n${CLASSIC_SOLUTION}\n`;
    expect(rewrite(text, 'same')).toBe(`${CLASSIC_SOLUTION}\n# unreadable\n${CLASSIC_SOLUTION}\n`);
    const grids = `${solved}\n\n${solved.slice(1)}\n\n${solved}\n`;
    expect(rewrite(grids, 'same')).toBe(`${solved}\n\n# unreadable\n\n${solved}\n`);
  });
});
