import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, readText } from '../reading.ts';

/** The records of a table; those without a puzzle have no layout, as theirs is their block's. */
function recordsOf(text: string, capacity?: number) {
  return readText(text, {}, [], capacity).records.map((record) =>
    record.notes?.error === undefined ? record : { line: record.line, error: record.notes.error },
  );
}

const puzzle = fc.constantFrom(CLASSIC, CLASSIC.replaceAll('.', '0'), `"${CLASSIC}"`, CLASSIC.slice(1));
const columns = {
  id: fc.constantFrom('1', '#2', '', '"a"', 'Killer Sudoku', ' b '),
  tags: fc.constantFrom('easy', 'killer', '"easy, windoku"', 'skyscraper', ''),
  diagonal: fc.constantFrom('0', '1', '', 'false'),
  type: fc.constantFrom('classic', 'x', 'hard', 'thermo'),
  solution: fc.constantFrom(CLASSIC_SOLUTION, '', CLASSIC),
};
const names = Object.keys(columns) as (keyof typeof columns)[];

/** A table with some of the columns, in which each row is there twice. */
const table = fc
  .tuple(fc.subarray(names), fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'))
  .chain(([own, separator, end]) => {
    const row = fc.tuple(...own.map((name) => columns[name]), puzzle).map((fields) => fields.join(separator));
    const header = [...own, 'puzzle'].join(separator);
    return fc
      .array(row, { minLength: 1, maxLength: 10 })
      .map((rows) => [header, ...rows.flatMap((each) => [each, each])].map((each) => each + end).join(''));
  });

it('rows that match the one before have the same records as one by one', () => {
  fc.assert(
    fc.property(table, (text) => {
      expect(recordsOf(text)).toEqual(recordsOf(text, 1));
    }),
  );
});
