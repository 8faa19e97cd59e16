import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../../../../lib/batch/storage/key-order.ts';
import {
  type ListingEntry,
  type ListingPosition,
  type ListingScope,
  listEntries,
} from '../../../../../lib/local/s3/operations/listing/listing.ts';
import {
  KeyVersions,
  type Sequenced,
  type SortedKeys,
  versionPages,
} from '../../../../../lib/local/s3/storage/key-versions.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '\uffff', '\u{1F9E9}'), maxLength: 6 });
const scope = fc.record({
  prefix: name.map((text) => text.slice(0, 2)),
  delimiter: fc.constantFrom('', '/', 'a', '-/'),
});

/** The definition of a listing: filter, group, remove duplicates. */
function listNaively(keys: readonly string[], { prefix, delimiter }: ListingScope): string[] {
  const grouped = [...keys]
    .sort(compareUtf8)
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return at < 0 ? `key ${key}` : `prefix ${key.slice(0, at + delimiter.length)}`;
    });
  return [...new Set(grouped)];
}

function sorted(keys: readonly string[]): SortedKeys {
  const all = new KeyVersions<Sequenced>(versionPages(undefined, 2));
  for (const key of keys) all.add(key, { versionId: 'null', sequence: 1, deleteMarker: false });
  return all;
}

const show = (entry: ListingEntry) => ('key' in entry ? `key ${entry.key}` : `prefix ${entry.commonPrefix}`);

test('a listing matches its definition', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), scope, (keys, listed) => {
      const entries = listEntries(sorted(keys), listed, undefined, () => true);
      expect([...entries].map(show)).toEqual(listNaively(keys, listed));
    }),
  );
});

test('keys that are not listed have no effect', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 20 }),
      fc.uniqueArray(name, { maxLength: 20 }),
      scope,
      (keys, others, listed) => {
        const isListed = (key: string) => !others.includes(key);
        const entries = listEntries(sorted([...keys, ...others]), listed, undefined, isListed);
        expect([...entries].map(show)).toEqual(listNaively(keys.filter(isListed), listed));
      },
    ),
  );
});

test('pages of any size add up to the listing', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 20 }),
      scope,
      fc.integer({ min: 1, max: 4 }),
      (keys, listed, pageEntries) => {
        const all = sorted(keys);
        const found: string[] = [];
        let position: ListingPosition | undefined;
        for (;;) {
          const page = [...listEntries(all, listed, position, () => true)].slice(0, pageEntries);
          if (page.length === 0) break;
          found.push(...page.map(show));
          const last = page[page.length - 1];
          position = 'key' in last ? { afterKey: last.key } : { afterPrefix: last.commonPrefix };
        }
        expect(found).toEqual(listNaively(keys, listed));
      },
    ),
  );
});
