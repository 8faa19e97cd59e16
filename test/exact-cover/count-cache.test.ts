import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountCache } from '../../lib/exact-cover/count-cache.ts';
import type { SolutionCount } from '../../lib/exact-cover/solution-count.ts';
import { propertyRuns } from '../support/depth.ts';

const MIB = 2 ** 20;

/** A key of few different words, so that keys occur again and share buckets. */
const key = (words: number) =>
  fc.array(fc.integer({ min: -9, max: 9 }), { minLength: words, maxLength: words });
const count: fc.Arbitrary<SolutionCount> = fc.oneof(
  fc.nat(),
  fc.constant(Number.MAX_SAFE_INTEGER),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 99n }),
);
const entries = fc
  .integer({ min: 1, max: 4 })
  .chain((words) =>
    fc.array(fc.tuple(key(words), count, fc.integer({ min: 1, max: 50 })), { minLength: 1, maxLength: 300 }),
  );

describe('the cache of counts', () => {
  test.each([
    ['that grows', MIB],
    ['that cannot grow', 0],
    ['that can hold some large counts', 3000],
  ])('%s has the latest count of a key, or none', (_name, maxBytes) => {
    fc.assert(
      fc.property(entries, (added) => {
        const cache = new CountCache(added[0][0].length, maxBytes);
        const known = new Map<string, [SolutionCount, number]>();
        for (const [words, value, nodes] of added) {
          const key = Int32Array.from(words);
          const name = words.join(' ');
          const slot = cache.slotOf(key);
          if (slot >= 0) expect([cache.countAt(slot), cache.nodesAt(slot)]).toEqual(known.get(name));
          else {
            cache.add(key, value, nodes);
            known.set(name, [value, nodes]);
          }
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('keeps nearly all entries while it grows, and no more bytes than allowed', () => {
    const cache = new CountCache(2, 256 * 1024);
    let found = 0;
    for (let k = 0; k < 12_000; k++) {
      cache.add(Int32Array.of(k, -k), k % 3 === 0 ? 2n ** 60n + BigInt(k) : k, 1 + (k % 7));
      if (k === 4000) for (let m = 0; m <= k; m++) if (cache.slotOf(Int32Array.of(m, -m)) >= 0) found++;
      expect(cache.bytes).toBeLessThanOrEqual(256 * 1024);
    }
    expect(found).toBeGreaterThan(3700);
  });

  test('forgets the entry with the fewest nodes of a full bucket', () => {
    const cache = new CountCache(1, 0);
    const important = Int32Array.of(1);
    cache.add(important, 5, 1000);
    for (let k = 2; k < 5000; k++) cache.add(Int32Array.of(k), k, 10);
    expect(cache.countAt(cache.slotOf(important))).toBe(5);
  });
});
