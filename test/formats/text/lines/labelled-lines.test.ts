/** Puzzles in lines with other text: statements, lists, properties; solutions after any separator; comments of code. */
import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, readText } from '../../reading.ts';

const OTHER = CLASSIC.replace('5', '.');
const VALUES = Uint8Array.from(CLASSIC_SOLUTION, Number);

/** Grids of the records, or the codes of their errors. */
const grids = (text: string) => readText(text).records.map(({ grid, notes }) => notes?.error?.code ?? grid);

describe('a puzzle in a line with other text', () => {
  it.each([
    ['an SQL statement', (puzzle: string) => `INSERT INTO puzzles (id, grid) VALUES (7, '${puzzle}');`],
    ['a property', (puzzle: string) => `puzzle.7=${puzzle}`],
    ['a list in YAML', (puzzle: string) => `  - ${puzzle}`],
    ['a list in Markdown', (puzzle: string) => `* \`${puzzle}\``],
    ['an element of XML', (puzzle: string) => `  <puzzle level="easy">${puzzle}</puzzle>`],
    ['fields between bars', (puzzle: string) => `A7|${puzzle}|hard`],
    ['a call', (puzzle: string) => `    assert solve("${puzzle}") is not None`],
  ])('is read: %s', (_name, line) => {
    expect(grids(`${line(CLASSIC)}\n${line(OTHER)}\n`)).toEqual([CLASSIC, OTHER]);
    expect(grids(`${CLASSIC}\n${line(OTHER)}\nno puzzle today\n${line(CLASSIC)}\n`)).toEqual([
      CLASSIC,
      OTHER,
      'bad_character',
      CLASSIC,
    ]);
  });

  it('is labelled with that text', () => {
    const [record] = readText(`insert into t values (7, '${CLASSIC}', 'easy');\n`).records;
    expect(record.notes).toEqual({ id: 'insert into t values (7 easy' });
  });

  it('is not read if it is one of two puzzles, in an object, or has another number of cells', () => {
    expect(grids(`${CLASSIC}\nvalues ('${CLASSIC}', '${OTHER}');\n`)).toEqual([CLASSIC, 'bad_character']);
    expect(grids(`${CLASSIC}\n{ grid: "${CLASSIC}", cages: [[1, 2]] },\n`)).toEqual([
      CLASSIC,
      'bad_character',
    ]);
    expect(grids(`${CLASSIC}\ngrid='${CLASSIC.slice(1)}'\n`)).toEqual([CLASSIC, 'bad_length']);
  });

  it('is refused if the text names a rule', () => {
    const { records } = readText(`${CLASSIC}\n<puzzle type="killer">${CLASSIC}</puzzle>\n`);
    expect(records[1].notes?.error).toMatchObject({ code: 'unsupported_variant', line: 2 });
    expect(records[1].notes?.error?.message).toMatch(/"killer"/);
  });
});

describe('a solution on the line of its puzzle', () => {
  it.each([' -> ', ' => ', '=', ' = ', '|', ' | ', '/', ': ', "','"])('follows after %j', (signs) => {
    const { records } = readText(`${CLASSIC}${signs}${CLASSIC_SOLUTION}\n`.repeat(2));
    expect(records.map(({ grid, notes }) => [grid, notes])).toEqual(
      records.map(() => [CLASSIC, { expected: { solution: VALUES } }]),
    );
    expect(records).toHaveLength(2);
  });

  it('may be named, and come first', () => {
    const [record] = readText(`sql (1, '${CLASSIC_SOLUTION}', '${CLASSIC}');\n`).records;
    expect([record.grid, record.notes]).toEqual([CLASSIC, { id: 'sql (1', expected: { solution: VALUES } }]);
  });
});

describe('comments of program code', () => {
  it.each(['% one puzzle', '-- one puzzle', '// a puzzle', '# a puzzle'])('are no records: %s', (comment) => {
    expect(grids(`${comment}\n${CLASSIC}\n${comment}\n\n${OTHER}\n${comment}\n`)).toEqual([CLASSIC, OTHER]);
  });

  it('are not damaged cells or dashes for blanks', () => {
    expect(grids(`${CLASSIC}\n%${CLASSIC.slice(1)}\n${CLASSIC}\n`)[1]).toBe('bad_character');
    const dashes = CLASSIC.replaceAll('.', '-');
    const row = (cells: string) => cells.replace(/(...)(...)/, '$1 $2 ');
    const rows = dashes.match(/.{9}/g)!.map(row);
    expect(grids(`${rows.join('\n')}\n`)).toEqual([dashes]);
  });
});

it('fields of a puzzle on a line may start with an empty one before a semicolon', () => {
  const blank = `.${CLASSIC.slice(1)}`;
  const line = [...blank].map((cell) => (cell === '.' ? '' : cell)).join(';');
  expect(line.startsWith(';')).toBe(true);
  expect(grids(`${line}\n${line}\n`)).toEqual(Array(2).fill(blank.replaceAll('.', ' ')));
});

it.each(['|', '!'])('-1 between %j is one blank', (bar) => {
  const text = CLASSIC.match(/.{9}/g)!
    .map((row) => [...row].map((cell) => (cell === '.' ? '-1' : cell)).join(bar))
    .join('\n');
  const [{ format, blank, notes }] = readText(`${text}\n`).records;
  expect([format, blank, notes?.error]).toEqual(['cells', '-1', undefined]);
});

describe('a region map on the line of its puzzle', () => {
  const MAP = `112122333112122333111222333${'444555666'.repeat(3)}${'777888999'.repeat(3)}`;
  const LETTERS = MAP.replaceAll(/\d/g, (digit) => 'ABCDEFGHI'[Number(digit) - 1]);
  it.each([
    ['digits, after a bar', `${CLASSIC}|${MAP}`],
    ['letters, named', `grid=${CLASSIC} regions=${LETTERS}`],
    ['letters, in a statement', `insert into t values (1, '${CLASSIC}', '${LETTERS}');`],
    ['digits, in a statement, first', `insert into t values (1, '${MAP}', '${CLASSIC}');`],
  ])('makes a jigsaw: %s', (_name, line) => {
    const { records } = readText(`${line}\n`.repeat(3));
    expect(records.map(({ variant, grid }) => [variant, grid])).toEqual(Array(3).fill(['jigsaw', CLASSIC]));
  });

  it('is an error if it is wrong', () => {
    const wrong = `2${MAP.slice(1)}`;
    const { records } = readText(`${CLASSIC}\ngrid=${CLASSIC} regions=${wrong}\n`);
    expect(records[1].notes?.error?.code).toBe('bad_regions');
  });
});

it.each(['#83', '#Project Euler 50', '// easy', ';easy'])(
  'a label may follow a puzzle directly: %s',
  (label) => {
    const { records } = readText(`${CLASSIC}${label}\n${OTHER}${label}\n`);
    expect(records.map(({ grid, notes }) => [grid, notes?.id])).toEqual([
      [CLASSIC, label.replace(/^[#/;]+ ?/, '')],
      [OTHER, label.replace(/^[#/;]+ ?/, '')],
    ]);
  },
);
