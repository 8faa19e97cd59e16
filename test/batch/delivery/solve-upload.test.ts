import { expect, it } from 'vitest';
import { FakeClock } from '../../support/dependencies.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';

/** What deliveries leave: `test/batch/deliveries`. */
it('a process with little time reserves a fifth of it, so that it ends before the timeout', async () => {
  const clock = new FakeClock(1);
  const buckets = new MemoryBuckets();
  const outcome = await deliver(buckets, upload(buckets, 'inbox/a.txt', `${EASY}\n`.repeat(5_000)), {
    dependencies: { clock, remainingMs: () => 1_000 },
  });
  expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  expect(clock.nowMs).toBeGreaterThan(800);
  expect(clock.nowMs).toBeLessThan(1_000);
});
