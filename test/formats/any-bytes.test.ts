/** Any bytes are read without an exception, the same in any chunks; full-width digits are read as digits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/depth.ts';
import { catalogue } from './catalogue.ts';
import { readText } from './reading.ts';

const CASES = catalogue().filter(({ input }) => input.length < 2000);

/** Bytes alone, or parts of files of the catalogue with others between them. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text)),
      fc
        .tuple(fc.nat(CASES.length - 1), fc.nat(), fc.nat(400))
        .map(([k, from, length]) =>
          CASES[k]!.input.subarray(from % CASES[k]!.input.length).subarray(0, length),
        ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

it('any bytes are read without an exception, and the same in any chunks', () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(2000), { maxLength: 4 }), (bytes, places) => {
      const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
      const whole = readText(bytes, {});
      expect(readText(bytes, {}, cuts)).toEqual(whole);
      const lines = bytes.filter((byte) => byte === 10 || byte === 13).length + 1;
      for (const { line, lineEnd } of whole.records) {
        expect(line).toBeGreaterThan(0);
        expect(lineEnd).toBeLessThanOrEqual(lines);
      }
    }),
    { numRuns: propertyRuns(40) },
  );
});

describe('digits are read alike in full width', () => {
  const plain = CASES.filter(
    ({ records, input, hints }) =>
      hints.format === undefined &&
      input.every((byte) => byte < 127 && !(byte >= 65 && byte <= 122)) &&
      records.every((record) => record.includes('"grid"') && !record.includes('"map"')),
  );
  it.each(plain.slice(0, 30))('$name', ({ input, hints }) => {
    const text = Buffer.from(input).toString();
    const wide = text.replace(/\d/g, (digit) => String.fromCodePoint(digit.charCodeAt(0) + 0xfee0));
    const grids = (each: string) => readText(Buffer.from(each), hints).records.map(({ grid }) => grid);
    expect(grids(wide)).toEqual(grids(text));
  });
});
