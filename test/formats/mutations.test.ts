import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, fixture, readText, rowsOf } from './reading.ts';
import { SAMURAI, SAMURAI_LINES, SAMURAI_TEXTS } from './samurai-texts.ts';

/** A puzzle with its region map: the ordinary boxes. */
const MAPPED = `${rowsOf(CLASSIC).join('\n')}\n\n${['aaabbbccc', 'dddeeefff', 'ggghhhiii']
  .map((row) => `${row}\n`.repeat(3))
  .join('')}\n`;

const tokens = fixture('hdu1426.txt').split('\n\n');
const board = JSON.stringify(rowsOf(CLASSIC).map((row) => [...row]));
const MAP = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);
const FOUR = ['1..4..2..3..4..1', '..4..2..3..4..1.', '.1..3..4..2..1..'];

/** Well-formed files of every format, each a list of puzzles that stand apart from each other. */
const files: Record<string, string[]> = {
  lines: Array(12).fill(`${CLASSIC}\n`),
  'lines, blanks that change': Array.from(
    { length: 12 },
    (_, k) => `${CLASSIC.replaceAll('.', '.0*'[k % 3])}\n`,
  ),
  labels: Array.from({ length: 10 }, (_, k) => `${CLASSIC} number ${k}, easy\n`),
  'expected results': Array(8).fill(`${CLASSIC}:1:${CLASSIC_SOLUTION}\n`),
  'a puzzle bank': Array.from({ length: 8 }, (_, k) => `0000183b305${k} ${CLASSIC}  1.${k}\n`),
  '4x4 lines': Array.from({ length: 20 }, (_, k) => `${FOUR[k % 3]}\n`),
  rows: Array(6).fill(`${rowsOf(CLASSIC).join('\n')}\n\n`),
  tokens: tokens.flatMap((text) => Array(3).fill(`${text.trimEnd()}\n\n`)),
  'size first': Array(5).fill(`9\n${tokens[0].trimEnd().replaceAll('?', '0')}\n\n`),
  'Simple Sudoku': Array(5).fill(`${fixture('simple-sudoku.ss').split('\n\n')[0]}\n\n`),
  boxed: Array(5).fill(`${fixture('boxed.txt').split('\n\n')[0]}\n\n`),
  headers: Array.from({ length: 5 }, (_, k) => `Grid ${k}\n${rowsOf(CLASSIC).join('\n')}\n\n`),
  sections: Array(5).fill(`#ASomeone\n[Puzzle]\n${rowsOf(CLASSIC).join('\n')}\n\n`),
  '16x16': Array(4).fill(`${fixture('poj3076.txt')}\n`),
  'lines, blanks that are spaces': Array(10).fill(`${CLASSIC.replaceAll('.', ' ')}\n`),
  'rows, blanks that are spaces': Array(6).fill(`${rowsOf(CLASSIC.replaceAll('.', ' ')).join('\n')}\n\n`),
  'candidates in columns': Array(5).fill(`${drawnMarks()}\n`),
  samurais: Array(5).fill(`${SAMURAI_TEXTS['spaces in the gaps'](SAMURAI)}\n`),
  'drawn samurais': Array(5).fill(`${SAMURAI_TEXTS['lines around it'](SAMURAI)}\n`),
  'samurais on lines': Array(6).fill(SAMURAI_LINES['dots in the gaps'](SAMURAI)),
  'jigsaws above their maps': Array(6).fill(MAPPED),
  jigsaws: Array(8).fill(`${CLASSIC}${MAP}\n`),
  walls: Array(5).fill(`${walled(CLASSIC)}\n\n`),
  table: ['id,puzzle\n', ...Array.from({ length: 8 }, (_, k) => `${k},${CLASSIC}\n`)],
  'table with solutions': [
    'quizzes,solutions\n',
    ...Array.from({ length: 8 }, () => `${CLASSIC},${CLASSIC_SOLUTION}\n`),
  ],
  'JSON, a board a line': Array(6).fill(`${board}\n`),
  'JSON objects': Array.from({ length: 8 }, (_, k) => `${JSON.stringify({ id: k, puzzle: CLASSIC })}\n`),
  OpenSudoku: [
    '<?xml version="1.0"?>\n<opensudoku>\n',
    ...Array(8).fill(`<game data="${CLASSIC.replaceAll('.', '0')}" />\n`),
    '</opensudoku>\n',
  ],
};

/** A drawing of candidates, in a frame. */
function drawnMarks(): string {
  const row = `| ${['1    ', '23   ', '456  '].join(' ')} | 789   12    3     | 45    6     13579 |\n`;
  return ['.---.\n', row.repeat(3), ':---:\n', row.repeat(3), ':---:\n', row.repeat(3), '.---.\n']
    .join('')
    .replaceAll('---', '-'.repeat(40));
}

/** The numbers of HDU 4069: the digits, and the walls of the boxes. */
function walled(line: string): string {
  const cells = Array.from(line, (cell, at) => {
    const [row, column] = [Math.floor(at / 9) % 3, at % 3];
    const walls = [row === 0 ? 16 : 0, column === 2 ? 32 : 0, row === 2 ? 64 : 0, column === 0 ? 128 : 0];
    return walls.reduce((sum, wall) => sum + wall, cell === '.' ? 0 : Number(cell));
  });
  return Array.from({ length: 9 }, (_, row) => cells.slice(row * 9, row * 9 + 9).join(' ')).join('\n');
}

