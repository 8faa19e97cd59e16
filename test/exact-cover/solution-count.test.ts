import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countJson, countOfJson, type SolutionCount, sumOf } from '../../lib/exact-cover/solution-count.ts';

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

const count: fc.Arbitrary<SolutionCount> = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 20n }),
    fc.bigInt({ min: MAX_EXACT - 9n, max: MAX_EXACT + 9n }),
    fc.bigInt({ min: 0n, max: 2n ** 130n }),
  )
  .map(canonical);

function canonical(value: bigint): SolutionCount {
  return value <= MAX_EXACT ? Number(value) : value;
}

describe('numbers of solutions', () => {
  test('are added exactly', () => {
    fc.assert(
      fc.property(count, count, (a, b) => {
        expect(sumOf(a, b)).toBe(canonical(BigInt(a) + BigInt(b)));
      }),
    );
  });

  test('are read from their JSON', () => {
    fc.assert(
      fc.property(count, (value) => {
        const json = JSON.parse(JSON.stringify(countJson(value)));
        expect(typeof json).toBe(typeof value === 'number' ? 'number' : 'string');
        expect(countOfJson(json)).toBe(value);
      }),
    );
  });

  test.each([
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    '5',
    '',
    '9007199254740991',
    '01234567890123456789',
    'x',
    null,
    [1],
  ])('are not read from %j', (json) => {
    expect(countOfJson(json)).toBeUndefined();
  });
});
