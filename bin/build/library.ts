/**
 * The library and the construct, as ES modules and as CommonJS.
 *
 * Entry points of one format share their code, so that an error of one is an instance of the class that another exports:
 * the ES modules in common chunks, CommonJS in `shared.cjs`. The browser's is in several ES modules, see below.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { commonOptions, ENTRY_POINTS, nodeOptions } from './options.ts';

/**
 * Modules of the browser's entry point that are files of their own. Bundlers leave out whole files, as package.json has
 * `sideEffects`: a page that imports one engine must not load the readers of all formats. They have no source maps, which
 * would be as many files again.
 */
const BROWSER_MODULES = {
  'browser-solver': 'lib/api/browser-solver.ts',
  'browser-solve': 'lib/api/solve.ts',
  'browser-solve-with': 'lib/api/solve-with.ts',
  'browser-rate': 'lib/api/rate.ts',
  'browser-dlx': 'lib/api/engines/dlx.ts',
  'browser-bitboard': 'lib/api/engines/bitboard.ts',
};

/** Threads run the file of the command: one of its own would cut the common chunks into twice as many. */
const WORKER = { SOLVER_WORKER: '"../cli/solver-worker.mjs"' };

/** esbuild leaves `import.meta` of CommonJS empty. */
const META_URL = 'const __metaUrl = require("node:url").pathToFileURL(__filename).href;';

/** @returns the files that were bundled, by their paths from the root */
export async function buildLibrary(root: string, outDir: string): Promise<string[]> {
  const { browser, ...sharing } = ENTRY_POINTS;
  const results = await Promise.all([
    build({
      ...nodeOptions(root, outDir),
      splitting: true,
      entryPoints: sharing,
      define: WORKER,
    }),
    build({
      ...nodeOptions(root),
      stdin: { contents: namespaces(sharing), resolveDir: root, sourcefile: 'shared.js' },
      outfile: join(outDir, 'shared.cjs'),
      format: 'cjs',
      sourcemap: false,
      banner: { js: META_URL },
      define: { ...WORKER, 'import.meta.url': '__metaUrl' },
    }),
    build({
      ...commonOptions(root),
      splitting: true,
      entryPoints: { browser, ...BROWSER_MODULES },
      chunkNames: 'browser-[hash]',
      outdir: outDir,
      outExtension: { '.js': '.mjs' },
      platform: 'browser',
      format: 'esm',
      keepNames: false,
    }),
  ]);
  for (const name of Object.keys(sharing)) {
    writeFileSync(
      join(outDir, `${name}.cjs`),
      `module.exports = require('./shared.cjs')[${JSON.stringify(name)}];\n`,
    );
  }
  return results.flatMap(({ metafile }) => Object.keys(metafile!.inputs));
}

/** A CommonJS module that exports each entry point as an object and loads it when it is read: one needs other packages. */
function namespaces(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([name, source]) => {
      const load = `require(${JSON.stringify(`./${source}`)})`;
      return `Object.defineProperty(exports, ${JSON.stringify(name)}, { get: () => ${load} });`;
    })
    .join('\n');
}
