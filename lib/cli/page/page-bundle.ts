/** Bundles the scripts of the page: its own, and those of its threads. */
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const BROWSER_FOLDER = fileURLToPath(new URL('browser/', import.meta.url));

const OPTIONS = {
  absWorkingDir: BROWSER_FOLDER,
  // By the names under which the page finds them.
  entryPoints: {
    page: 'page.js',
    'solver-worker': 'puzzles/solver-worker.ts',
    'task-worker': 'puzzles/task-worker.ts',
  },
  outdir: '.',
  // The page and its threads share most of the library.
  splitting: true,
  chunkNames: 'shared-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** @returns the scripts by their names, such as `page.js` */
export async function bundlePage(): Promise<ReadonlyMap<string, string>> {
  // The package has the bundles, and not esbuild.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...OPTIONS, write: false });
  return new Map(outputFiles.map(({ path, text }) => [path.split(/[\\/]/).at(-1)!, text]));
}
