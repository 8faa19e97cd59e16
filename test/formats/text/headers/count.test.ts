import { describe, expect, it } from 'vitest';
import { CLASSIC, fixture, readText, rowsOf } from '../../reading.ts';

const rows = `${rowsOf(CLASSIC).join('\n')}\n`;
const tokens = `${rowsOf(CLASSIC)
  .map((row) => [...row].join(' '))
  .join('\n')}\n`;
const drawn = fixture('simple-sudoku.ss').split('\n\n')[0];
const line = `${CLASSIC}\n`;

describe('a line with a lone integer', () => {
  const counts: Array<[name: string, text: string]> = [
    ['the number of puzzles first', `2\n${line}${line}`],
    ['a large number of puzzles first', `1000000\n${line}${line}`],
    ['the number of puzzles after comments', `# of mine\n\n2\n\n${rows}\n${rows}`],
    ['the number of puzzles, then the size of each', `2\n9\n${tokens}9\n${tokens}`],
    ['the order of the boxes before each', `3\n${rows}3\n${rows}`],
    ['a number before each', `99\n${rows}\n100\n${rows}`],
    ['a number and a blank line before each', `1\n\n${rows}\n2\n\n${rows}`],
    ['a size before a drawn grid', `${rows}\n9\n${drawn}\n`],
    ['a zero at the end', `${rows}\n${rows}\n0\n`],
  ];
  it.each(counts)('announces the puzzles that follow: %s', (_name, text) => {
    expect(readText(text).records.map(({ notes, size }) => [size, notes?.error])).toEqual([
      [9, undefined],
      [9, undefined],
    ]);
  });

  const stubs: Array<[name: string, before: string, stub: string, after: string]> = [
    ['between lines', line, '12345', line],
    ['of three digits between lines', line, '123', line],
    ['that starts with a zero', line, '03', line],
    ['before a blank line', `${rows}\n`, '12', `\n${rows}`],
    ['directly before rows', `${rows}\n`, '12345', rows],
    ['directly before tokens', `${tokens}\n`, '12345', tokens],
    ['before prose', rows, '12', `Dear reader\n\n${rows}`],
    ['first in the file, with zeros in front', '', '00302', line + line],
  ];
  it.each(stubs)('is the rest of a damaged puzzle, and a record: %s', (_name, before, stub, after) => {
    const { records } = readText(`${before}${stub}\n${after}`);
    const number = before.split('\n').length;
    const error = records.find(({ notes }) => notes?.error !== undefined);
    expect([error?.line, error?.notes?.error?.column]).toEqual([number, 1]);
    expect(records.filter(({ grid }) => grid === CLASSIC)).toHaveLength(2);
  });

  it('is a cell if each line has one', () => {
    const size = 16;
    const cells = Array.from({ length: 256 }, (_, k) => 1 + ((k + 9 + (k >> 4) * 5) % size));
    const { records } = readText(`${cells.join('\n')}\n`);
    expect(records.map((record) => [record.size, record.grid])).toEqual([[size, cells.join(' ')]]);
  });
});
