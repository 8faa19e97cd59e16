/** The construct, the declarations and the code of the documents, in the app of a user. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../../functions/bundle.ts';
import manifest from '../../package.json' with { type: 'json' };
import { DEEP } from '../support/depth.ts';
import { Installation } from './installation.ts';
import { PACKED_MAJORS } from './pairs.ts';
import { codeBlocks } from './readme-blocks.ts';

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

describe.each(PACKED_MAJORS)('on Node %i', (major) => {
  let user: Installation;

  beforeAll(() => {
    user = new Installation('app', major);
    user.install(true);
  });

  // A synthesis takes ten seconds: the other module system, the blocks of code and cdk-nag have their turn each night.
  it.each(FORMATS.slice(0, DEEP ? 2 : 1))('%s synthesises with the code of the package', (name, text) => {
    user.write(name, text);
    const out = `out-${name}`;
    const { status, stderr } = user.run(`CDK_OUTDIR=${out} node ${name}`);
    // CDK names each function whose code it unpacks.
    expect([status, stderr.replace(/^Bundling asset .*\n/gm, '')]).toEqual([0, '']);
    const folder = join(user.folder, out);
    const { Resources } = JSON.parse(readFileSync(join(folder, 'Puzzles.template.json'), 'utf8'));
    const handlers = Object.values<{ Type: string; Properties: { Handler: string } }>(Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => Properties.Handler.replace('.handler', ''));
    expect(handlers).toEqual(expect.arrayContaining([...FUNCTION_NAMES]));
    const assets = readdirSync(folder).filter((file) => file.startsWith('asset.'));
    const deployed = assets.map((asset) =>
      Object.fromEntries(
        readdirSync(join(folder, asset)).map((file) => [
          file,
          readFileSync(join(folder, asset, file), 'utf8'),
        ]),
      ),
    );
    const prebuilt = FUNCTION_NAMES.map((each) => {
      const path = join(user.folder, `node_modules/dlx-batch/dist/functions/${each}.json.gz`);
      return JSON.parse(gunzipSync(readFileSync(path)).toString());
    });
    expect(deployed).toHaveLength(prebuilt.length);
    expect(deployed).toEqual(expect.arrayContaining(prebuilt));
  });

  it.each(
    codeBlocks
      .map(({ text }, index) => [index, text] as const)
      .filter(([, text]) => DEEP || !text.includes('aws-cdk-lib')),
  )('the documents, block %i of code: %s', (index, text) => {
    const checked = text.replaceAll(/^(.*); \/\/ => (.*)$/gm, 'equal($1, $2);');
    const { code } = transformSync(checked, { loader: 'ts', format: 'esm' });
    const name = `block-${index}.mjs`;
    user.write(name, `import { deepStrictEqual as equal } from 'node:assert';\n${code}`);
    const { status, stderr } = user.run(`CDK_OUTDIR=out-${name} node ${name}`);
    expect([status, stderr]).toEqual([0, '']);
    if (text.includes('aws-cdk-lib'))
      expect(readdirSync(join(user.folder, `out-${name}`))).toContain('manifest.json');
  });

  it('has no esbuild, which a synthesis of the package does not need', () => {
    expect(readdirSync(join(user.folder, 'node_modules'))).not.toContain('esbuild');
  });

  // The same on each Node.
  if (major !== PACKED_MAJORS[0]) return;

  describe('whatever the Node', () => {
    it.runIf(DEEP)('cdk-nag finds nothing in the construct', () => {
      user.output(
        `npm install --no-audit --no-fund --prefer-offline cdk-nag@${manifest.devDependencies['cdk-nag']}`,
      );
      user.write(
        'nag.mjs',
        `import { App, Stack, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { DlxBatch } from 'dlx-batch/cdk';
const app = new App();
new DlxBatch(new Stack(app, 'Puzzles'), 'Solver', {});
new Queue(new Stack(app, 'Control'), 'Open');
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
`,
      );
      // The control has findings, so the synthesis fails.
      expect(user.run('CDK_OUTDIR=nag.out node nag.mjs').status).toBe(1);
      const { pluginReports }: ValidationReport = JSON.parse(user.read('nag.out/validation-report.json'));
      const found = pluginReports.flatMap(({ violations }) =>
        violations.flatMap(({ violatingConstructs }) =>
          violatingConstructs.map(({ constructPath }) => constructPath),
        ),
      );
      expect(new Set(found)).toEqual(new Set(['Control/Open/Resource']));
    });

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

    it('the declarations type a module and a CommonJS file', () => {
      user.write('consumer.mts', `${CONSUMER}import 'dlx-batch/browser';\n`);
      user.write('consumer.cts', CONSUMER);
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
          files: ['consumer.mts', 'consumer.cts'],
        }),
      );
      const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', user.folder], {
        encoding: 'utf8',
      });
      expect(stdout.split('\n').filter((line) => !line.includes('node_modules/aws-cdk-lib'))).toEqual(['']);
    });
  });
});

it('the documents import the library and the construct', () => {
  expect(codeBlocks.map(({ language }) => language)).toEqual(['js', 'ts']);
  expect(codeBlocks.map(({ text }) => / from '(dlx-batch.*)';/.exec(text)![1])).toEqual([
    'dlx-batch',
    'dlx-batch/cdk',
  ]);
});

interface ValidationReport {
  readonly pluginReports: readonly {
    readonly violations: readonly {
      readonly violatingConstructs: readonly { readonly constructPath: string }[];
    }[];
  }[];
}
