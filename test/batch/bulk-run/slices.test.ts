import { describe, expect, it } from 'vitest';
import { Slices } from '../../../lib/batch/bulk-run/slices.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

function slicesOf(runId = 'night') {
  const buckets = new MemoryBuckets();
  const store = { store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET };
  return { buckets, slices: new Slices<{ readonly counted: number }>(runId, 'plan', store) };
}

describe('slices', () => {
  it('continue from the state of the previous one, and are joined into one file', async () => {
    const { buckets, slices } = slicesOf();
    await slices.write(0, async (add) => {
      await add({ key: 'a' });
      await add({ key: 'b' });
      return { counted: 2 };
    });
    const { counted } = await slices.stateOf(0);
    await slices.write(1, async (add) => {
      await add({ key: 'c' });
      return { counted: counted + 1 };
    });
    await slices.join(1, 'whole.jsonl');
    expect(buckets.text(RESULTS_BUCKET, 'whole.jsonl')).toBe('{"key":"a"}\n{"key":"b"}\n{"key":"c"}\n');
    expect(await slices.stateOf(1)).toEqual({ counted: 3 });
  });

  it('leave no lines of an interrupted one', async () => {
    const { buckets, slices } = slicesOf();
    const broken = slices.write(0, async (add) => {
      await add({ key: 'a' });
      throw new Error('no network');
    });
    await expect(broken).rejects.toThrow('no network');
    expect(buckets.keys(RESULTS_BUCKET)).toEqual([]);
  });

  it('name the one whose state is missing', async () => {
    const { slices } = slicesOf();
    await expect(slices.stateOf(4)).rejects.toThrow(
      'work/runs/night/plan/00004.json is missing: slice 4 is not done',
    );
  });
});
