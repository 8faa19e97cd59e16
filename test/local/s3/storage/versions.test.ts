import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  newVersionId,
  nextSequence,
  sequenceOfVersionId,
  sequencerOf,
} from '../../../../lib/local/s3/storage/versions.ts';

/** 2026 in milliseconds since 1970. */
const NOW_MS = Date.UTC(2026, 0, 1);
const YEAR_2200_MS = Date.UTC(2200, 0, 1);

test.for([
  ['a moment later', NOW_MS + 1],
  ['in the same millisecond', NOW_MS],
  ['after the clock was set back an hour', NOW_MS - 3_600_000],
] as const)('a sequence increases %s', ([, laterMs]) => {
  const first = nextSequence(0, NOW_MS);
  expect(nextSequence(first, laterMs)).toBeGreaterThan(first);
});

const sequence = fc.integer({ min: 1, max: YEAR_2200_MS * 1000 });

test('a version id contains its sequence, and is unique', () => {
  fc.assert(
    fc.property(sequence, (value) => {
      const ids = [newVersionId(value), newVersionId(value)];
      expect(ids.map(sequenceOfVersionId)).toEqual([value, value]);
      expect(new Set(ids).size).toBe(2);
    }),
  );
});

test('sequencers sort as text in the order of their sequences', () => {
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      expect(sequencerOf(a) < sequencerOf(b)).toBe(a < b);
    }),
  );
});

test.for(['', 'null', 'a', 'x'.repeat(33), `${'x'.repeat(31)}!`, '_'.repeat(32)])(
  '%s is not a version id',
  (text) => {
    expect(sequenceOfVersionId(text)).toBeUndefined();
  },
);
