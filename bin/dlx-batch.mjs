#!/usr/bin/env node
// The command that npx starts: the sources of a checkout, or the built package.
// Plain JavaScript, so that an old Node version gives a one-line error.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../lib/cli/program.ts', import.meta.url))) {
  await import('./preflight.mjs');
  await import('./compile-cache.mjs');
  await import('./dlx-batch.ts');
} else {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 15)) {
    await import('./compile-cache.mjs');
    // Not a literal: a checkout has no built package.
    const program = '../dist/cli/program.mjs';
    const { runProgram } = await import(program);
    await runProgram();
  } else {
    process.stderr.write(`dlx-batch needs Node 22.15 or newer, and found ${process.version}.\n`);
    process.exitCode = 2;
  }
}
