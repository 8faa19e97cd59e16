/**
 * Bundles the functions, with the same options for the deployed stack and the local stack.
 *
 * The bundles are ES modules named `.mjs`. They contain the AWS SDK, so that the tested version is the deployed one.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** The Lambda entries: their files in this folder without `.ts`. The handler is `<name>.handler`. */
export const FUNCTION_NAMES = [
  'solve-batch',
  'plan-shards',
  'count-shard',
  'solve-shard',
  'merge-shards',
  'sweep-inbox',
  'run-step',
] as const;

export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** Functions that solve in several threads, so their bundle includes the code of a worker thread. */
const THREADED: readonly FunctionName[] = ['solve-batch', 'solve-shard'];

/**
 * esbuild's options for one function.
 *
 * @param root absolute path of the project
 * @param outDir absolute path of the folder that becomes the function's code: `<name>.mjs`, `solver-worker.mjs` for a
 *   function with threads, and their source maps
 */
export function bundleOptions(name: FunctionName, root: string, outDir: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: {
      [name]: `functions/${name}.ts`,
      // The worker pool expects the worker's code next to its own.
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
    // Some dependencies are CommonJS and call require, which an ES module lacks.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    define: { __PROGRAM_VERSION__: JSON.stringify(programVersion(root)) },
    logLevel: 'warning',
  };
}

/** Folders with the sources of the functions; the lockfile contains the versions of their dependencies. */
const SOURCE_FOLDERS = [
  'functions',
  ...['aws', 'batch', 'exact-cover', 'formats', 'node', 'sudoku'].map((name) => `lib/${name}`),
];
const LOCKFILE = 'package-lock.json';

/**
 * The version of the program, part of each bundle: 16 hex digits of SHA-256 over the sources of all functions. It is the
 * same for all functions of a deployment and on every machine, as it contains neither absolute paths nor times.
 *
 * @param root absolute path of the project
 */
export function programVersion(root: string): string {
  return digestOf(root, [...programSources(root), LOCKFILE]);
}

/** 16 hex digits of SHA-256 over files, given by their paths from the root, and over these paths. */
export function digestOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Paths of the sources of all functions, or of other folders, from the project's root, in a fixed order. */
export function programSources(root: string, folders = SOURCE_FOLDERS): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[jt]s$/.test(name))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    )
    .sort();
}
