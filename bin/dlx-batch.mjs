#!/usr/bin/env node
// What npx starts. Plain JavaScript: a Node that cannot run the sources says so in one line.
import './preflight.mjs';
import './compile-cache.mjs';

await import('./dlx-batch.ts');
