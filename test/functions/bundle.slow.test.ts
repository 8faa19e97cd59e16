/** The version of the program, which is part of every bundle; the sizes of the bundles, and the licences of their code. */
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledPackages } from '../../bin/build/licences.ts';
import {
  bundleOptions,
  FUNCTION_NAMES,
  type FunctionName,
  programSources,
  programVersion,
} from '../../functions/bundle.ts';
import { PROGRAM_VERSION } from '../../lib/batch/version.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { isAllowedLicence } from '../release/licences.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The largest size of the code of each function, with its worker, in kB: a tenth more than at the last change. */
const MAX_KB: Readonly<Record<FunctionName, number>> = {
  'solve-batch': 1505,
  'plan-shards': 1205,
  'count-shard': 1000,
  'solve-shard': 1335,
  'merge-shards': 1320,
  'sweep-inbox': 520,
  // With the client of Step Functions, as a long run goes on in another execution.
  'run-step': 650,
};

describe('the bundles of a deployment', () => {
  const texts = new Map<FunctionName, string>();
  const inputs = new Set<string>();
  const sizes = new Map<FunctionName, number>();

  beforeAll(async () => {
    const options = FUNCTION_NAMES.map((name) => bundleOptions(name, ROOT, join(ROOT, 'dist')));
    // One build takes a fraction of the time of seven, and gives the same files.
    const { outputFiles, metafile } = await build({
      ...options[0],
      entryPoints: Object.assign({}, ...options.map(({ entryPoints }) => entryPoints)),
      metafile: true,
      write: false,
    });
    for (const path of Object.keys(metafile.inputs)) inputs.add(path);
    for (const [index, name] of FUNCTION_NAMES.entries()) {
      texts.set(name, outputFiles.find(({ path }) => path.endsWith(`/${name}.mjs`))!.text);
      const code = Object.keys(options[index]!.entryPoints!).map(
        (file) => metafile.outputs[`dist/${file}.mjs`]!,
      );
      sizes.set(
        name,
        code.reduce((sum, { bytes }) => sum + bytes, 0),
      );
    }
  });

  it.each(FUNCTION_NAMES.filter((name) => name.endsWith('-shard') || name.endsWith('-shards')))(
    '%s contains the version of the program',
    (name) => {
      expect(texts.get(name)).toContain(`"${programVersion(ROOT)}"`);
      expect(texts.get(name)).not.toContain('__PROGRAM_VERSION__');
    },
  );

  it.each(Object.entries(MAX_KB) as [FunctionName, number][])('%s has at most %d kB of code', (name, kB) => {
    expect(sizes.get(name)! / 1000).toBeLessThanOrEqual(kB);
    expect(sizes.get(name)! / 1000).toBeGreaterThan(kB * 0.8);
  });

  it('have only code with allowed licences', () => {
    const bundled = bundledPackages(ROOT, [...inputs]);
    expect(bundled.map((other) => other.name)).toContain('@smithy/core');
    expect(bundled.filter(({ licence }) => !isAllowedLicence(licence))).toEqual([]);
  });

  it('include the SDK, so that the tested version is the deployed one, and nothing of the CDK', () => {
    expect([...inputs]).toContainEqual(expect.stringContaining('node_modules/@aws-sdk/client-s3/'));
    const cdk = /aws-cdk|cdk-nag|\/constructs\/|lib\/infra\//;
    expect([...inputs].filter((path) => cdk.test(path))).toEqual([]);
  });

  it('have only sources that the version covers', () => {
    // package.json gives the version, which the lockfile has too.
    const own = [...inputs].filter((path) => !/^(?:node_modules\/|package\.json$)/.test(path));
    expect(own.length).toBeGreaterThan(100);
    expect(programSources(ROOT)).toEqual(expect.arrayContaining(own));
  });
});

/** The version of a small project after `change`, which gets the project's root. */
function versionAfter(change: (root: string) => void = () => {}): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'functions'));
  mkdirSync(join(root, 'lib/batch/large'), { recursive: true });
  mkdirSync(join(root, 'lib/cli'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'functions/a.ts'), 'a');
  writeFileSync(join(root, 'lib/batch/large/b.ts'), 'b');
  writeFileSync(join(root, 'lib/cli/c.ts'), 'c');
  change(root);
  return programVersion(root);
}

describe('the version of the program', () => {
  it('is 16 hex digits', () => {
    expect(versionAfter()).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    ['in another folder', () => {}],
    ['at another time', (root: string) => utimesSync(join(root, 'functions/a.ts'), 1, 1)],
    [
      'after a change of a source that no function uses',
      (root: string) => writeFileSync(join(root, 'lib/cli/c.ts'), 'd'),
    ],
  ])('is the same %s', (_what, change) => {
    expect(versionAfter(change)).toBe(versionAfter());
  });

  it.each([
    ['a source changes', (root: string) => writeFileSync(join(root, 'lib/batch/large/b.ts'), 'c')],
    ['a source is added', (root: string) => writeFileSync(join(root, 'functions/z.ts'), '')],
    ['a source is removed', (root: string) => rmSync(join(root, 'functions/a.ts'))],
    [
      'a source moves',
      (root: string) => {
        cpSync(join(root, 'functions/a.ts'), join(root, 'functions/z.ts'));
        rmSync(join(root, 'functions/a.ts'));
      },
    ],
    [
      'bytes move from one source to the next',
      (root: string) => {
        writeFileSync(join(root, 'functions/a.ts'), '');
        writeFileSync(join(root, 'lib/batch/large/b.ts'), 'ab');
      },
    ],
    ['a dependency changes', (root: string) => writeFileSync(join(root, 'package-lock.json'), '{"a":1}')],
  ])('changes if %s', (_what, change) => {
    expect(versionAfter(change)).not.toBe(versionAfter());
  });
});

it('the version is "source" without a bundle', () => {
  expect(PROGRAM_VERSION).toBe('source');
});
