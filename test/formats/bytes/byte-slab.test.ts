import { expect, it } from 'vitest';
import { ByteSlab } from '../../../lib/formats/bytes/byte-slab.ts';

it('arrays of a slab do not overlap', () => {
  const slab = new ByteSlab();
  const lengths = [81, 0, 256, 40_000, 30_000, 81, 5000, 1];
  const arrays = lengths.map((length, k) => slab.copy(new Uint8Array(length + 2).fill(k + 1), 1, length + 1));
  expect(arrays.map(({ length }) => length)).toEqual(lengths);
  for (const [k, array] of arrays.entries()) expect(array.every((byte) => byte === k + 1)).toBe(true);
});
