/** Once before all tests: one temporary folder for the files of all tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-tests-'));
  process.env.TMPDIR = folder;
  // Stacks of tests are not recorded among those of the user.
  process.env.XDG_STATE_HOME = join(folder, 'state');
  return () => rmSync(folder, { recursive: true, force: true });
}
