/** The catalogue of formats, with what takes long on some cases of each layout; see `catalogue-invariants.ts`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PARSE_ERROR_CODES } from '../../lib/formats/records/record-block.ts';
import { propertyRuns } from '../support/depth.ts';
import { catalogue, escaped, parseCase, printCase } from './catalogue.ts';
import { testCatalogue } from './catalogue-invariants.ts';
import { bytesOf } from './reading.ts';

testCatalogue(false);

const CASES = catalogue();

describe('the catalogue', () => {
  it('has a case for each code of an error', () => {
    const all = CASES.flatMap(({ records }) => records).join('\n');
    expect(PARSE_ERROR_CODES.filter((code) => !all.includes(`"code":"${code}"`))).toEqual([]);
  });

  it.each(CASES.slice(0, 40))('is printed as it is: $name', (each) => {
    expect(parseCase(each.name, printCase(each))).toEqual(each);
  });

  it('keeps every byte and every line', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'binary' }).map(bytesOf),
      fc.string().map(bytesOf),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        const lines = ['title', '--- input', ...escaped(input), '--- records', ''];
        expect(Buffer.from(parseCase('name', lines.join('\n')).input)).toEqual(Buffer.from(input));
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});
