/** Once before all tests: one temporary folder for the files of all tests, and the seed of this run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEEP, runSeed } from './depth.ts';

export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-tests-'));
  process.env.TMPDIR = folder;
  // Stacks of tests are not recorded among those of the user.
  process.env.XDG_STATE_HOME = join(folder, 'state');
  const seed = runSeed();
  process.env.DLX_BATCH_TEST_SEED = String(seed);
  if (DEEP) process.stdout.write(`deep tests: DLX_BATCH_TEST_SEED=${seed} repeats this run\n`);
  return () => rmSync(folder, { recursive: true, force: true });
}
