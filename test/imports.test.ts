import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { violationsIn } from './support/import-rules.ts';

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

  it('of the exact-cover core that its README names exist', () => {
    const folder = 'lib/exact-cover/';
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const named = [...new Set(readme.match(/[\w-]+(?:\/[\w-]+)*\.ts\b/g))];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !sources.has(folder + file))).toEqual([]);
  });

  it('of the formats have at most 400 lines each', () => {
    const long = [...sources].filter(([path, source]) => {
      return path.startsWith('lib/formats/') && source.split('\n').length > 401;
    });
    expect(long.map(([path]) => path)).toEqual([]);
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

/** Each kind of rule, and each way to break it. */
const FORBIDDEN: readonly (readonly [path: string, source: string, found: string])[] = [
  ['lib/sudoku/x.ts', "import type { A } from '../formats/layout.ts';", 'imports ../formats/layout.ts'],
  ['lib/formats/x.ts', "export * from '../node/system.ts';", 'imports ../node/system.ts'],
  ['lib/formats/x.ts', "import { z } from 'zod';", 'imports zod'],
  ['lib/batch/x.ts', "import {\n  a,\n  b,\n} from '../node/system.ts';", 'imports ../node/system.ts'],
  [
    'lib/batch/storage/x.ts',
    "import type { A } from '../job/a.ts';\nimport { b } from '../large/b.ts';",
    'imports ../large/b.ts',
  ],
  ['lib/batch/upload/x.ts', "import { a } from '../bulk-run/a.ts';", 'imports ../bulk-run/a.ts'],
  ['lib/formats/json/x.ts', "import { a } from '../text/a.ts';", 'imports ../text/a.ts'],
  ['lib/formats/links/x.ts', "import { a } from '../json/a.ts';", 'imports ../json/a.ts'],
  ['lib/formats/records/x.ts', "import { a } from '../head-survey.ts';", 'imports ../head-survey.ts'],
  ['lib/formats/bytes/x.ts', "import { a } from '../../sudoku/a.ts';", 'imports ../../sudoku/a.ts'],
  ['lib/batch/x.ts', "import 'node:fs';", 'imports node:fs'],
  ['lib/batch/x.ts', "const fs = await import('node:fs');", 'imports node:fs'],
  ['lib/batch/x.ts', 'const fs = await import(name);', 'imports a module without a literal'],
  ['lib/cli/x.ts', "import { S3 } from '@aws-sdk/client-s3';", 'imports @aws-sdk/client-s3'],
  ['lib/infra/x.ts', "import { a } from '../batch/job.ts';", 'imports ../batch/job.ts'],
  ['lib/elsewhere/x.ts', 'export const a = 1;', 'belongs to no layer: add its rules'],
  ['lib/batch/x.ts', 'const now = Date.now();', 'uses Date'],
  ['lib/batch/x.ts', 'const now = new Date;', 'uses Date'],
  ['lib/batch/x.ts', 'const { now } = Date;', 'uses Date'],
  // A template here, code for the checker.
  ['lib/batch/x.ts', 'const id = `at $' + '{Date.now()}`;', 'uses Date'],
  ['lib/sudoku/x.ts', 'const r = Math.random();', 'uses Math.random'],
  ['lib/formats/x.ts', 'const text = process.env.HOME;', 'uses process'],
];

const ALLOWED: readonly (readonly [path: string, source: string])[] = [
  ['lib/batch/x.ts', "import { z } from 'zod';\nimport { a } from '../formats/formats.ts';"],
  ['lib/batch/x.ts', 'const t = new Date(Date.parse(text) + 5).toISOString();'],
  ['lib/batch/x.ts', "// import { readFile } from 'node:fs';\n/* Date.now(), process.exit() */"],
  ['lib/batch/x.ts', "const text = 'Date.now() of a process: console'; job.process(1);"],
  ['lib/infra/x.ts', "import { a } from '../batch/names.ts';\nimport { Stack } from 'aws-cdk-lib';"],
  ['lib/sudoku/x.ts', 'const { WebAssembly: api } = globalThis as { WebAssembly?: Api };'],
];

describe('the checker', () => {
  it.each(FORBIDDEN)('finds in %s: %s', (path, source, found) => {
    expect(violationsIn(path, source)).toContainEqual(expect.stringContaining(found));
  });

  it.each(ALLOWED)('allows in %s: %s', (path, source) => {
    expect(violationsIn(path, source)).toEqual([]);
  });
});
