import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cyclicImports, violationsIn } from './support/import-rules.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** All sources by their paths from the project's root. */
const sources: ReadonlyMap<string, string> = new Map(
  ['bin', 'functions', 'lib'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js|mjs)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  ),
);

describe('the sources', () => {
  it('import only what their layer may import, and pure layers use no clock, randomness or Node', () => {
    const found = [...sources].flatMap(([path, source]) => violationsIn(path, source));
    expect(found).toEqual([]);
  });

  it('have no import cycles, neither of values nor of types', () => {
    expect(cyclicImports(sources)).toEqual([]);
  });

  it('of the exact-cover core that its README names exist', () => {
    const folder = 'lib/exact-cover/';
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const named = [...new Set(readme.match(/[\w-]+(?:\/[\w-]+)*\.ts\b/g))];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !sources.has(folder + file))).toEqual([]);
  });

  it('are all checked', () => {
    expect([...sources.keys()]).toEqual(
      expect.arrayContaining([
        'bin/app.ts',
        'functions/solve-batch.ts',
        'lib/aws/s3-store.ts',
        'bin/compile-cache.mjs',
        'lib/batch/job/job.ts',
        'lib/exact-cover/dancing-links.ts',
        'lib/formats/text/lines/line.ts',
        'lib/infra/dlx-batch-stack.ts',
        'lib/sudoku/engines/dlx.ts',
      ]),
    );
  });
});

const FORBIDDEN: readonly (readonly [path: string, source: string, found: string])[] = [
  ['lib/exact-cover/x.ts', "import { a } from '../sudoku/geometry.ts';", 'imports ../sudoku/geometry.ts'],
  ['lib/sudoku/x.ts', "import type { A } from '../formats/layout.ts';", 'imports ../formats/layout.ts'],
  ['lib/sudoku/engines/x.ts', "import { a } from '../../batch/job.ts';", 'imports ../../batch/job.ts'],
  ['lib/formats/x.ts', "export { a } from '../batch/job.ts';", 'imports ../batch/job.ts'],
  ['lib/formats/x.ts', "export * from '../node/system.ts';", 'imports ../node/system.ts'],
  ['lib/formats/x.ts', "import { z } from 'zod';", 'imports zod'],
  ['lib/batch/x.ts', "import { a } from '../aws/s3-store.ts';", 'imports ../aws/s3-store.ts'],
  ['lib/batch/x.ts', "import {\n  a,\n  b,\n} from '../node/system.ts';", 'imports ../node/system.ts'],
  ['lib/batch/x.ts', "import { createHash } from 'node:crypto';", 'imports node:crypto'],
  ['lib/batch/x.ts', "import fs from 'fs';", 'imports fs'],
  ['lib/batch/x.ts', "import 'node:fs';", 'imports node:fs'],
  ['lib/batch/x.ts', "const fs = await import('node:fs');", 'imports node:fs'],
  ['lib/batch/x.ts', 'const fs = await import(name);', 'imports a module without a literal'],
  ['lib/batch/x.ts', "import { S3 } from '@aws-sdk/client-s3';", 'imports @aws-sdk/client-s3'],
  ['lib/node/x.ts', "import { S3 } from '@aws-sdk/client-s3';", 'imports @aws-sdk/client-s3'],
  ['lib/node/x.ts', "import { a } from '../aws/s3-store.ts';", 'imports ../aws/s3-store.ts'],
  ['lib/aws/x.ts', "import { a } from '../node/system.ts';", 'imports ../node/system.ts'],
  ['lib/aws/x.ts', "import { Stack } from 'aws-cdk-lib';", 'imports aws-cdk-lib'],
  ['lib/cli/x.ts', "import { S3 } from '@aws-sdk/client-s3';", 'imports @aws-sdk/client-s3'],
  ['lib/cli/x.ts', "import { a } from '../infra/dlx-batch-stack.ts';", 'imports ../infra/dlx-batch-stack.ts'],
  [
    'lib/local/x.ts',
    "import { a } from '../infra/dlx-batch-stack.ts';",
    'imports ../infra/dlx-batch-stack.ts',
  ],
  ['lib/local/x.ts', "import { a } from '../cli/local.ts';", 'imports ../cli/local.ts'],
  [
    'lib/local/x.ts',
    "import { a } from '../../functions/solve-batch.ts';",
    'imports ../../functions/solve-batch.ts',
  ],
  ['lib/infra/x.ts', "import { a } from '../batch/job.ts';", 'imports ../batch/job.ts'],
  ['lib/infra/x.ts', "import { a } from '../aws/s3-store.ts';", 'imports ../aws/s3-store.ts'],
  [
    'functions/x.ts',
    "import { a } from '../lib/infra/stack-context.ts';",
    'imports ../lib/infra/stack-context.ts',
  ],
  ['functions/x.ts', "import { a } from '../lib/cli/solve.ts';", 'imports ../lib/cli/solve.ts'],
  ['functions/x.ts', "import { S3 } from '@aws-sdk/client-s3';", 'imports @aws-sdk/client-s3'],
  ['functions/x.ts', "import { App } from 'aws-cdk-lib';", 'imports aws-cdk-lib'],
  ['bin/dlx-batch.ts', "import { App } from 'aws-cdk-lib';", 'imports aws-cdk-lib'],
  ['bin/app.ts', "import { a } from '../lib/batch/job.ts';", 'imports ../lib/batch/job.ts'],
  ['lib/elsewhere/x.ts', 'export const a = 1;', 'belongs to no layer: add its rules'],
  ['lib/batch/x.ts', 'const now = Date.now();', 'uses Date'],
  ['lib/batch/x.ts', 'const now = new Date();', 'uses Date'],
  ['lib/batch/x.ts', 'const now = new Date;', 'uses Date'],
  ['lib/batch/x.ts', 'const now = Date();', 'uses Date'],
  ['lib/batch/x.ts', 'const { now } = Date;', 'uses Date'],
  // A template here, code for the checker.
  ['lib/batch/x.ts', 'const id = `at $' + '{Date.now()}`;', 'uses Date'],
  ['lib/sudoku/x.ts', 'const r = Math.random();', 'uses Math.random'],
  ['lib/formats/x.ts', "console.log('x');", 'uses console'],
  ['lib/formats/x.ts', 'const text = process.env.HOME;', 'uses process'],
  ['lib/exact-cover/x.ts', 'const t = performance.now();', 'uses performance'],
  ['lib/batch/x.ts', "const fs = require('fs');", 'uses require'],
  ['lib/batch/x.ts', "const b = Buffer.from('x');", 'uses Buffer'],
  ['lib/batch/x.ts', 'setTimeout(() => {}, 1);', 'uses setTimeout'],
  ['lib/batch/x.ts', 'const c = globalThis.crypto;', 'uses globalThis'],
];

