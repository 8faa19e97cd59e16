/** Each case of the catalogue of formats is read as its file says; the invariants hold for a case of each layout. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputProfile } from '../../lib/formats/formats.ts';
import { PARSE_ERROR_CODES } from '../../lib/formats/records/record-block.ts';
import { propertyRuns } from '../support/depth.ts';
import { catalogue, escaped, parseCase, printCase, recordLines } from './catalogue.ts';
import { testCatalogue } from './catalogue-invariants.ts';
import { bytesOf, readText, rewrite } from './reading.ts';

const CASES = catalogue();
const FOLDERS = Map.groupBy(CASES, ({ name }) => name.slice(0, name.indexOf('/')));

describe('each file is read as it says, and written', () => {
  it.each([...FOLDERS])('%s', (_folder, cases) => {
    for (const { name, input, hints, records, written } of cases) {
      const reading = readText(input, hints);
      expect.soft(recordLines(reading), name).toEqual(records);
      const errors = [
        ...reading.records.map(({ notes }) => notes?.error),
        ...reading.covers.map(({ error }) => error),
      ];
      for (const error of errors) {
        const { line, column, message = '' } = error ?? {};
        if (error !== undefined) expect.soft(message, name).toContain(`line ${line}, column ${column}: `);
      }
      for (const [profile, expected] of Object.entries(written)) {
        const now = rewrite(input, profile as OutputProfile, hints);
        expect.soft(now, `${name} as ${profile}`).toBe(expected);
      }
    }
  });
});

testCatalogue(false);

describe('the catalogue', () => {
  it('has a case for each code of an error', () => {
    const all = CASES.flatMap(({ records }) => records).join('\n');
    expect(PARSE_ERROR_CODES.filter((code) => !all.includes(`"code":"${code}"`))).toEqual([]);
  });

  it.each(CASES.filter((_, k) => k % 60 === 0))('is printed as it is: $name', (each) => {
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
