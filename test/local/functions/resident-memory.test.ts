import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { readPeakMemory } from '../../../lib/local/functions/resident-memory.ts';

// Only Linux tells the peak memory of another process.
test.runIf(process.platform === 'linux')('a peak is seen when it is over', async () => {
  const child = spawn(process.execPath, [
    '--eval',
    // transfer(0) gives the memory back at once, and not when the garbage is collected.
    `new Uint8Array(200 << 20).fill(1).buffer.transfer(0);
     console.log(process.memoryUsage.rss()); setInterval(() => {}, 1000);`,
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [presentBytes] = await once(child.stdout, 'data');
  expect(Number(presentBytes)).toBeLessThan(200 << 20);
  expect(readPeakMemory(child.pid as number)).toBeGreaterThan(200 << 20);
});

test('nothing is told of a process that is not there', () => {
  // Above the largest process id that Linux can be told to use.
  expect(readPeakMemory(2 ** 22 + 1)).toBeUndefined();
});
