import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type JoinPiece, joinParts, sourceBytes } from '../../../../lib/batch/fan-out/merge/join-parts.ts';

const piece: fc.Arbitrary<JoinPiece> = fc.oneof(
  fc.nat(40).map((bytes) => new Uint8Array(bytes).fill(7)),
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(60) }),
);

it('holds every byte once, in order, in parts that are large enough', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      (pieces, minPartBytes) => {
        const parts = joinParts(pieces, minPartBytes);
        const slices = parts.flatMap((part) => (part.kind === 'copy' ? [part] : part.slices));
        for (const [k, part] of parts.entries()) {
          const bytes = (part.kind === 'copy' ? [part] : part.slices).reduce(
            (sum, slice) => sum + sourceBytes(slice),
            0,
          );
          if (k + 1 < parts.length) expect(bytes).toBeGreaterThanOrEqual(minPartBytes);
          else expect(bytes).toBeGreaterThan(0);
        }
        const expected = pieces.flatMap((whole): unknown[] =>
          whole instanceof Uint8Array
            ? [...whole]
            : Array.from({ length: whole.bytes }, (_, at) => `${whole.key}${at}`),
        );
        const found = slices.flatMap((slice): unknown[] =>
          slice instanceof Uint8Array
            ? [...slice]
            : Array.from({ length: slice.to - slice.from }, (_, k) => `${slice.key}${slice.from + k}`),
        );
        expect(found).toEqual(expected);
      },
    ),
  );
});

it.each([
  ['one large piece is copied', [{ key: 'a', bytes: 20 }], ['copy a 0-20']],
  [
    'small neighbours are gathered',
    [
      { key: 'a', bytes: 4 },
      { key: 'b', bytes: 7 },
    ],
    ['gather a 0-4, b 0-6', 'gather b 6-7'],
  ],
  [
    'a joint takes the front of the piece behind it',
    [{ key: 'a', bytes: 20 }, new Uint8Array(1), { key: 'b', bytes: 30 }],
    ['copy a 0-20', 'gather 1, b 0-9', 'copy b 9-30'],
  ],
  ['nothing gives no parts', [{ key: 'a', bytes: 0 }], []],
] satisfies [string, JoinPiece[], string[]][])('%s', (_name, pieces, expected) => {
  const shown = joinParts(pieces, 10).map((part) => {
    const slices = part.kind === 'copy' ? [part] : part.slices;
    return `${part.kind} ${slices.map((slice) => (slice instanceof Uint8Array ? slice.length : `${slice.key} ${slice.from}-${slice.to}`)).join(', ')}`;
  });
  expect(shown).toEqual(expected);
});
