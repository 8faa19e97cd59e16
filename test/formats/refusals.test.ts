/** Files of kinds that are known and not read are refused by their names, and others with the layouts that come nearest. */
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../lib/formats/formats.ts';
import { bytesOf, CLASSIC, rowsOf } from './reading.ts';

function errorOf(text: string) {
  const detection = detectFormat(bytesOf(text), true, {});
  expect(detection.kind).toBe('unreadable');
  return detection.kind === 'unreadable' ? detection.error : undefined;
}

it.each([
  [
    'the colours of a terminal',
    rowsOf(CLASSIC)
      .map((row) => `\x1b[1m${row}\x1b[0m\n`)
      .join(''),
    'ANSI',
    'sed',
  ],
  [
    'cells as XML',
    '<sudoku>\n<row><cell>5</cell><cell/></row>\n</sudoku>\n',
    'an element for each cell',
    'line',
  ],
  ['data of AMPL', 'data;\nparam givens :=\n1 1 5\n1 2 3;\n', 'AMPL', 'as text'],
  ['facts', 'given(1,1,5).\ngiven(1,2,3).\n', 'logic', 'as text'],
  [
    'a list of Python dicts',
    `[\n  {\n    'puzzle': '${CLASSIC}',\n    'killer': True\n  }\n]\n`,
    'Python dict',
    'json.dumps',
  ],
  ['names of cells', 'A1=5\nA2=3\nB1=6\n', 'by their names', 'as rows'],
  ['rows and columns of cells', 'r1c1=5\nr1c2=3\nr2c1=6\n', 'by their names', 'as rows'],
  ['triples on a line', '1 1 5|1 2 3|2 1 6\n', 'rows, columns and values', 'as rows'],
  [
    'pencil marks in braces',
    '{12} {345} 6 {789} 1 2 3 4 5\n7 8 9 {12} {34} 5 6 7 8\n',
    'pencil marks',
    '729',
  ],
])('%s are refused by that name, with what to do', (_name, text, name, remedy) => {
  expect(errorOf(text)).toMatchObject({ code: 'no_puzzles', message: expect.stringContaining(name) });
  expect(errorOf(text)?.message).toContain(remedy);
});

it.each([
  ['cages drawn with signs', '14 < < 17\n^ 8 9 ^\n^ ^ ^ 3\n5 < 12 <\n', 'killer', 1],
  ['cages as lists of cells', '6 1,1 1,2\n17 1,3 2,3 3,3\n', 'killer', 1],
  ['cages as sums of cells', '# a\n3=a1+a2\n17=a3+b3+c3\n', 'killer', 2],
  ['signs between names of cells', '0000\n0020\n0000\n1000\n\n(1,1) < (1,2)\nr2c3 > r3c3\n', 'futoshiki', 6],
  ['signs in the rows', '4\n0 < 0 0 0\n0 0 > 0 0\n0 0 0 2\n1 0 0 0\n', 'futoshiki', 2],
  ['signs below a grid', '0,0,0,0\n0,0,2,0\n0,0,0,0\n0,0,0,0\n\n<,0,0\n0,>,0\n', 'futoshiki', 6],
])('a rule is never overlooked: %s', (_name, text, found, line) => {
  expect(errorOf(text)).toMatchObject({
    code: 'unsupported_variant',
    line,
    found: expect.stringContaining(found),
  });
});

it.each([
  ['a Python dict', `{'grid': ${JSON.stringify(rowsOf(CLASSIC))}, 'cages': [[1, 2]]}\n`],
  [
    'JSON5',
    `{\n  grid: [\n${rowsOf(CLASSIC)
      .map((row) => `    [${[...row.replaceAll('.', '0')].join()}],\n`)
      .join('')}  ],\n  cages: [{ sum: 3 }],\n}\n`,
  ],
])('objects that are not JSON are refused, and not read as rows: %s', (_name, text) => {
  expect(errorOf(text)).toMatchObject({
    found: 'a Python dict or JSON5',
    expected: 'JSON, with its names and texts in double quotes',
  });
});

it('a grid that is quoted with > is read', () => {
  const rows = rowsOf(CLASSIC).map((row) => `> ${[...row].join(' ')}\n`);
  expect(detectFormat(bytesOf(rows.join('')), true, {}).kind).not.toBe('empty');
});

describe('a file of no known kind', () => {
  it.each([
    [
      'lines of a wrong length',
      '53..7...\n6..195\n',
      ['rows of a grid ("53..7....")', '"53..7..." has 8 characters, not 9'],
    ],
    ['lists of numbers', '7 2\n2 4 5\n0 3 6\n1 2 5\n0 3\n1 6\n', ['--format sparse', '"7" above "2 4 5"']],
    ['words', 'no puzzle\nhere\n', ['a puzzle on a line', 'has "n"']],
  ])('names three layouts with an example and what is in the way: %s', (_name, text, parts) => {
    const message = errorOf(text)?.message ?? '';
    for (const part of parts) expect(message).toContain(part);
    expect(message.match(/, but /g)).toHaveLength(3);
  });
});
