import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { readPeakMemory } from '../../../lib/local/functions/resident-memory.ts';

const MODULE = join(import.meta.dirname, '../../../lib/local/functions/resident-memory.ts');

// Only Linux exposes the peak memory of another process.
test.runIf(process.platform === 'linux')('a past peak is measured', async () => {
  const child = spawn(process.execPath, [
    '--eval',
    // transfer(0) frees the memory at once, without a garbage collection.
    `new Uint8Array(200 << 20).fill(1).buffer.transfer(0);
     console.log(process.memoryUsage.rss()); setInterval(() => {}, 1000);`,
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [presentBytes] = await once(child.stdout, 'data');
  expect(Number(presentBytes)).toBeLessThan(200 << 20);
  expect(readPeakMemory(child.pid as number)).toBeGreaterThan(200 << 20);
});

test.runIf(process.platform === 'linux')('with too many open files, the peak is unknown', async () => {
  const script = `
    const { openSync } = await import('node:fs');
    const { readPeakMemory } = await import(process.argv[1]);
    try { for (;;) openSync('/dev/null'); } catch {}
    process.stdout.write(String(readPeakMemory(process.pid)));`;
  const node = [process.execPath, '--input-type=module', '-e', script, MODULE];
  const child = spawn('bash', ['-c', 'ulimit -n 40; exec "$0" "$@"', ...node]);
  expect(await text(child.stdout)).toBe('undefined');
});

test('the peak of a process that does not exist is undefined', () => {
  // Above the largest process id of Linux.
  expect(readPeakMemory(2 ** 22 + 1)).toBeUndefined();
});
