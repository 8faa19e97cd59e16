import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, CLASSIC, fixture, readText, rowsOf } from './reading.ts';
import { SAMURAI, SAMURAI_LINES, SAMURAI_TEXTS } from './samurai-texts.ts';

/** A puzzle above the map of its regions: the ordinary boxes. */
const MAPPED = `${rowsOf(CLASSIC).join('\n')}\n\n${['aaabbbccc', 'dddeeefff', 'ggghhhiii']
  .map((row) => `${row}\n`.repeat(3))
  .join('')}\n`;

/** Well-formed files, each a list of puzzles that stand apart from each other. */
const files: Record<string, string[]> = {
  lines: Array(12).fill(`${CLASSIC}\n`),
  rows: Array(6).fill(`${rowsOf(CLASSIC).join('\n')}\n\n`),
  tokens: fixture('hdu1426.txt')
    .split('\n\n')
    .flatMap((text) => Array(3).fill(`${text.trimEnd()}\n\n`)),
  drawn: Array(5).fill(`${fixture('simple-sudoku.ss').split('\n\n')[0]}\n\n`),
  headers: Array.from({ length: 5 }, (_, k) => `Grid ${k}\n${rowsOf(CLASSIC).join('\n')}\n\n`),
  '16x16': Array(4).fill(`${fixture('poj3076.txt')}\n`),
  samurais: Array(5).fill(`${SAMURAI_TEXTS['spaces in the gaps'](SAMURAI)}\n`),
  'drawn samurais': Array(5).fill(`${SAMURAI_TEXTS['lines around it'](SAMURAI)}\n`),
  'samurais on lines': Array(6).fill(SAMURAI_LINES['dots in the gaps'](SAMURAI)),
  jigsaws: Array(6).fill(MAPPED),
  table: ['id,puzzle\n', ...Array.from({ length: 8 }, (_, k) => `${k},${CLASSIC}\n`)],
};

/** What may happen to a file: a few bytes from `at` on. */
type Damage = {
  kind: 'flip' | 'cut' | 'double' | 'join' | 'insert';
  at: number;
  length: number;
  byte: number;
};

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom(
    'flip' as const,
    'cut' as const,
    'double' as const,
    'join' as const,
    'insert' as const,
  ),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 30 }),
  byte: fc.nat(255),
});

function apply(bytes: Uint8Array, { kind, at, length, byte }: Damage): { damaged: Uint8Array; from: number } {
  const from = Math.floor(at * (bytes.length - 1));
  const parts = (middle: Uint8Array, behind: number) => {
    const rest = bytes.subarray(Math.min(bytes.length, behind));
    const damaged = new Uint8Array(from + middle.length + rest.length);
    damaged.set(bytes.subarray(0, from));
    damaged.set(middle, from);
    damaged.set(rest, from + middle.length);
    return { damaged, from };
  };
  if (kind === 'flip') return parts(Uint8Array.of(byte), from + 1);
  if (kind === 'cut') return parts(new Uint8Array(0), from + length);
  if (kind === 'double') return parts(bytes.slice(from, from + length), from);
  if (kind === 'insert') return parts(Uint8Array.of(byte), from);
  const lineEnd = bytes.indexOf(10, from);
  return lineEnd < 0
    ? { damaged: bytes, from }
    : { damaged: Uint8Array.from(bytes.filter((_, index) => index !== lineEnd)), from: lineEnd };
}

describe.each(Object.entries(files))('%s with one damage', (_name, pieces) => {
  const text = pieces.join('');
  const bytes = bytesOf(text);
  const whole = readText(bytes).records;

  it('keeps every puzzle that is not next to it, and reads the same in any pieces', () => {
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), (what, cut) => {
        const { damaged, from } = apply(bytes, what);
        const { records } = readText(damaged);
        const grids = records.filter(({ notes }) => notes?.error === undefined).map(({ grid }) => grid);
        // The damaged puzzle and its neighbours: by their lines in the whole file.
        const line = new TextDecoder().decode(bytes.subarray(0, from)).split('\n').length;
        const hit = whole.findIndex(({ lineEnd }) => lineEnd >= line - 1);
        const before = whole.slice(0, Math.max(0, hit - 1)).map(({ grid }) => grid);
        const after = hit < 0 ? [] : whole.slice(hit + 3).map(({ grid }) => grid);
        expect(grids.slice(0, before.length)).toEqual(before);
        if (after.length > 0) expect(grids.slice(-after.length)).toEqual(after);
        expect(readText(damaged, {}, [Math.min(cut, damaged.length)]).records).toEqual(records);
      }),
      { numRuns: 300 },
    );
  });
});

describe('any bytes at all', () => {
  it('are read without a crash, the same in any pieces', () => {
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
