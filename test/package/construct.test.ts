/** The construct and the declarations of the packed file, in the app of a user. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../../functions/bundle.ts';
import { Installation, NODE_MAJORS } from './installation.ts';

const ROOT = join(import.meta.dirname, '../..');

const APP = `const app = new App();
new DlxBatch(new Stack(app, 'Puzzles'), 'Solver', {});
app.synth();
`;
const FORMATS = [
  ['app.mjs', `import { App, Stack } from 'aws-cdk-lib';\nimport { DlxBatch } from 'dlx-batch/cdk';\n${APP}`],
  [
    'app.cjs',
    `const { App, Stack } = require('aws-cdk-lib');\nconst { DlxBatch } = require('dlx-batch/cdk');\n${APP}`,
  ],
] as const;

describe.each(NODE_MAJORS)('on Node %i', (major) => {
  let user: Installation;

  beforeAll(() => {
    user = Installation.app(major);
  });

  it.each(FORMATS)('%s synthesises with the code of the package', (name, text) => {
    user.write(name, text);
    const out = `out-${name}`;
    const { status, stderr } = user.run(`CDK_OUTDIR=${out} node ${name}`);
    expect([status, stderr]).toEqual([0, '']);
    const folder = join(user.folder, out);
    const { Resources } = JSON.parse(readFileSync(join(folder, 'Puzzles.template.json'), 'utf8'));
    const handlers = Object.values<{ Type: string; Properties: { Handler: string } }>(Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => Properties.Handler.replace('.handler', ''));
    expect(handlers).toEqual(expect.arrayContaining([...FUNCTION_NAMES]));
    const assets = readdirSync(folder).filter((file) => file.endsWith('.zip'));
    const digests = assets.map((file) => readFileSync(join(folder, file)).toString('base64'));
    const prebuilt = FUNCTION_NAMES.map((each) =>
      readFileSync(join(user.folder, `node_modules/dlx-batch/dist/functions/${each}.zip`)).toString('base64'),
    );
    expect(digests.sort()).toEqual(prebuilt.sort());
  });

  it('has no esbuild, which a synthesis of the package does not need', () => {
    expect(readdirSync(join(user.folder, 'node_modules'))).not.toContain('esbuild');
  });
});

describe('the declarations', () => {
  const CONSUMER = `import { App, Stack } from 'aws-cdk-lib';
import { DlxBatch } from 'dlx-batch/cdk';
import { DlxBatchError, type EngineName, type PuzzleResult, solve } from 'dlx-batch';
import { exactCover } from 'dlx-batch/exact-cover';
import { DancingLinks } from 'dlx-batch/compat';
const engine: EngineName = 'dlx';
export const result: PuzzleResult = solve('', { engine });
export const found = [exactCover, DancingLinks, DlxBatchError];
new DlxBatch(new Stack(new App(), 'Puzzles'), 'Solver', { memoryMb: 1769 });
// @ts-expect-error: an unknown property.
new DlxBatch(new Stack(new App(), 'Puzzles'), 'Solver', { memory: 1769 });
// @ts-expect-error: not an engine.
solve('', { engine: 'other' });
`;

  it.each(['consumer.mts', 'consumer.cts'])('type a module and a CommonJS file: %s', (name) => {
    const user = Installation.app(NODE_MAJORS[0]);
    user.write(name, CONSUMER + (name.endsWith('.mts') ? "import 'dlx-batch/browser';\n" : ''));
    user.write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'node16',
          target: 'es2022',
          lib: ['es2024', 'dom', 'esnext.disposable'],
          types: [],
          // The packages of the CDK are not checked; those of this package are, as errors in them are in its imports.
          skipLibCheck: false,
        },
        files: [name],
      }),
    );
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', user.folder], {
      encoding: 'utf8',
    });
    expect(stdout.split('\n').filter((line) => !line.includes('node_modules/aws-cdk-lib'))).toEqual(['']);
  });
});
