/** A process of its own, for new-space.nightly.test.ts: prints the bytes of its space for new objects before and after `limitNewSpace`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { limitNewSpace } from '../../lib/node/new-space.ts';

const LIMIT = 16 * 1024 * 1024;

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.physical_space_size;
}

/** Objects that survive collections, as those of a server do; few in a round, so that a round has one collection at most. */
let kept: object[] = [];
function work(rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < 20_000; k++) kept.push({ k, next: [k] });
    if (kept.length > 60_000) kept = [];
  }
}

for (let round = 0; newSpaceBytes() < LIMIT && round < 400; round++) work(1);
const before = newSpaceBytes();
limitNewSpace();
await sleep(500);
work(800);
process.stdout.write(`${JSON.stringify({ before, after: newSpaceBytes() })}\n`);
