import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/depth.ts';
import { applyDamage, DAMAGE_KINDS, type Damage } from './damage-bytes.ts';
import { bytesOf, CLASSIC, readText } from './reading.ts';
import { WELL_FORMED } from './well-formed-files.ts';

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom(...DAMAGE_KINDS),
  // A double of fast-check's is nearly always next to nothing: the damage would be at the front.
  at: fc.nat(1_000_000).map((millionths) => millionths / 1_000_000),
  length: fc.integer({ min: 1, max: 30 }),
  byte: fc.nat(255),
});

/** Of each file; more than 10,000 in all deep tests. */
const RUNS = 10;

describe.each(Object.entries(WELL_FORMED))('%s with one damage', (_name, pieces) => {
  const text = pieces.join('');
  const bytes = bytesOf(text);
  const whole = readText(bytes).records;

  it('keeps every puzzle that is not next to it, and reads the same in any pieces', () => {
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), (what, cut) => {
        const { damaged, from, to } = applyDamage(bytes, what);
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
      { numRuns: propertyRuns(RUNS) },
    );
  });
});

/** Files with a puzzle a line. */
const LINES = [
  'lines',
  'lines, blanks that change',
  'labels',
  'expected results',
  'a puzzle bank',
  '4x4 lines',
  'jigsaws',
];

/** Numbers of the lines that are neither blank nor a comment nor a lone integer, which may be a count; zeros at the end of a line are dropped. */
function recordLines(bytes: Uint8Array): number[] {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll('\0', ' ')
    .split(/\r\n|\r|\n/)
    .flatMap((line, at) => (/^[ \t\v\f]*(#|;|\/\/|\d{0,9}[ \t\v\f]*$)/.test(line) ? [] : [at + 1]));
}

describe.each(LINES)('%s with one damage', (name) => {
  const bytes = bytesOf(WELL_FORMED[name].join(''));

  it('have one record for each line', () => {
    fc.assert(
      fc.property(damage, (what) => {
        const { damaged } = applyDamage(bytes, what);
        const { records } = readText(damaged);
        const read = records.filter(({ line, lineEnd }) => line === lineEnd).map(({ line }) => line);
        expect(records).toHaveLength(read.length);
        expect(read).toEqual(expect.arrayContaining(recordLines(damaged)));
        expect(read.length).toBeLessThanOrEqual(recordLines(damaged).length + 1);
      }),
      { numRuns: propertyRuns(RUNS) },
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
    for (const pieces of Object.values(WELL_FORMED)) {
      const { detection } = readText(new Uint8Array(encode(pieces.join(''))));
      expect(detection).toMatchObject({ error: { code: 'bad_encoding' } });
    }
  });
});

describe('arbitrary bytes', () => {
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
      { numRuns: propertyRuns(30) },
    );
  });
});
