import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { appWith, stackIn, templateWith } from './synthesised.ts';

/** Functions that solve in several threads. */
const THREADED = ['solve-batch', 'solve-shard'];

/** Handlers of all functions, `<file>.<exported name>`. */
const handlers = functionsIn(templateWith()).map(({ Handler }): string => Handler);

function functionsIn(template: Template): ReturnType<Template['toJSON']>[] {
  return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties);
}

describe.each(handlers)('the code of %s', (handler) => {
  const [file] = handler.split('.');
  let folder: string;

  beforeAll(() => {
    bundled ??= bundleAll();
    const { Code } = bundled.functions.find(({ Handler }) => Handler === handler)!;
    folder = join(bundled.outdir, `asset.${Code.S3Key.replace('.zip', '')}`);
  });

  const bundles = THREADED.includes(file!) ? [file, 'solver-worker'] : [file];
  it(`is the bundles of ${bundles.join(' and ')} with their source maps, and nothing else`, () => {
    expect(readdirSync(folder).sort()).toEqual(
      bundles.flatMap((bundle) => [`${bundle}.mjs`, `${bundle}.mjs.map`]).sort(),
    );
  });
});

it('the code of each function exports the handler that the stack names', () => {
  bundled ??= bundleAll();
  const { outdir, functions } = bundled;
  const imports = functions.map(({ Handler, Code }) => {
    const [file, name] = Handler.split('.');
    const bundle = pathToFileURL(join(outdir, `asset.${Code.S3Key.replace('.zip', '')}`, `${file}.mjs`)).href;
    return `console.log(typeof (await import(${JSON.stringify(bundle)})).${name})`;
  });
  // Some read their settings when they are loaded.
  const settings = Object.values(ENVIRONMENT).map((variable) => [variable, 'https://example.com/1/q']);
  const env = { ...process.env, ...Object.fromEntries(settings) };
  const args = ['--input-type=module', '-e', imports.join('\n')];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect(stdout, stderr).toBe('function\n'.repeat(handlers.length));
});

/** The stack with all its bundles, created once. */
let bundled: ReturnType<typeof bundleAll> | undefined;

function bundleAll() {
  const app = appWith({ 'aws:cdk:bundling-stacks': ['**'] });
  return { outdir: app.outdir, functions: functionsIn(Template.fromStack(stackIn(app))) };
}