/** What may happen to a file: to a few bytes from `at` on, or to a line and its end. */
const KINDS = [
  'flip',
  'cut',
  'double',
  'insert',
  'join lines',
  'cut a line',
  'double a line',
  'UTF-16',
  'Latin-1',
] as const;

type Damage = { kind: (typeof KINDS)[number]; at: number; length: number; byte: number };

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom(...KINDS),
  // A double of fast-check's is nearly always next to nothing: the damage would be at the front.
  at: fc.nat(1_000_000).map((millionths) => millionths / 1_000_000),
  length: fc.integer({ min: 1, max: 30 }),
  byte: fc.nat(255),
});

/** The damaged bytes, and what of the whole ones is damaged, `to` exclusive. */
function apply(
  bytes: Uint8Array,
  { kind, at, length, byte }: Damage,
): { damaged: Uint8Array; from: number; to: number } {
  const from = Math.floor(at * (bytes.length - 1));
  const lineStart = bytes.lastIndexOf(10, Math.max(0, from - 1)) + 1;
  const lineEnd = bytes.indexOf(10, from);
  const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
  const replaced = (start: number, stop: number, middle: Uint8Array) => ({
    damaged: new Uint8Array(Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(stop)])),
    from: start,
    to: Math.min(stop, bytes.length),
  });
  const part = bytes.subarray(from, from + length);
  switch (kind) {
    case 'flip':
      return replaced(from, from + 1, Uint8Array.of(byte));
    case 'cut':
      return replaced(from, from + length, new Uint8Array(0));
    case 'double':
      return replaced(from, from, part);
    case 'insert':
      return replaced(from, from, Uint8Array.of(byte));
    case 'join lines':
      return lineEnd < 0
        ? { damaged: bytes, from, to: from }
        : replaced(lineEnd, lineEnd + 1, new Uint8Array(0));
    case 'cut a line':
      return replaced(lineStart, end, new Uint8Array(0));
    case 'double a line':
      return replaced(lineStart, lineStart, bytes.subarray(lineStart, end));
    case 'UTF-16':
      return replaced(
        from,
        from + length,
        new Uint8Array(Buffer.from(Buffer.from(part).toString(), 'utf16le')),
      );
    case 'Latin-1':
      return replaced(from, from, new Uint8Array(Buffer.from('é', 'latin1')));
  }
}

/** Of each file; more than 10,000 in all. */
const RUNS = 500;

describe.each(Object.entries(files))('%s with one damage', (_name, pieces) => {
  const text = pieces.join('');
  const bytes = bytesOf(text);
  const whole = readText(bytes).records;

  it('keeps every puzzle that is not next to it, and reads the same with any chunk boundaries', () => {
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), (what, cut) => {
        const { damaged, from, to } = apply(bytes, what);
        const { records } = readText(damaged);
        const grids = records.filter(({ notes }) => notes?.error === undefined).map(({ grid }) => grid);
        // The damaged puzzle and its neighbours: by their lines in the whole file.
        const lineAt = (end: number) => new TextDecoder().decode(bytes.subarray(0, end)).split('\n').length;
        const first = whole.findIndex(({ lineEnd }) => lineEnd >= lineAt(from) - 1);
        const last = whole.findLastIndex((record) => record.line <= lineAt(to));
        const before = whole.slice(0, Math.max(0, first - 1)).map(({ grid }) => grid);
        const after = first < 0 ? [] : whole.slice(Math.max(first + 3, last + 2)).map(({ grid }) => grid);
        expect(grids.slice(0, before.length)).toEqual(before);
        if (after.length > 0) expect(grids.slice(-after.length)).toEqual(after);
        expect(readText(damaged, {}, [Math.min(cut, damaged.length)]).records).toEqual(records);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a whole file in another encoding', () => {
  const encodings: Array<[name: string, encode: (text: string) => Uint8Array]> = [
    ['UTF-16, little end first', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16, big end first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-32', (text) => Uint8Array.from([...text].flatMap((sign) => [sign.charCodeAt(0), 0, 0, 0]))],
  ];
  it.each(encodings)('is rejected by name: %s', (_name, encode) => {
    for (const pieces of Object.values(files)) {
      const { detection } = readText(new Uint8Array(encode(pieces.join(''))));
      expect(detection).toMatchObject({ error: { code: 'bad_encoding' } });
    }
  });
});

describe('any bytes at all', () => {
  it('are read without a crash, the same with any chunk boundaries', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .string({ unit: fc.constantFrom(...'0123456789.?#|-+*[]{}",:;AXab \n\r\t'), maxLength: 400 })
        .map(bytesOf),
    );
    fc.assert(
      fc.property(anything, fc.nat(400), (bytes, cut) => {
        const text = new Uint8Array([...bytesOf(`${CLASSIC}\n`), ...bytes]);
        expect(readText(text, {}, [Math.min(cut, text.length)])).toEqual(readText(text));
      }),
      { numRuns: 500 },
    );
  });
});
