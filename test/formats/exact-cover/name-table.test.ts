import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../../lib/formats/exact-cover/name-table.ts';
import { bytesOf } from '../reading.ts';

describe('a table of names', () => {
  it('numbers names in order, like a map of strings', () => {
    const names = fc.array(fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', 'é') }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(names, names, (added, asked) => {
        const table = new NameTable();
        const map = new Map<string, number>();
        for (const name of added) {
          if (!map.has(name)) map.set(name, map.size);
          expect(table.add(...placed(name))).toBe(map.get(name));
        }
        expect(table.count).toBe(map.size);
        for (const name of asked) expect(table.find(...placed(name))).toBe(map.get(name) ?? -1);
      }),
    );
  });

  it('grows beyond its initial capacity', () => {
    const table = new NameTable();
    for (let k = 0; k < 10_000; k++) table.add(...placed(`name ${k}`));
    const numbers = Array.from({ length: 10_000 }, (_, k) => table.find(...placed(`name ${k}`)));
    expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, k) => k));
  });
});

/** A name between other bytes. */
function placed(name: string): [bytes: Uint8Array, from: number, to: number] {
  const bytes = bytesOf(`x${name}y`);
  return [bytes, 1, bytes.length - 1];
}
