import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import { bytesOf, CLASSIC, fixture, readText, rowsOf } from './reading.ts';

const rows = rowsOf(CLASSIC).join('\n');
const poj = fixture('poj3076.txt');

describe('the format of a file', () => {
  const puzzles: Array<[name: string, text: string, format: string]> = [
    ['a line', CLASSIC, 'line'],
    ['a line after comments', `# a\n\n// b\n; c\n${CLASSIC}`, 'line'],
    ['rows', rows, 'rows'],
    ['tokens', rows.replace(/(.)/g, '$1 '), 'tokens'],
    [
      'JSON',
      '[["1"],["2"]]\n[["1","2","3","4"],[".",".",".","."],[".",".",".","."],[".",".",".","."]]',
      'json',
    ],
    ['a header alone', 'Grid 01\n', 'line'],
    ['a damaged puzzle, then a good one', `${CLASSIC.slice(1)}\n${CLASSIC}`, 'line'],
  ];
  it.each(puzzles)('of %s is detected', (_name, text, format) => {
    expect(detectFormat(bytesOf(text), true, {})).toMatchObject({ kind: 'puzzles', format });
  });

  const empty: Array<[name: string, text: string]> = [
    ['no bytes', ''],
    ['a byte-order mark', '\ufeff'],
    ['blank lines', '\r\n \n\t\n'],
    ['comments', '# nothing\n\n; here'],
    ['an empty list', '[]'],
  ];
  it.each(empty)('%s is an empty file', (_name, text) => {
    expect(detectFormat(bytesOf(text), true, {})).toEqual({ kind: 'empty' });
  });

  const unreadable: Array<[name: string, bytes: string | Uint8Array, error: object]> = [
    [
      'prose',
      'Dear reader,\nno puzzles today.\n',
      { code: 'no_puzzles', line: 1, column: 1, found: 'Dear reader,' },
    ],
    ['a truncated puzzle', CLASSIC.slice(3), { code: 'no_puzzles', line: 1, found: '78 characters' }],
    ['truncated rows', `\n${rows.slice(0, 50)}`, { code: 'no_puzzles', line: 6 }],
    ['some other JSON', '{"name":"x"}', { code: 'no_puzzles', line: 1, column: 1 }],
    ['UTF-16 with a byte-order mark', utf16(`\ufeff${CLASSIC}`), { code: 'bad_encoding' }],
    ['UTF-16 without one', utf16(CLASSIC), { code: 'bad_encoding' }],
    ['binary data', Uint8Array.from({ length: 999 }, (_, k) => (k * 7919) & 255), { code: 'no_puzzles' }],
    ['a long line', 'x'.repeat(HEAD_BYTES + 10), { code: 'no_puzzles' }],
  ];
  it.each(unreadable)('of %s is unreadable, and the error names it', (_name, bytes, error) => {
    expect(detectFormat(bytesOf(bytes), true, {})).toMatchObject({ kind: 'unreadable', error });
  });

  it('survives JSON', () => {
    const detection = detectFormat(bytesOf(poj), true, {});
    expect(JSON.parse(JSON.stringify(detection))).toEqual(detection);
  });

  it('needs one whole puzzle in the head of a longer file', () => {
    const head = bytesOf(`${CLASSIC}\n${CLASSIC.slice(0, 40)}`);
    expect(detectFormat(head, false, {})).toMatchObject({ kind: 'puzzles' });
    expect(detectFormat(bytesOf(CLASSIC.slice(0, 40)), false, {})).toMatchObject({
      error: { code: 'no_puzzles' },
    });
  });
});

