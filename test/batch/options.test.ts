import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalOptions,
  canonicalOptionTexts,
  optionsFromCanonical,
  parseOptions,
} from '../../lib/batch/options.ts';
import { optionsFrom } from '../support/dependencies.ts';

describe('the options', () => {
  it('default if they are not set', () => {
    expect(parseOptions({})).toEqual({
      options: {
        engine: 'dlx',
        output: 'same',
        solutions: 2,
        maxNodes: 50_000_000,
        rate: false,
        records: false,
        strict: false,
        csvSafe: false,
      },
    });
  });

  it('accept what they may be', () => {
    const texts = {
      engine: 'bitboard',
      format: 'line',
      variant: 'standard',
      box: '2x3',
      output: 'hdu',
      solutions: 'all',
      'max-nodes': '999999999999999',
      records: 'true',
      strict: 'true',
      'csv-safe': 'true',
      rate: 'true',
    };
    expect(parseOptions(texts)).toEqual({
      options: {
        engine: 'bitboard',
        format: 'line',
        variant: 'standard',
        box: [2, 3],
        output: 'hdu',
        solutions: Number.POSITIVE_INFINITY,
        maxNodes: 999_999_999_999_999,
        records: true,
        strict: true,
        csvSafe: true,
        rate: true,
      },
    });
  });

  it('rate only what is proven to have one solution', () => {
    const parsed = parseOptions({ rate: 'true', solutions: '1' });
    expect(parsed).toEqual({ errors: [expect.objectContaining({ code: 'bad_option', option: 'rate' })] });
    expect(parseOptions({ rate: 'true', solutions: '3' })).toMatchObject({ options: { rate: true } });
  });

  it('of the caller override those of the stack', () => {
    const read = parseOptions({ engine: 'backtrack' }, { engine: 'bitboard', strict: 'true' });
    expect(read).toMatchObject({ options: { engine: 'backtrack', strict: true } });
  });
});

describe('an invalid option', () => {
  it.each([
    ['engine', 'bitmask', 'this engine is gone: use dlx, bitboard, backtrack instead'],
    ['solutions', '0', 'expected a whole number from 1 up, or all'],
    ['solutions', '', 'expected a whole number from 1 up, or all'],
    ['max-nodes', '1e6', 'expected a whole number from 1 up'],
    ['max-nodes', '0', 'expected a whole number from 1 up'],
    ['strict', 'TRUE', 'expected true or false'],
    ['box', '0x9', 'expected rows x columns, such as 2x3'],
  ])('is reported with the value found and the one expected: %s "%s"', (option, found, expected) => {
    const message = `option "${option}" is "${found}": ${expected}`;
    expect(parseOptions({ [option]: found })).toEqual({
      errors: [{ code: 'bad_option', option, found, message }],
    });
  });

  it('is reported together with all others', () => {
    const read = parseOptions({ speed: 'fast', colour: 'red', solutions: 'two', strict: 'no' });
    const names = 'errors' in read ? read.errors.map(({ option }) => option) : [];
    expect(names.sort()).toEqual(['colour', 'solutions', 'speed', 'strict']);
  });

  it('is reported for the defaults of the stack too', () => {
    expect(parseOptions({}, { engine: 'quantum' })).toMatchObject({
      errors: [{ option: 'engine', found: 'quantum' }],
    });
  });
});

describe('the canonical form', () => {
  const texts = fc.record(
    {
      engine: fc.constantFrom('dlx', 'bitboard'),
      box: fc.constantFrom('2x3', '3x2'),
      output: fc.constantFrom('same', 'line'),
      solutions: fc.constantFrom('1', '2', 'all'),
      'max-nodes': fc.constantFrom('5', '50000000'),
      records: fc.constantFrom('true', 'false'),
      strict: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [] },
  );

  it('does not depend on the order of the options, nor on which of them are defaults', () => {
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.boolean()), (all, stream) => {
        const entries = Object.entries(all);
        const reversed = Object.fromEntries([...entries].reverse());
        const byCaller: Record<string, string> = {};
        const byStack: Record<string, string> = {};
        for (const [name, text] of entries) (stream.next().value ? byCaller : byStack)[name] = text!;
        const expected = canonicalOptions(optionsFrom(all as Record<string, string>));
        expect(canonicalOptions(optionsFrom(reversed as Record<string, string>))).toBe(expected);
        const merged = parseOptions(byCaller, byStack);
        expect('options' in merged && canonicalOptions(merged.options)).toBe(expected);
      }),
    );
  });

  it('is the same whether a default is explicit or not, but for two solutions, which are then both written', () => {
    expect(canonicalOptions(optionsFrom({ engine: 'dlx', strict: 'false' }))).toBe(
      canonicalOptions(optionsFrom()),
    );
    for (const solutions of [undefined, '2', '3']) {
      const options = optionsFrom(solutions === undefined ? {} : { solutions });
      expect(optionsFromCanonical(canonicalOptions(options))).toEqual(options);
    }
  });

  it('is JSON under the names of the command line', () => {
    expect(canonicalOptions(optionsFrom({ solutions: 'all', box: '2x3' }))).toBe(
      '{"engine":"dlx","box":"2x3","output":"same","solutions":"all","max-nodes":50000000,"records":false,"strict":false}',
    );
  });

  it('of invalid texts does not depend on their order', () => {
    expect(canonicalOptionTexts({ b: '2', a: '1' })).toBe(canonicalOptionTexts({ a: '1', b: '2' }));
    expect(canonicalOptionTexts({ a: '1', b: '2' })).not.toBe(canonicalOptionTexts({ a: '2', b: '1' }));
  });
});
