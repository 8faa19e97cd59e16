/** Checks the sweep's join of two listings against a lookup of each version's markers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEGINNING, type SweepOutcome, sweep } from '../../../../lib/batch/bulk-run/sweep/sweep.ts';
import { markersOf } from '../../../../lib/batch/bulk-run/sweep/version-markers.ts';
import type { ObjectStore, ObjectVersion } from '../../../../lib/batch/ports.ts';
import { systemHashing } from '../../../../lib/node/system.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../../support/dependencies.ts';
import { propertyRuns } from '../../../support/depth.ts';
import { MemoryBuckets, memoryStore } from '../../../support/memory-store.ts';

const SCOPE = { prefixes: ['inbox/'], writtenBefore: '2025-03-02T00:00:00.000Z' };

/** Keys that are prefixes of one another, sort on either side of `/`, need several bytes, and are cut. */
const KEY_PIECES = ['a', '!', '/', '~', 'é', '中', '\u{1f600}', '\uffee', '0', 'v000003'];
/** Long enough for a cut inside the text that follows. */
const LONG_HEADS = ['', '', 'x'.repeat(787), 'x'.repeat(791)];
const keys = fc
  .tuple(
    fc.constantFrom(...LONG_HEADS),
    fc.array(fc.constantFrom(...KEY_PIECES), { minLength: 1, maxLength: 7 }),
  )
  .map(([head, pieces]) => `inbox/${head}${pieces.join('')}`);

interface World {
  readonly buckets: MemoryBuckets;
  readonly expected: string[];
}

/** Uploads these keys in order, each with or without its marker. */
function world(uploads: readonly (readonly [key: string, done: boolean])[]): World {
  const buckets = new MemoryBuckets();
  const undone: string[] = [];
  for (const [key, done] of uploads) {
    const { versionId, etag } = buckets.write(INPUT_BUCKET, key, 'puzzles');
    if (done) buckets.write(RESULTS_BUCKET, markersOf({ key, versionId, etag }, systemHashing)[0]!, '{}');
    else undone.push(`${key} ${versionId}`);
  }
  return { buckets, expected: undone.sort() };
}

/** @param stopAfter number of versions after which the sweep stops and continues in another process */
async function planned(store: ObjectStore, stopAfter = Number.POSITIVE_INFINITY) {
  const found: string[] = [];
  const counts = { planned: 0, alreadyDone: 0, tooYoung: 0 };
  let state = BEGINNING;
  while (!state.ended) {
    let seen = 0;
    const dependencies = {
      store,
      inputBucket: INPUT_BUCKET,
      resultsBucket: RESULTS_BUCKET,
      hashing: systemHashing,
    };
    const plan = (outcome: SweepOutcome, { key, versionId }: ObjectVersion) => {
      counts[outcome]++;
      if (outcome === 'planned') found.push(`${key} ${versionId}`);
    };
    state = await sweep(SCOPE, state, dependencies, () => ++seen >= stopAfter, plan);
    state = JSON.parse(JSON.stringify(state));
  }
  return { found: found.sort(), counts };
}

describe('a sweep', () => {
  it('plans exactly the versions without a marker, for any keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 40 }), async (uploads) => {
        const { buckets, expected } = world(uploads);
        const { found, counts } = await planned(memoryStore(buckets));
        expect(found).toEqual(expected);
        expect(counts.planned).toBe(expected.length);
        expect(counts.alreadyDone).toBe(uploads.length - expected.length);
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('plans the same if it stops anywhere and continues in another process', async () => {
    const uploads = fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(uploads, fc.integer({ min: 1, max: 5 }), async (written, stopAfter) => {
        const { buckets, expected } = world(written);
        expect((await planned(memoryStore(buckets), stopAfter)).found).toEqual(expected);
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('makes no request for single objects, and skips markers of other keys', async () => {
    const buckets = new MemoryBuckets();
    for (let k = 0; k < 5000; k++) {
      buckets.write(RESULTS_BUCKET, `done/inbox/a${String(k).padStart(5, '0')}/v`, '{}');
    }
    buckets.write(INPUT_BUCKET, 'inbox/b', 'puzzles');
    const operations: string[] = [];
    const store = memoryStore(buckets, {
      async before({ operation }) {
        operations.push(operation);
        return undefined;
      },
    });
    expect((await planned(store)).found).toHaveLength(1);
    expect(operations).toEqual(['listVersions', 'list', 'list']);
  });

  it('keeps few versions in memory', async () => {
    const total = 100_000;
    let listed = 0;
    const counts = { planned: 0, alreadyDone: 0, tooYoung: 0 };
    let maxInMemory = 0;
    const many: Partial<ObjectStore> = {
      async *listVersions() {
        for (let k = 0; k < total; k++) {
          const key = `inbox/${String(k).padStart(9, '0')}${k % 3 === 0 ? '/x' : ''}`;
          listed++;
          yield { key, versionId: 'v', bytes: 1, etag: '', lastModified: '2025-03-01', latest: true };
        }
      },
      async *list() {
        for (let k = 0; k < total; k += 3) yield `done/inbox/${String(k).padStart(9, '0')}/x/v`;
      },
    };
    await sweep(
      SCOPE,
      BEGINNING,
      {
        store: many as ObjectStore,
        inputBucket: INPUT_BUCKET,
        resultsBucket: RESULTS_BUCKET,
        hashing: systemHashing,
      },
      () => false,
      (outcome) => {
        counts[outcome]++;
        maxInMemory = Math.max(maxInMemory, listed - counts.planned - counts.alreadyDone);
      },
    );
    expect(counts).toEqual({ alreadyDone: 33_334, planned: 66_666, tooYoung: 0 });
    expect(maxInMemory).toBeLessThan(100);
  });
});