describe('JSON that its reader refuses', () => {
  const grid = rowsOf(CLASSIC).map((row) => [...row].map((cell) => (cell === '.' ? 0 : Number(cell))));
  /** Each row of the grid is on its own line, as many programs write it. */
  const rowLines = `[\n${grid.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
  const object = (member: string) => `{\n  "title": "A puzzle",\n  "grid": ${rowLines},\n  ${member}\n}\n`;
  const rules: Array<[name: string, text: string, found: string]> = [
    ['cages', object('"cages": [\n    {"sum": 8, "cells": [[0, 0], [0, 1]]}\n  ]'), 'killer cages'],
    ['a flag', object('"antiknight": true'), 'anti-knight'],
    ['an unknown flag', object('"hexed": true'), 'hexed'],
    ['a name', object('"variant": "thermo"'), 'variant "thermo"'],
    ['a wrong region map', object('"regions": "11122"'), 'a region map of 5 characters'],
    ['a rule in a list', `[\n${object('"arrows": [[1, 2]]')}]\n`, 'arrows'],
    [
      'a rule above puzzles',
      `{\n"cages": [[1]],\n"puzzles": [\n${object('"level": 3')}]\n}\n`,
      'killer cages',
    ],
    ['a rule below comments', `# from a page\n// of the web\n${object('"antiking": true')}`, 'anti-king'],
    [
      'a rule after a long title',
      `{"about": "${'x'.repeat(5000)}",${object('"cages": [[1]]').slice(1)}`,
      'cages',
    ],
    [
      'a rule in quotes of a word processor',
      object('"cages": [[1]]').replace(/"/g, '\u201c'),
      'killer cages',
    ],
    ['a list with a word first', `[\ntrue,\n${object('"cages": [[1]]')}]`, 'the member "title" of a cell'],
    ['an object without its end', object('"cages": [[1]]').slice(0, -3), 'the end of the file'],
    ['a comma too many', object('"cages": [[1]],'), 'invalid JSON'],
  ];
  it.each(rules)('is not read as rows of text: %s', (_name, text, found) => {
    const { detection } = readText(text);
    expect(detection).toMatchObject({
      kind: 'unreadable',
      error: { message: expect.stringContaining(found) },
    });
    expect(JSON.stringify(detection)).not.toContain('"suggestion"');
  });

  it.each(rules.slice(0, 4))('has the same error as on one line: %s', (_name, text) => {
    const errorOf = (each: string) => readText(each).detection;
    expect(errorOf(text)).toEqual(errorOf(JSON.stringify(JSON.parse(text))));
  });

  it('is read, indented, if it has no rule', () => {
    const { detection, records } = readText(object('"level": 3'));
    expect(detection).toMatchObject({ kind: 'puzzles', format: 'json' });
    expect(records.map((record) => record.grid)).toEqual([CLASSIC.replaceAll('.', '0')]);
  });
});

describe('lines of 16 characters', () => {
  const four = ['1..4..2..3..4..1', '..4..2..3..4..1.', '....1.......2...', '1234341221434321'];
  const cases: Array<[name: string, lines: string[], format: string, count: number]> = [
    ['three lines are three 4x4', four.slice(0, 3), 'line', 3],
    ['16 lines are a 16x16', Array(16).fill('1...2...3...4...'), 'rows', 1],
    ['32 lines are two 16x16', Array(32).fill('1...2...3...4...'), 'rows', 2],
    ['17 lines are 17 4x4', Array(17).fill(four[0]), 'line', 17],
    ['16 lines in which symbols repeat are 16 4x4', Array(16).fill(four[3]), 'line', 16],
    ['a symbol beyond 4 makes rows', [...Array(15).fill('1...2...3...4...'), '5...............'], 'rows', 1],
    ['a label makes a 4x4', [`${four[0]} easy`], 'line', 1],
  ];
  it.each(cases)('%s', (_name, lines, format, count) => {
    const { records } = readText(`${lines.join('\n')}\n`);
    expect(records.map((record) => record.format)).toEqual(Array(count).fill(format));
    expect(records.every(({ notes }) => notes?.error === undefined)).toBe(true);
  });

  it.each([
    ['truncated', ['1..4..2..3..4']],
    ['split in two', ['1..4..2..3..4', '..1']],
    ['joined with the next', [`${four[0]}${four[1].slice(3)}`]],
    ['split in two of equal length', ['1..4..2..3..4..2..3.', '.4..2..3..4..1......']],
  ])('are 15 whole 4x4 after one that is %s', (_name, broken) => {
    const { records } = readText(`${[...broken, ...Array(15).fill(four[1])].join('\n')}\n`);
    const whole = records.filter(({ notes }) => notes?.error === undefined);
    expect(whole.map(({ size }) => size)).toEqual(Array(15).fill(4));
    expect(records.length).toBe(15 + broken.length);
  });

  it('are 15 rows of a 16x16 after one that is truncated', () => {
    const rows = ['1...2...3...', ...Array(14).fill('1...2...3...4...'), 'F.......5.......'];
    const { records } = readText(`${rows.join('\n')}\n\n${Array(16).fill('1...2...3...4...').join('\n')}\n`);
    expect(records.map(({ line, lineEnd }) => [line, lineEnd])).toEqual([
      [1, 16],
      [18, 33],
    ]);
    expect(records.map(({ notes }) => notes?.error?.line)).toEqual([1, undefined]);
  });

  it('are decided again after a blank line', () => {
    const { records } = readText(
      `${four.slice(0, 2).join('\n')}\n\n${Array(16).fill('1...2...3...4...').join('\n')}\n`,
    );
    expect(records.map(({ format, size }) => `${format} ${size}`)).toEqual(['line 4', 'line 4', 'rows 16']);
  });

  it('have the format in --format', () => {
    const text = `${Array(16).fill('1...2...3...4...').join('\n')}\n`;
    expect(readText(text, { format: 'line' }).records).toHaveLength(16);
    expect(readText(`${four.join('\n')}\n`.repeat(4), { format: 'rows' }).records[0].size).toBe(16);
  });
});

