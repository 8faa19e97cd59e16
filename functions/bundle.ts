/**
 * How the functions are bundled: one place for the stack, which ships the bundle, and for the stack on this
 * machine, which runs the very same one.
 *
 * ES modules with an `.mjs` ending; the AWS SDK is bundled too, so that what was tested is what runs.
 */
import type { BuildOptions } from 'esbuild';

/** Name of a Lambda entry: its file in this folder without `.ts`. The handler is `<name>.handler`. */
export type FunctionName =
  | 'solve-batch'
  | 'plan-shards'
  | 'count-shard'
  | 'solve-shard'
  | 'merge-shards'
  | 'sweep-inbox'
  | 'run-step';

/** Functions that solve in several threads, and so ship the code of a worker thread. */
const THREADED: readonly FunctionName[] = ['solve-batch', 'solve-shard'];

/**
 * esbuild's options for one function.
 *
 * @param name which function
 * @param root absolute path of the project
 * @param outDir absolute path of the folder that becomes the function's code: `<name>.mjs`, for a function with threads
 *   `solver-worker.mjs`, and their source maps
 */
export function bundleOptions(name: FunctionName, root: string, outDir: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: {
      [name]: `functions/${name}.ts`,
      // The pool of worker threads expects its worker's code next to its own.
      ...(THREADED.includes(name) && { 'solver-worker': 'lib/node/solver-worker.ts' }),
    },
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    // Some dependencies are CommonJS and call require; an ES module has none of its own.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  };
}
