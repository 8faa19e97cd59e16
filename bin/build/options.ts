/** esbuild's options for the package, and the entry points of the library. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** Source of each entry point of the library, by the name of its files in `dist/lib`. */
export const ENTRY_POINTS = {
  index: 'lib/api/index.ts',
  'exact-cover': 'lib/api/exact-cover.ts',
  compat: 'lib/api/compat.ts',
  browser: 'lib/api/browser.ts',
  cdk: 'lib/infra/dlx-batch.ts',
} as const;

/** Packages that the user installs for the construct, and esbuild, which only a checkout uses. */
const EXTERNAL = ['aws-cdk-lib', 'constructs', 'esbuild'];

/** Source maps name lines of the sources, which the package does not contain. `source-maps.ts` makes them smaller. */
const SOURCE_MAP = { sourcemap: true, sourcesContent: false } as const satisfies BuildOptions;

/** Options for ES modules that Node runs. */
export function nodeOptions(root: string, outdir?: string): BuildOptions {
  return {
    ...commonOptions(root),
    ...SOURCE_MAP,
    outdir,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
  };
}

/** Options of all bundles. */
export function commonOptions(root: string): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    target: `node${oldestNode(root)}`,
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    // `licences.ts` writes them to a file.
    legalComments: 'none',
    external: EXTERNAL,
    metafile: true,
    logLevel: 'warning',
    plugins: [versionAlone(root)],
  };
}

/** The oldest Node version that runs the package, from `engines` in `package.json`. */
function oldestNode(root: string): string {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return /[\d.]+/.exec(engines.node)![0];
}

/** Leaves all but the version out of `package.json`. */
function versionAlone(root: string): Plugin {
  return {
    name: 'version-alone',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]package\.json$/ }, async ({ path }) => {
        if (path !== join(root, 'package.json')) return undefined;
        const { version } = JSON.parse(await readFile(path, 'utf8'));
        return { contents: JSON.stringify({ version }), loader: 'json' };
      });
    },
  };
}
