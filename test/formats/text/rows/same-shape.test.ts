import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../support/depth.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText, rowsOf } from '../../reading.ts';

const grid = `${rowsOf(CLASSIC).join('\n')}\n`;

describe('grids of the same shape as the previous one', () => {
  it.each(['\n', '\r\n', '\r'])('have their own lines, with line ends %j', (end) => {
    const text = `${`${grid}\n`.repeat(6)}${CLASSIC}\n`.replaceAll('\n', end);
    expect(readText(text).records.map(({ line, lineEnd }) => [line, lineEnd])).toEqual([
      ...Array.from({ length: 6 }, (_, k) => [k * 10 + 1, k * 10 + 9]),
      [61, 61],
    ]);
  });

  // Blocks hold four records: the last grid is first, second and last in one.
  it.each([3, 4, 5, 7])('without a blank line after them must directly follow another grid: %i', (grids) => {
    const { records } = readText(`${grid.repeat(grids)}\n${grid}${rowsOf(CLASSIC)[0]}\n\n${grid}`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      ...Array(grids).fill(undefined),
      'row_count',
      undefined,
    ]);
  });

  // Up to 33 whole puzzles are taken together.
  it.each([40, 41, 42, 43])('of counted cells must directly follow such a puzzle: %i', (puzzles) => {
    const cells = [...CLASSIC].join(' ');
    const { records } = readText(`${`${cells}\n`.repeat(puzzles)}\n${cells}\n${cells.slice(2)}\n\n${grid}`);
    expect(records.map(({ line, lineEnd, notes }) => [line, lineEnd, notes?.error !== undefined])).toEqual([
      ...Array.from({ length: puzzles }, (_, k) => [k + 1, k + 1, false]),
      [puzzles + 2, puzzles + 2, false],
      [puzzles + 3, puzzles + 3, true],
      [puzzles + 5, puzzles + 13, false],
    ]);
  });

  it('of 16 characters per row are judged again: small symbols mean small puzzles', () => {
    const first = '123456789ABCDEFG';
    const large = `${[...first].map((_, k) => first.slice(k) + first.slice(0, k)).join('\n')}\n\n`;
    const small = '1234341221434321\n'.repeat(16);
    const { records } = readText(`${large.repeat(3)}${small}\n${large}`);
    expect(records.map(({ size }) => size)).toEqual([16, 16, 16, ...Array(16).fill(4), 16]);
  });

  it('with another blank share a block, and each keeps its own', () => {
    const zeros = grid.replaceAll('.', '0');
    const { records, blocks } = readText(`${grid}\n${grid}\n${zeros}\n${zeros}\n${grid}`);
    expect(records.map(({ blank }) => blank)).toEqual(['.', '.', '0', '0', '.']);
    expect(blocks).toEqual([4, 1]);
  });
});

describe('lines with two blanks each', () => {
  const mixed = CLASSIC.replace('.', '0');
  const zeros = CLASSIC.replaceAll('.', '0');
  it.each([
    ['continue', [mixed, mixed, mixed, mixed, mixed]],
    ['end with one of the blanks', [mixed, mixed, CLASSIC, CLASSIC, mixed]],
    ['end with the other one', [mixed, mixed, zeros, zeros, mixed, CLASSIC]],
    ['are mixed differently', [mixed, mixed, CLASSIC.replace('.', '_'), mixed, zeros]],
    ['have no blank left', [mixed, mixed, CLASSIC_SOLUTION, mixed, CLASSIC_SOLUTION]],
  ])('are read as the recognisers read them if they %s', (_, lines) => {
    const text = `${lines.join('\n')}\n`;
    expect(readText(text).records).toEqual(readText(text, {}, [], 1).records);
  });
});

describe('lines with other line ends', () => {
  it.each(['\n', '\r\n', '\r'])('are counted alike with %j', (end) => {
    const text = `# one\n${CLASSIC}\n\n${CLASSIC}\n${CLASSIC} x\n${CLASSIC.slice(1)}\n${CLASSIC}`;
    expect(readText(text.replaceAll('\n', end)).records.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7]);
  });
});

describe('grids in lists', () => {
  const zeros = CLASSIC.replaceAll('.', '0');
  const others = [zeros, rowsOf(zeros).toReversed().join(''), `${zeros.slice(0, 80)}8`];
  const list = fc
    .record({
      opening: fc.constantFrom('', '[', 'puzzle1 = [', 'puzzle22 = [', '# a comment\n[', 'Grid 1', '1'),
      cells: fc.constantFrom(...others, zeros.replace('5', 'x'), zeros.slice(9), zeros + zeros.slice(0, 9)),
      separator: fc.constantFrom(', ', ',', ' '),
      isFirst: fc.boolean(),
      end: fc.constantFrom('', ']', '],', '];', ']\n]', '},', '"', '# end', '---', '# solution\n[', '1'),
      gap: fc.constantFrom('', '\n', '\n', '\n\n'),
    })
    .map(({ opening, cells, separator, isFirst, end, gap }) => {
      const rows = rowsOf(cells).map((row) => `[${[...row].join(separator)}],\n`);
      const start = isFirst ? opening : opening && `${opening}\n`;
      return `${start}${rows.join('')}${end && `${end}\n`}${gap}`;
    });
  // Without any puzzle, boxes and alphabets would be tried.
  const file = fc.array(list, { minLength: 1, maxLength: 6 }).map((lists) => {
    return `${grid}\n${lists.flatMap((each) => [each, each, each]).join('')}`;
  });
  const recordsOf = (text: string, capacity?: number) =>
    readText(text, {}, [], capacity).records.map((record) =>
      record.notes?.error === undefined ? record : { line: record.line, error: record.notes.error },
    );

  it('that look like the one before have the same records as one by one', () => {
    fc.assert(
      fc.property(file, (text) => {
        expect(recordsOf(text)).toEqual(recordsOf(text, 1));
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});
