#!/usr/bin/env node
// The command that npx starts. Plain JavaScript, so that an old Node version gives a one-line error.
import './preflight.mjs';
import './compile-cache.mjs';

await import('./dlx-batch.ts');
