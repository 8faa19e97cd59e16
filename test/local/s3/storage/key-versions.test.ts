import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { compareUtf8 } from '../../../../lib/batch/storage/key-order.ts';
import { KeyVersions, versionPages } from '../../../../lib/local/s3/storage/key-versions.ts';
import { ScratchFile } from '../../../../lib/local/s3/storage/scratch-file.ts';
import { newVersionId } from '../../../../lib/local/s3/storage/versions.ts';
import { codePoint } from '../../../support/code-points.ts';
import { propertyRuns } from '../../../support/depth.ts';
import { temporaryFolder } from '../../fixture-function.ts';

interface Version {
  readonly versionId: string;
  readonly sequence: number;
  readonly deleteMarker: boolean;
}

/** Strings whose order differs between UTF-8 and UTF-16, and arbitrary ones. */
const anyKey = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '/', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    maxLength: 5,
  }),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

/** Two pages in memory, so that nearly each access reads one from the file. */
function smallCache() {
  const scratch = new ScratchFile(join(temporaryFolder(), 'scratch'));
  onTestFinished(() => scratch.close());
  return versionPages<Version>(scratch, 2);
}

function version(sequence: number, isNull = false): Version {
  const versionId = isNull ? 'null' : newVersionId(sequence);
  return { versionId, sequence, deleteMarker: sequence % 3 === 0 };
}

test('two keys compare like their UTF-8 bytes', () => {
  fc.assert(
    fc.property(anyKey, anyKey, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('versions added and removed in any order are found as in a sorted list', () => {
  const cache = smallCache();
  const few = fc.array(anyKey, { minLength: 1, maxLength: 40 });
  const steps = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { minLength: 200, maxLength: 600 });
  fc.assert(
    fc.property(few, steps, anyKey, (keys, changes, sought) => {
      const table = new KeyVersions<Version>(cache);
      const model = new Map<string, Version[]>();
      for (const [sequence, [at, adds, isNull]] of changes.entries()) {
        const key = keys[at % keys.length]!;
        const all = model.get(key) ?? [];
        const removed = adds ? undefined : all[at % Math.max(1, all.length)];
        if (removed !== undefined) {
          table.remove(key, removed);
          model.set(
            key,
            all.filter((one) => one !== removed),
          );
        } else {
          const added = version(sequence, isNull && !all.some(({ versionId }) => versionId === 'null'));
          table.add(key, added);
          model.set(key, [...all, added]);
        }
      }
      const expected = [...model].filter(([, all]) => all.length > 0).sort(([a], [b]) => compareUtf8(a, b));
      expect([...table]).toEqual(expected);
      expect(table.isEmpty).toBe(expected.length === 0);
      for (const [key, all] of expected) {
        expect(table.hasObject(key)).toBe(!all.at(-1)!.deleteMarker);
        expect(table.current(key)).toEqual(all.at(-1));
        for (const one of all) expect(table.find(key, one.versionId)).toEqual(one);
        const { sequence } = all[0]!;
        expect([...table.newestFirst(key, sequence + 1)]).toEqual([all[0]]);
      }
      expect(table.find(keys[0]!, newVersionId(0))).toBeUndefined();
      const ordered = expected.map(([key]) => key);
      const firstOf = (isPast: (key: string) => boolean) => ordered.find(isPast);
      for (const key of [sought, ...keys]) {
        expect(table.get(key)).toEqual(model.get(key) ?? []);
        expect(table.firstFrom(key)).toBe(firstOf((each) => compareUtf8(each, key) >= 0));
        expect(table.firstAfter(key)).toBe(firstOf((each) => compareUtf8(each, key) > 0));
        expect(table.firstAfterPrefix(key)).toBe(
          firstOf((each) => compareUtf8(each, key) > 0 && !each.startsWith(key)),
        );
      }
      expect(cache.loadedPages).toBeLessThanOrEqual(2);
      for (const [key, all] of expected) for (const one of all) table.remove(key, one);
      expect(table.isEmpty).toBe(true);
    }),
    { numRuns: propertyRuns(5) },
  );
  expect(cache.loadedPages).toBe(0);
});

test('versions may be added and removed while keys are read', () => {
  const table = new KeyVersions<Version>(smallCache());
  const name = (k: number) => `key ${String(k).padStart(4, '0')}`;
  for (let k = 0; k < 500; k += 2) table.add(name(k), version(k));
  const found: string[] = [];
  for (const [key, [only]] of table) {
    found.push(key);
    table.remove(key, only!);
    const next = Number(key.slice(4)) + 1;
    if (next % 2 === 1) table.add(name(next), version(next));
  }
  expect(found).toEqual(Array.from({ length: 500 }, (_, k) => name(k)));
  expect(table.isEmpty).toBe(true);
});
