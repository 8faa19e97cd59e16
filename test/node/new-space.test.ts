import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { limitNewSpace } from '../../lib/node/new-space.ts';

const MIB = 1024 * 1024;

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.physical_space_size;
}

/** Objects that survive collections, as those of a server do. */
function work(): number {
  let kept: object[] = [];
  for (let k = 0; k < 400_000; k++) {
    kept.push({ k, next: [k] });
    if (kept.length > 60_000) kept = [];
  }
  return kept.length;
}

test('the space for new objects no longer doubles after 16 MiB', async () => {
  for (let round = 0; newSpaceBytes() < 16 * MIB && round < 20; round++) work();
  limitNewSpace();
  await sleep(500);
  for (let round = 0; round < 8; round++) work();
  // It doubles, also in the round that exceeds 16 MiB.
  expect(newSpaceBytes()).toBeLessThanOrEqual(32 * MIB);
});
