import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copiedRange, type JoinInput, joinParts, sourceBytes } from '../../../lib/batch/large/join.ts';

const input: fc.Arbitrary<JoinInput> = fc.oneof(
  fc.nat(40).map((bytes) => new Uint8Array(bytes).fill(7)),
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(60) }),
);

it('contains every byte once, in order, in parts that are large enough', () => {
  fc.assert(
    fc.property(
      fc.array(input, { maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      (inputs, minPartBytes) => {
        const parts = joinParts(inputs, minPartBytes);
        const sources = parts.flat();
        for (const [k, part] of parts.entries()) {
          const bytes = part.reduce((sum, source) => sum + sourceBytes(source), 0);
          if (k + 1 < parts.length) expect(bytes).toBeGreaterThanOrEqual(minPartBytes);
          else expect(bytes).toBeGreaterThan(0);
        }
        const expected = inputs.flatMap((whole): unknown[] =>
          whole instanceof Uint8Array
            ? [...whole]
            : Array.from({ length: whole.bytes }, (_, at) => `${whole.key}${at}`),
        );
        const found = sources.flatMap((source): unknown[] =>
          source instanceof Uint8Array
            ? [...source]
            : Array.from({ length: source.to - source.from }, (_, k) => `${source.key}${source.from + k}`),
        );
        expect(found).toEqual(expected);
      },
    ),
  );
});

it.each([
  ['one large input is copied', [{ key: 'a', bytes: 20 }], ['copy a 0-20']],
  [
    'small neighbours are gathered',
    [
      { key: 'a', bytes: 4 },
      { key: 'b', bytes: 7 },
    ],
    ['gather a 0-4, b 0-6', 'gather b 6-7'],
  ],
  [
    'a separator takes the first bytes of the next input',
    [{ key: 'a', bytes: 20 }, new Uint8Array(1), { key: 'b', bytes: 30 }],
    ['copy a 0-20', 'gather 1, b 0-9', 'copy b 9-30'],
  ],
  ['an empty file has no parts', [{ key: 'a', bytes: 0 }], []],
] satisfies [string, JoinInput[], string[]][])('%s', (_name, inputs, expected) => {
  const shown = joinParts(inputs, 10).map((part) => {
    const how = copiedRange(part, 10) === undefined ? 'gather' : 'copy';
    return `${how} ${part.map((source) => (source instanceof Uint8Array ? source.length : `${source.key} ${source.from}-${source.to}`)).join(', ')}`;
  });
  expect(shown).toEqual(expected);
});
