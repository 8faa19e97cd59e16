import { describe, expect, it } from 'vitest';
import { advanceLatest, compareSequencers, type LatestPointer } from '../../../lib/batch/delivery/latest.ts';
import type { Upload } from '../../../lib/batch/delivery/upload-event.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY, TWO_SOLUTIONS } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/a.txt';
const LATEST = `results/${KEY}/latest.json`;

function latest(buckets: MemoryBuckets): LatestPointer {
  return buckets.json(RESULTS_BUCKET, LATEST);
}

/** Two versions of one key, the second newer, with events that `change` modifies. */
function twoVersions(change: (uploaded: Upload, k: number) => Upload, bodies = [EASY, TWO_SOLUTIONS]) {
  const buckets = new MemoryBuckets();
  const [older, newer] = bodies.map((body, k) => change(upload(buckets, KEY, body), k));
  return { buckets, older: older!, newer: newer! };
}

describe('sequencers', () => {
  for (const [a, b, order] of [
    ['0055AED6DCD90281E5', '0055AED6DCD90281E6', -1],
    ['0055AED6DCD90281E5', '0055AED6DCD90281E5', 0],
    ['0055AED6DCD90281E6', '0055AED6DCD90281E5', 1],
    ['0055AED6DC', '0055AED6DCD90281E5', -1],
    ['0055AED6DCD9', '0055AED6DC', 1],
    ['0055AED6DC', '0055AED6DC00', 0],
    ['0055AED6DD', '0055AED6DC99', 1],
  ] as const) {
    it(`${a} and ${b} compare as ${order}: the shorter is padded on the right`, () => {
      expect(compareSequencers(a, b)).toBe(order);
    });
  }
});

const SEQUENCERS: readonly { name: string; change: (uploaded: Upload, k: number) => Upload }[] = [
  { name: 'with sequencers', change: (uploaded) => uploaded },
  {
    name: 'with sequencers of different length',
    change: (uploaded, k) => ({ ...uploaded, sequencer: ['00663B5E4FA1', '00663B5E4FA101'][k] }),
  },
  {
    name: 'with a shorter sequencer for the newer',
    change: (uploaded, k) => ({ ...uploaded, sequencer: ['00663B5E4FA101', '00663B5E4FA2'][k] }),
  },
  { name: 'without sequencers', change: (uploaded) => ({ ...uploaded, sequencer: undefined }) },
  {
    name: 'with a sequencer for the newer only',
    change: (uploaded, k) => (k === 0 ? { ...uploaded, sequencer: undefined } : uploaded),
  },
];

describe('two versions of one key', () => {
  const ORDERS: ('older' | 'newer')[][] = [
    ['older', 'newer'],
    ['newer', 'older'],
    ['older', 'newer', 'older'],
  ];

  describe.each(SEQUENCERS)('$name', ({ change }) => {
    it.each(ORDERS.map((order) => ({ order })))(
      'leave the pointer at the newer, delivered as $order',
      async ({ order }) => {
        const { buckets, ...versions } = twoVersions(change);
        let newest: string | undefined;
        for (const which of order) {
          expect((await deliver(buckets, versions[which])).kind).toMatch(/^(completed|duplicate)$/);
          if (newest !== versions.newer.versionId) newest = versions[which].versionId;
          expect(latest(buckets).input.versionId).toBe(newest);
        }
      },
    );
  });
});

describe('two outcomes of one version', () => {
  const pointer = (outcome: LatestPointer['outcome'], jobId: string): LatestPointer => ({
    schema: 'dlx-batch/latest@1',
    outcome,
    jobId,
    input: { bucket: INPUT_BUCKET, key: KEY, versionId: 'v000001', sequencer: '01' },
    key: `${outcome}.json`,
    files: [],
  });
  for (const [first, second, named] of [
    ['completed', 'rejected', 'one'],
    ['rejected', 'completed', 'two'],
    ['completed', 'completed', 'two'],
    ['rejected', 'rejected', 'two'],
  ] as const) {
    it(`${first}, then ${second}: the pointer names job ${named}`, async () => {
      const buckets = new MemoryBuckets();
      const store = memoryStore(buckets);
      await advanceLatest({ store, resultsBucket: RESULTS_BUCKET }, LATEST, pointer(first, 'one'));
      await advanceLatest({ store, resultsBucket: RESULTS_BUCKET }, LATEST, pointer(second, 'two'));
      expect(latest(buckets).jobId).toBe(named);
    });
  }
});
