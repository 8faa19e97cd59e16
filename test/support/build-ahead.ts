/**
 * For `npm test`: builds the program in a process of its own while the first tests run. In a new checkout, several of the tests
 * that follow would build it at the same time. If it cannot be built, they report why.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COMPILE_CACHE = new URL('../../bin/compile-cache.mjs', import.meta.url).href;

export default function setUp(): () => void {
  const build = spawn(process.execPath, ['--import', COMPILE_CACHE, import.meta.filename], {
    stdio: 'ignore',
  });
  return () => void build.kill();
}

if (process.argv[1] === import.meta.filename) {
  const { writeProgram } = await import('../../lib/local/deployments.ts');
  await writeProgram(mkdtempSync(join(tmpdir(), 'program-')));
}
