/** Digits from 0: decided for each size from the head of a file. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormatHints } from '../../../lib/formats/reader.ts';
import { propertyRuns } from '../../support/depth.ts';
import { CLASSIC, fixture, type ReadRecord, readText, rewrite, rowsOf } from '../reading.ts';

const SIXTEEN = fixture('poj3076.txt').replaceAll('\n', '').replaceAll('-', '.');
const ONE_BASED: Readonly<Record<number, string>> = {
  4: '1..4..2..3..4..1',
  6: '25...661.52..4..15........1..2.3..41',
  9: CLASSIC,
};

/** The cells of a puzzle with digits from 0. */
const SYMBOLS = '0123456789ABCDEF';
const ZERO_BASED: Readonly<Record<number, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(ONE_BASED).map(([size, text]) => [
      size,
      Array.from(text, (cell) => (cell === '.' ? cell : SYMBOLS[Number(cell) - 1])),
    ]),
  ),
  16: Array.from(SIXTEEN, (cell) => (cell === '.' ? cell : SYMBOLS[cell.charCodeAt(0) - 65])),
};
const SIZES = [4, 6, 9, 16];

const blanked = (cells: readonly string[], blank: string) =>
  cells.map((cell) => (cell === '.' ? blank : cell));
const rows = (cells: readonly string[], between: string) => {
  const size = Math.sqrt(cells.length);
  return Array.from({ length: size }, (_, row) => cells.slice(row * size, row * size + size).join(between));
};

/** Layouts of a file of `count` copies. */
const LAYOUTS: Readonly<Record<string, (cells: readonly string[], count: number) => string>> = {
  lines: (cells, count) => `${cells.join('')}\n`.repeat(count),
  rows: (cells, count) => `${rows(cells, '').join('\n')}\n\n`.repeat(count),
  tokens: (cells, count) => `${rows(cells, ' ').join('\n')}\n\n`.repeat(count),
  'a table': (cells, count) => `puzzle,name\n${`${cells.join('')},x\n`.repeat(count)}`,
  'JSON strings': (cells, count) => JSON.stringify(Array(count).fill(rows(cells, ''))),
};

/** What a test may compare of records with any blank. */
const gridsOf = (records: readonly ReadRecord[]) =>
  records.map(({ grid, blank, notes }) => [
    grid.replaceAll(' ', '').replaceAll(blank, '.'),
    notes?.error ?? notes?.warnings,
  ]);

describe.each(Object.entries(LAYOUTS))('digits from 0 in %s', (name, write) => {
  const blanks = [...'._*?x-', ...(name === 'tokens' ? ['-1'] : [])];
  const cases = SIZES.flatMap((size) =>
    blanks.flatMap((blank) => [1, 2, 200].map((count): [number, string, number] => [size, blank, count])),
  );
  it.each(cases)('are read: %ix, blank %s, %i puzzles', (size, blank, count) => {
    const cells = ZERO_BASED[size];
    const { detection, records } = readText(write(blanked(cells, blank), count));
    expect(detection).toMatchObject({ settings: { alphabets: { [size]: SYMBOLS.slice(0, size) } } });
    expect(gridsOf(records)).toEqual(Array(count).fill([cells.join(''), undefined]));
  });
});