describe('lines of 36 characters', () => {
  const six = '1...2.3.....4.....5.....6.....1.....';
  it('are 6x6 puzzles, or rows of a 36x36', () => {
    expect(readText(`${six}\n${six}`).records.map(({ size }) => size)).toEqual([6, 6]);
    expect(
      readText(`${Array(36).fill('7.'.padEnd(36, '.')).join('\n')}\n`).records.map(({ size }) => size),
    ).toEqual([36]);
  });
});

describe('one file with many layouts', () => {
  it('gives each puzzle its own layout', () => {
    const text = [
      CLASSIC,
      `${CLASSIC} label`,
      rows,
      '',
      rows.replace(/(.)/g, '$1 '),
      '',
      `Grid 07\n${rows}`,
      poj,
      '1..4..2..3..4..1',
    ].join('\n');
    expect(readText(text).records.map(({ format, size, notes }) => [format, size, notes?.id])).toEqual([
      ['line', 9, undefined],
      ['line', 9, 'label'],
      ['rows', 9, undefined],
      ['tokens', 9, undefined],
      ['rows', 9, 'Grid 07'],
      ['rows', 16, undefined],
      ['line', 4, undefined],
    ]);
  });
});

function utf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf16le'));
}

describe('a file of cells with arbitrary line breaks', () => {
  const cells = [...CLASSIC.replaceAll('.', '0')];
  const layouts: Array<[name: string, puzzle: string]> = [
    ['one puzzle per line', `${cells.join(' ')}\n`],
    ['one cell per line', `${cells.join('\n')}\n`],
  ];
  it.each(layouts)('is detected by its head and read completely: %s', (_name, puzzle) => {
    const { records } = readText(puzzle.repeat(7000));
    expect(records).toHaveLength(7000);
    expect(records.every(({ grid }) => grid === cells.join(''))).toBe(true);
  });
});

describe('puzzles of another format than the specified one', () => {
  it.each(['tokens', 'csv', 'boxed'])('are rejected for their format, not as damaged: %s', (format) => {
    expect(readText(`${CLASSIC}\n`, { format }).detection).toMatchObject({
      kind: 'unreadable',
      error: { message: expect.stringMatching(`no puzzle in that format: expected the format ${format}`) },
    });
  });

  it.each(['csv', 'opensudoku'])('are rejected after a header of a text format: %s', (format) => {
    const text = `Grid 01\n${rows}\n`;
    expect(readText(text).detection).toMatchObject({ kind: 'puzzles', format: 'rows' });
    expect(readText(text, { format }).detection).toMatchObject({
      kind: 'unreadable',
      error: { code: 'no_puzzles' },
    });
  });
});
