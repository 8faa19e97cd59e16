import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalOptions,
  canonicalOptionTexts,
  OPTION_NAMES,
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

  it('have the names that uploads and the command line use', () => {
    expect([...OPTION_NAMES].sort()).toEqual([
      'alphabet',
      'box',
      'csv-safe',
      'engine',
      'format',
      'max-nodes',
      'output',
      'rate',
      'records',
      'solutions',
      'strict',
      'variant',
    ]);
  });

  it('rate only what is proven to have one solution', () => {
    const parsed = parseOptions({ rate: 'true', solutions: '1' });
    expect(parsed).toEqual({ errors: [expect.objectContaining({ code: 'bad_option', option: 'rate' })] });
    expect(parseOptions({ rate: 'true', solutions: '3' })).toMatchObject({ options: { rate: true } });
  });

  for (const [name, text, read] of [
    ['engine', 'bitboard', { engine: 'bitboard' }],
    ['format', 'line', { format: 'line' }],
    ['alphabet', 'ABCDEFGHIJKLMNOP', { alphabet: 'ABCDEFGHIJKLMNOP' }],
    ['variant', 'standard', { variant: 'standard' }],
    ['box', '2x3', { box: [2, 3] }],
    ['output', 'hdu', { output: 'hdu' }],
    ['solutions', '1', { solutions: 1 }],
    ['solutions', 'all', { solutions: Number.POSITIVE_INFINITY }],
    ['max-nodes', '1', { maxNodes: 1 }],
    ['max-nodes', '999999999999999', { maxNodes: 999_999_999_999_999 }],
    ['rate', 'true', { rate: true }],
    ['records', 'true', { records: true }],
    ['strict', 'true', { strict: true }],
    ['csv-safe', 'true', { csvSafe: true }],
  ] as const) {
    it(`accept ${name} ${text}`, () => {
      expect(parseOptions({ [name]: text })).toMatchObject({ options: read });
    });
  }

  it('of the caller override those of the stack', () => {
    const read = parseOptions({ engine: 'backtrack' }, { engine: 'bitboard', strict: 'true' });
    expect(read).toMatchObject({ options: { engine: 'backtrack', strict: true } });
  });
});

describe('an invalid option', () => {
  for (const [name, text, message] of [
    ['engine', 'quantum', 'option "engine" is "quantum": expected one of dlx, bitboard, backtrack'],
    [
      'engine',
      'bitmask',
      'option "engine" is "bitmask": this engine is gone: use dlx, bitboard, backtrack instead',
    ],
    ['solutions', '0', 'option "solutions" is "0": expected a whole number from 1 up, or all'],
    ['solutions', '-1', 'option "solutions" is "-1": expected a whole number from 1 up, or all'],
    ['solutions', '', 'option "solutions" is "": expected a whole number from 1 up, or all'],
    ['max-nodes', '1e6', 'option "max-nodes" is "1e6": expected a whole number from 1 up'],
    ['max-nodes', '0', 'option "max-nodes" is "0": expected a whole number from 1 up'],
    ['records', 'yes', 'option "records" is "yes": expected true or false'],
    ['strict', 'TRUE', 'option "strict" is "TRUE": expected true or false'],
    ['box', '2by3', 'option "box" is "2by3": expected rows x columns, such as 2x3'],
    ['box', '0x9', 'option "box" is "0x9": expected rows x columns, such as 2x3'],
  ] as const) {
    it(`is reported with the value found and the one expected: ${name} "${text}"`, () => {
      expect(parseOptions({ [name]: text })).toEqual({
        errors: [{ code: 'bad_option', option: name, found: text, message }],
      });
    });
  }

  it('is reported by its unknown name, with the valid names', () => {
    const message = `option "max-node" is unknown: expected one of ${OPTION_NAMES.join(', ')}`;
    expect(parseOptions({ 'max-node': '5' })).toEqual({
      errors: [{ code: 'bad_option', option: 'max-node', found: '5', message }],
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

  it('differs with every option', () => {
    const changed = [
      {},
      { engine: 'bitboard' },
      { format: 'line' },
      { alphabet: 'ABCDEFGHI' },
      { variant: 'standard' },
      { box: '2x3' },
      { box: '3x2' },
      { output: 'line' },
      { solutions: 'all' },
      { solutions: '2' },
      { 'max-nodes': '5' },
      { records: 'true' },
      { strict: 'true' },
    ].map((options) => canonicalOptions(optionsFrom(options as Record<string, string>)));
    expect(new Set(changed).size).toBe(changed.length);
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
