/** The sweep's join of two listings, held to a plain look-up of each version's markers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTHING_COUNTED } from '../../../lib/batch/bulk-run/steps.ts';
import { type SweepState, sweep } from '../../../lib/batch/bulk-run/sweep.ts';
import { markersOf } from '../../../lib/batch/bulk-run/version-markers.ts';
import type { ObjectStore, ObjectVersion } from '../../../lib/batch/ports.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

const BEGINNING: SweepState = { prefix: 0, waiting: [], counts: NOTHING_COUNTED, ended: false };
const SCOPE = { prefixes: ['inbox/'], writtenBefore: '2025-03-02T00:00:00.000Z' };

/** Keys that are prefixes of one another, sort on either side of `/`, need several bytes, and are cut. */
const KEY_PIECES = ['a', '!', '/', '~', 'é', '中', '\u{1f600}', '\uffee', '0', 'v000003'];
/** So much that a cut falls into what follows. */
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

/** Uploads of these keys in turn, each with its marker or without. */
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

/** What a sweep plans that is stopped behind every so many versions and goes on in another process. */
async function planned(store: ObjectStore, stopAfter = Number.POSITIVE_INFINITY) {
  const found: string[] = [];
  let state = BEGINNING;
  while (!state.ended) {
    let seen = 0;
    const machinery = {
      store,
      inputBucket: INPUT_BUCKET,
      resultsBucket: RESULTS_BUCKET,
      hashing: systemHashing,
    };
    const plan = ({ key, versionId }: ObjectVersion) => void found.push(`${key} ${versionId}`);
    state = await sweep(SCOPE, state, machinery, () => ++seen >= stopAfter, plan);
    state = JSON.parse(JSON.stringify(state));
  }
  return { found: found.sort(), counts: state.counts };
}

describe('a sweep', () => {
  it('plans just the versions without a marker, whatever their keys are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 40 }), async (uploads) => {
        const { buckets, expected } = world(uploads);
        const { found, counts } = await planned(memoryStore(buckets));
        expect(found).toEqual(expected);
        expect(counts.found).toBe(uploads.length);
        expect(counts.alreadyDone).toBe(uploads.length - expected.length);
      }),
      { numRuns: 300 },
    );
  });

  it('plans the same when it is stopped anywhere and goes on elsewhere', async () => {
    const uploads = fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(uploads, fc.integer({ min: 1, max: 5 }), async (written, stopAfter) => {
        const { buckets, expected } = world(written);
        expect((await planned(memoryStore(buckets), stopAfter)).found).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('makes no request for a single object, and few for what is done elsewhere', async () => {
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

  it('keeps few versions at hand among many keys', async () => {
    const total = 100_000;
    let listed = 0;
    let planned = 0;
    let mostAtHand = 0;
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
    const { counts } = await sweep(
      SCOPE,
      BEGINNING,
      {
        store: many as ObjectStore,
        inputBucket: INPUT_BUCKET,
        resultsBucket: RESULTS_BUCKET,
        hashing: systemHashing,
      },
      () => false,
      () => {
        planned++;
        // One version in three is done already, and so is not planned.
        mostAtHand = Math.max(mostAtHand, listed - planned * 1.5);
      },
    );
    expect(counts).toMatchObject({ found: total, alreadyDone: 33_334, planned: 66_666 });
    expect(mostAtHand).toBeLessThan(100);
  });
});
