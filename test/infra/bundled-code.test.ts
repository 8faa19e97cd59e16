import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Template } from 'aws-cdk-lib/assertions';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleOptions } from '../../functions/bundle.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { appWith, stackIn, templateWith } from './synthesised.ts';

/** If a bundle contained the CDK, which the test must report, esbuild would need this long on a busy machine. */
const BUNDLING_MS = 120_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Functions that solve in several threads. */
const THREADED = ['solve-batch', 'solve-shard'];

/** Handlers of all functions, `<file>.<exported name>`. */
const handlers = functionsIn(templateWith()).map(({ Handler }): string => Handler);

function functionsIn(template: Template): ReturnType<Template['toJSON']>[] {
  return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties);
}

describe.each(handlers)('the code of %s', (handler) => {
  const [file, name] = handler.split('.');
  let folder: string;

  beforeAll(() => {
    bundled ??= bundleAll();
    const { Code } = bundled.functions.find(({ Handler }) => Handler === handler)!;
    folder = join(bundled.outdir, `asset.${Code.S3Key.replace('.zip', '')}`);
  }, BUNDLING_MS);

  const bundles = THREADED.includes(file!) ? [file, 'solver-worker'] : [file];
  it(`is the bundles of ${bundles.join(' and ')} with their source maps, and nothing else`, () => {
    expect(readdirSync(folder).sort()).toEqual(
      bundles.flatMap((bundle) => [`${bundle}.mjs`, `${bundle}.mjs.map`]).sort(),
    );
  });

  it('exports the handler that the stack names', () => {
    const bundle = pathToFileURL(join(folder, `${file}.mjs`)).href;
    const kind = `import(${JSON.stringify(bundle)}).then((bundle) => console.log(typeof bundle.${name}))`;
    // Some read their settings when they are loaded.
    const settings = Object.values(ENVIRONMENT).map((variable) => [variable, 'https://example.com/1/q']);
    const env = { ...process.env, ...Object.fromEntries(settings) };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', kind], { encoding: 'utf8', env });
    expect(stdout.trim(), stderr).toBe('function');
  });
});

/** The stack with all its bundles, created once. */
let bundled: ReturnType<typeof bundleAll> | undefined;

function bundleAll() {
  const app = appWith({ 'aws:cdk:bundling-stacks': ['**'] });
  return { outdir: app.outdir, functions: functionsIn(Template.fromStack(stackIn(app))) };
}

describe('the sources of the bundle', () => {
  let sources: string[];

  beforeAll(async () => {
    const options = bundleOptions('solve-batch', ROOT, join(ROOT, 'dist'));
    const { metafile } = await build({ ...options, metafile: true, write: false });
    sources = Object.keys(metafile.inputs);
  }, BUNDLING_MS);

  it('include the SDK, so that the tested version is the deployed one', () => {
    expect(sources).toContainEqual(expect.stringContaining('node_modules/@aws-sdk/client-s3/'));
  });

  it('include nothing of the CDK', () => {
    expect(sources.filter((path) => /aws-cdk|cdk-nag|\/constructs\/|lib\/infra\//.test(path))).toEqual([]);
  });
});
