import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Template } from 'aws-cdk-lib/assertions';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleOptions } from '../../functions/bundle.ts';
import { appWith, resourceOf, stackIn } from './synthesised.ts';

/** A bundle with the CDK in it, which is what must be caught, takes esbuild that long on a busy machine. */
const BUNDLING_MS = 120_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the code of the function', () => {
  let solve: ReturnType<typeof resourceOf>;
  let folder: string;

  beforeAll(() => {
    const app = appWith({ 'aws:cdk:bundling-stacks': ['**'] });
    solve = resourceOf(Template.fromStack(stackIn(app)), 'SolveFunctionName').Properties;
    folder = join(app.outdir, `asset.${solve.Code.S3Key.replace('.zip', '')}`);
  }, BUNDLING_MS);

  it('is the bundle, that of its worker threads, and their source maps, and nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'solve-batch.mjs',
      'solve-batch.mjs.map',
      'solver-worker.mjs',
      'solver-worker.mjs.map',
    ]);
  });

  it('exports the handler that the stack names', () => {
    const [file, name] = solve.Handler.split('.');
    const bundle = pathToFileURL(join(folder, `${file}.mjs`)).href;
    const kind = `import(${JSON.stringify(bundle)}).then((bundle) => console.log(typeof bundle.${name}))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', kind], { encoding: 'utf8' });
    expect(stdout.trim(), stderr).toBe('function');
  });
});

describe('the sources of the bundle', () => {
  let sources: string[];

  beforeAll(async () => {
    const options = bundleOptions('solve-batch', ROOT, join(ROOT, 'dist'));
    const { metafile } = await build({ ...options, metafile: true, write: false });
    sources = Object.keys(metafile.inputs);
  }, BUNDLING_MS);

  it('have the SDK among them, so that what was tested is what runs', () => {
    expect(sources).toContainEqual(expect.stringContaining('node_modules/@aws-sdk/client-s3/'));
  });

  it('have nothing of the CDK among them', () => {
    expect(sources.filter((path) => /aws-cdk|cdk-nag|\/constructs\/|lib\/infra\//.test(path))).toEqual([]);
  });
});
