import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../../../lib/batch/storage/key-order.ts';
import { SortedKeys } from '../../../../lib/local/s3/storage/sorted-keys.ts';
import { codePoint } from '../../../support/code-points.ts';

/** Strings whose order differs between UTF-8 and UTF-16, and arbitrary ones. */
const anyKey = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '/', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    maxLength: 5,
  }),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

test('two keys compare like their UTF-8 bytes', () => {
  fc.assert(
    fc.property(anyKey, anyKey, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('keys added and removed in any order are sorted and distinct', () => {
  fc.assert(
    fc.property(fc.array(anyKey), fc.array(anyKey), (added, removed) => {
      const keys = new SortedKeys();
      for (const key of added) keys.add(key);
      for (const key of removed) keys.remove(key);
      const expected = [...new Set(added)].filter((key) => !removed.includes(key)).sort(compareUtf8);
      expect(Array.from({ length: keys.length }, (_, index) => keys.at(index))).toEqual(expected);
    }),
  );
});

test('an index is that of the first key at, after, or past the prefix of the sought key', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyKey), anyKey, (added, sought) => {
      const keys = new SortedKeys();
      for (const key of added) keys.add(key);
      const ordered = [...added].sort(compareUtf8);
      const count = (isBefore: (key: string) => boolean) => ordered.filter(isBefore).length;
      expect(keys.indexFrom(sought)).toBe(count((key) => compareUtf8(key, sought) < 0));
      expect(keys.indexAfter(sought)).toBe(count((key) => compareUtf8(key, sought) <= 0));
      expect(keys.indexAfterPrefix(sought)).toBe(
        count((key) => compareUtf8(key, sought) < 0 || key.startsWith(sought)),
      );
    }),
  );
});
