import { describe, expect, it } from 'vitest';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';

/** sfc32 from its definition, in unbounded integers. */
function* sfc32(seed: bigint): Generator<number> {
  const word = (value: bigint) => BigInt.asUintN(32, value);
  let [a, b, c, counter] = [0n, word(seed), word(seed >> 32n), 1n];
  for (let round = 1; ; round++) {
    const result = word(a + b + counter);
    [a, b, c, counter] = [
      b ^ (b >> 9n),
      word(c * 9n),
      word(((c << 21n) | (c >> 11n)) + result),
      counter + 1n,
    ];
    if (round > 12) yield Number(result);
  }
}

describe('a random source', () => {
  it.each([0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])('gives the numbers of sfc32 for seed %i', (seed) => {
    const random = new RandomSource(seed);
    const reference = sfc32(BigInt(seed));
    for (let k = 0; k < 1000; k++) expect(random.next()).toBe(reference.next().value);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('rejects the seed %d', (seed) => {
    expect(() => new RandomSource(seed)).toThrow(`seed ${seed} is out of range`);
  });

  it('draws every number below a bound with equal probability', () => {
    const random = new RandomSource(7);
    const drawn = new Int32Array(6);
    for (let k = 0; k < 60_000; k++) drawn[random.below(6)]++;
    for (const count of drawn) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('draws numbers again that would favour small ones', () => {
    // Two thirds of all 32-bit words are below this bound; modulo alone would give the lower half twice as often.
    const bound = 2 ** 31 + 2 ** 30;
    const random = new RandomSource(7);
    let low = 0;
    for (let k = 0; k < 10_000; k++) if (random.below(bound) < bound / 2) low++;
    expect(Math.abs(low - 5000)).toBeLessThan(250);
  });

  it.each([2n ** 53n, 2n ** 64n, 3n * 2n ** 70n + 1n])('draws evenly below %i, of any size', (bound) => {
    const random = new RandomSource(7);
    const quarters = [0, 0, 0, 0];
    for (let k = 0; k < 4000; k++) {
      const drawn = random.belowLarge(bound);
      expect(drawn < bound && drawn >= 0).toBe(true);
      expect(typeof drawn).toBe(drawn <= Number.MAX_SAFE_INTEGER ? 'number' : 'bigint');
      quarters[Number((BigInt(drawn) * 4n) / bound)]++;
    }
    for (const count of quarters) expect(Math.abs(count - 1000)).toBeLessThan(137);
    const small = new RandomSource(7);
    const same = new RandomSource(7);
    expect(small.belowLarge(6n)).toBe(same.below(6));
  });

  it('permutes: every number once, each order with equal probability', () => {
    const random = new RandomSource(7);
    const seen = new Map<string, number>();
    for (let k = 0; k < 6000; k++) {
      const order = random.permutation(3).join('');
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(['012', '021', '102', '120', '201', '210']);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