const ALLOWED: readonly (readonly [path: string, source: string])[] = [
  ['lib/sudoku/x.ts', "import { a } from '../exact-cover/problem.ts';"],
  ['lib/batch/x.ts', "import { z } from 'zod';\nimport { a } from '../formats/formats.ts';"],
  ['lib/batch/x.ts', "import hdr from 'hdr-histogram-js/dist/Float64Histogram.js';"],
  ['lib/batch/x.ts', 'const t = new Date(Date.parse(text) + 5).toISOString();'],
  ['lib/batch/x.ts', "// import { readFile } from 'node:fs';\n/* Date.now(), process.exit() */"],
  ['lib/batch/x.ts', "const text = 'Date.now() of a process: console';"],
  ['lib/batch/x.ts', 'job.process(1); const rows = { console: 1 };'],
  ['lib/infra/x.ts', "import { a } from '../batch/names.ts';\nimport { Stack } from 'aws-cdk-lib';"],
  ['functions/x.ts', "import { a } from '../lib/aws/s3-store.ts';"],
  ['lib/sudoku/x.ts', 'const { WebAssembly: api } = globalThis as { WebAssembly?: Api };'],
  ['lib/sudoku/x.ts', 'loop(); // one call would fetch the bounds\nif (a) { /* console */ }'],
  ['lib/node/x.ts', 'const now = Date.now();'],
];

describe('the checker', () => {
  for (const [path, source, found] of FORBIDDEN) {
    it(`finds in ${path}: ${source.replaceAll('\n', ' ')}`, () => {
      expect(violationsIn(path, source)).toContainEqual(expect.stringContaining(found));
    });
  }

  for (const [path, source] of ALLOWED) {
    it(`allows in ${path}: ${source.replaceAll('\n', ' ')}`, () => {
      expect(violationsIn(path, source)).toEqual([]);
    });
  }

  it.each([
    ['of values', "import { b } from './b.ts';", "import { a } from '../lib/a.ts';"],
    ['of types', "import { b } from './b.ts';", "import type { A } from './a.ts';"],
    ['of types in JSDoc', "import { b } from './b.ts';", "/** @type {import('./a.ts').A} */"],
    ['of exports', "export * from './b.ts';", "export { a } from './a.ts';"],
    ['over several lines', "import {\n  b,\n} from './b.ts';", "const a = await import('./a.ts');"],
  ])('finds a cycle %s', (_kind, a, b) => {
    const found = cyclicImports(
      new Map([
        ['lib/a.ts', a],
        ['lib/b.ts', b],
        ['lib/c.ts', "import { a } from './a.ts';\nimport { z } from 'zod';"],
      ]),
    );
    expect(found).toEqual(['lib/a.ts -> lib/b.ts', 'lib/b.ts -> lib/a.ts']);
  });

  it('finds a cycle of three files, and of one', () => {
    const found = cyclicImports(
      new Map([
        ['a.ts', "import './b.ts';\nimport './d.ts';"],
        ['b.ts', "import './c.ts';"],
        ['c.ts', "import './a.ts';"],
        ['d.ts', "import './d.ts';"],
      ]),
    );
    expect(found).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts', 'c.ts -> a.ts', 'd.ts -> d.ts']);
  });
});
