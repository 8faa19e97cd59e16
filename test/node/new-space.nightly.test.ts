import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MIB = 1024 * 1024;
const PROCESS = fileURLToPath(new URL('new-space-process.ts', import.meta.url));

// In a process of its own: the space of this one has the size that the tests before have left.
test('the space for new objects no longer doubles after 16 MiB', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS]);
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  expect(before).toBeGreaterThanOrEqual(16 * MIB);
  // It doubles, also in the round that exceeds 16 MiB.
  expect(after).toBeLessThanOrEqual(32 * MIB);
});
