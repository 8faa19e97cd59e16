/**
 * The library and the construct, as ES modules and as CommonJS.
 *
 * Entry points of one format share their code, so that an error of one is an instance of the class that another exports:
 * the ES modules in common chunks, CommonJS in `shared.cjs`. The browser's is one ES module with all its code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { commonOptions, ENTRY_POINTS, nodeOptions, SOURCE_MAP } from './options.ts';

/** esbuild leaves `import.meta` of CommonJS empty. */
const META_URL = 'const __metaUrl = require("node:url").pathToFileURL(__filename).href;';

/** @returns the files that were bundled, by their paths from the root */
export async function buildLibrary(root: string, outDir: string): Promise<string[]> {
  const { browser, ...sharing } = ENTRY_POINTS;
  const results = await Promise.all([
    build({
      ...nodeOptions(root, outDir),
      splitting: true,
      entryPoints: { ...sharing, 'solver-worker': 'lib/node/solver-worker.ts' },
    }),
    build({
      ...nodeOptions(root),
      stdin: { contents: namespaces(sharing), resolveDir: root, sourcefile: 'shared.js' },
      outfile: join(outDir, 'shared.cjs'),
      format: 'cjs',
      sourcemap: false,
      banner: { js: META_URL },
      define: { 'import.meta.url': '__metaUrl' },
    }),
    build({
      ...commonOptions(root),
      ...SOURCE_MAP,
      entryPoints: { browser },
      outdir: outDir,
      outExtension: { '.js': '.mjs' },
      platform: 'browser',
      target: 'es2022',
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