describe('digits from 0', () => {
  it('are read from numbers in JSON, blank null, an empty text or -1', () => {
    for (const blank of [null, '', -1]) {
      const board = rows(ZERO_BASED[9], ',').map((row) =>
        row.split(',').map((cell) => (cell === '.' ? blank : Number(cell))),
      );
      const { records } = readText(JSON.stringify([board, board]));
      expect(gridsOf(records)).toEqual(Array(2).fill([ZERO_BASED[9].join(''), undefined]));
    }
  });

  it('are read with decimal numbers and -1 as 0-15', () => {
    const cells = ZERO_BASED[16].map((cell) => (cell === '.' ? '-1' : String(Number.parseInt(cell, 16))));
    const text = `${rows(cells, ' ').join('\n')}\n`;
    expect(readText(text).records).toMatchObject([{ alphabet: '0-15', blank: '-1', notes: undefined }]);
  });

  it('are those of the solutions', () => {
    const text = LAYOUTS.lines(ZERO_BASED[9], 2);
    expect(rewrite(text, 'same').split('\n')[0]).toBe(ZERO_BASED[9].join('').replaceAll('.', ' '));
  });

  it('are those of expected solutions in the file', () => {
    const solution =
      '423567801561084237087231456748650312315742680602813745850426173176308524234175068'.slice(0, 81);
    const { records } = readText(`puzzle,solution\n${ZERO_BASED[9].join('')},${solution}\n`);
    const values = Array.from(solution, (digit) => Number(digit) + 1);
    expect([...(records[0].notes?.expected?.solution ?? [])]).toEqual(values);
  });

  it('are read next to puzzles of other sizes, which keep theirs', () => {
    const { records } = readText(`${ZERO_BASED[9].join('')}\n${ONE_BASED[6]}\n${ONE_BASED[4]}\n`);
    expect(records.map(({ alphabet }) => alphabet)).toEqual(['0-8', '1-6', '1-4']);
  });

  it('are decided by most puzzles: a damaged one is an error', () => {
    const nine = ZERO_BASED[9].join('');
    const { records } = readText(
      `${`${nine}\n`.repeat(4)}${nine.replace('2', '9')}\n${`${nine}\n`.repeat(4)}`,
    );
    expect(records.flatMap(({ line, notes }) => (notes?.error ? [[line, notes.error.code]] : []))).toEqual([
      [5, 'symbol_out_of_range'],
    ]);
    expect(records.filter(({ line }) => line !== 5).map(({ grid }) => grid)).toEqual(Array(8).fill(nine));
    expect(records[4].notes?.error?.message).toContain('--alphabet 123456789');
  });

  it('are read the same in any pieces', () => {
    const text = `${LAYOUTS.lines(ZERO_BASED[9], 80)}\n${LAYOUTS.rows(ZERO_BASED[9], 3)}`;
    const whole = readText(text);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        expect(
          readText(
            text,
            {},
            cuts.sort((a, b) => a - b),
          ),
        ).toEqual(whole);
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});

describe('0 as a blank', () => {
  const cases: Array<[name: string, text: string]> = [
    ['it is the only one', CLASSIC.replaceAll('.', '0')],
    ['it is the only one, and there is no 9', CLASSIC.replaceAll('.', '0').replaceAll('9', '0')],
    ['another blank and the digit 9 occur', CLASSIC.replace('.', '0')],
    [
      'there are more zeros than a digit has cells',
      CLASSIC.replaceAll('9', '.').replace(/^(.{40}).*$/, (_, front) =>
        front.replaceAll('.', '0').padEnd(81, '.'),
      ),
    ],
    ['it is in labels alone', `${CLASSIC.replaceAll('9', '.')} 0 of 10`],
    ['other puzzles of the file have a 9', `${CLASSIC.replaceAll('9', '.').replace('.', '0')}\n${CLASSIC}`],
  ];
  it.each(cases)('is one if %s', (_name, text) => {
    for (const { alphabet, notes } of readText(`${text}\n`).records) {
      expect([alphabet, notes?.error, notes?.warnings]).toEqual(['1-9', undefined, undefined]);
    }
    expect(readText(`${text}\n`).records.length).toBeGreaterThan(0);
  });

  it('mixed with others is read as fast as before: not puzzle by puzzle', () => {
    const mixed = `${CLASSIC.replace('.', '0')}\n`.repeat(500);
    expect(readText(mixed).records.map(({ alphabet }) => alphabet)).toEqual(Array(500).fill('1-9'));
  });
});

describe('a 0 that may be a digit or a blank', () => {
  const few = '012.'.padEnd(81, '.');
  const refused: Array<[name: string, text: string, size: number]> = [
    ['on a line', `${few}\n`, 9],
    ['in rows', `${rowsOf(few).join('\n')}\n`, 9],
    ['in a table', `puzzle,name\n${few},x\n${few},y\n`, 9],
    ['in JSON', JSON.stringify([rowsOf(few)]), 9],
    ['in half of the puzzles', `${ZERO_BASED[9].join('')}\n${CLASSIC}\n${ZERO_BASED[9].join('')}\n`, 9],
    ['in a 6x6', `${'01'.padEnd(36, '-')}\n`, 6],
  ];
  it.each(refused)('is refused, and both alphabets are named: %s', (_name, text, size) => {
    const { detection } = readText(text);
    expect(detection).toMatchObject({ kind: 'unreadable', error: { code: 'ambiguous_alphabet' } });
    const message = detection.kind === 'unreadable' ? detection.error.message : '';
    const alphabets = ['0123456789'.slice(0, size), '123456789'.slice(0, size)];
    for (const alphabet of alphabets) {
      expect(message).toContain(`--alphabet ${alphabet}`);
      const hints: FormatHints = { alphabet };
      expect(readText(text, hints).records.some(({ notes }) => notes?.error === undefined)).toBe(true);
    }
  });

  it('is refused alone if the file has puzzles of other sizes', () => {
    const { records } = readText(`${few}\n${ONE_BASED[6]}\n${few}\n`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      'ambiguous_alphabet',
      undefined,
      'ambiguous_alphabet',
    ]);
    expect(records[0].notes?.error?.message).toContain('--alphabet 012345678');
  });
});
