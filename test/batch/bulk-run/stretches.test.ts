import { describe, expect, it } from 'vitest';
import { Stretches } from '../../../lib/batch/bulk-run/stretches.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

/** The stretches of the plan of a run, and where they are kept. */
function stretchesOf(runId = 'night') {
  const buckets = new MemoryBuckets();
  const store = { store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET };
  return { buckets, stretches: new Stretches<{ readonly counted: number }>(runId, 'plan', store) };
}

describe('stretches', () => {
  it('go on from the state of the one before, and become one file', async () => {
    const { buckets, stretches } = stretchesOf();
    await stretches.write(0, async (add) => {
      await add({ key: 'a' });
      await add({ key: 'b' });
      return { counted: 2 };
    });
    const { counted } = await stretches.stateOf(0);
    await stretches.write(1, async (add) => {
      await add({ key: 'c' });
      return { counted: counted + 1 };
    });
    await stretches.join(1, 'whole.jsonl');
    expect(buckets.text(RESULTS_BUCKET, 'whole.jsonl')).toBe('{"key":"a"}\n{"key":"b"}\n{"key":"c"}\n');
    expect(await stretches.stateOf(1)).toEqual({ counted: 3 });
  });

  it('leave nothing of one that broke off', async () => {
    const { buckets, stretches } = stretchesOf();
    const broken = stretches.write(0, async (add) => {
      await add({ key: 'a' });
      throw new Error('no network');
    });
    await expect(broken).rejects.toThrow('no network');
    expect(buckets.keys(RESULTS_BUCKET)).toEqual([]);
  });

  it('name the one whose state is not there', async () => {
    const { stretches } = stretchesOf();
    await expect(stretches.stateOf(4)).rejects.toThrow(
      'work/runs/night/plan/00004.json is not there: stretch 4 was never done',
    );
  });
});
