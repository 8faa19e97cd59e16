/** The command: one file with all that it may load, its worker thread, and the files that it reads. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundlePage } from '../../lib/cli/page/page-bundle.ts';
import { nodeOptions } from './options.ts';

/** Files that the command reads next to itself, and that need no bundling. */
const PAGE = 'lib/cli/page/browser';
const RUNTIME_CLIENT = ['runtime-client.mjs', 'follow-parent.mjs'];

/** Some dependencies are CommonJS and call require, which an ES module lacks. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

/** @returns the files that were bundled, by their paths from the root */
export async function buildCommand(root: string, outDir: string): Promise<string[]> {
  const { metafile } = await build({
    ...nodeOptions(root, outDir),
    entryPoints: { program: 'lib/cli/program.ts', 'solver-worker': 'lib/node/solver-worker.ts' },
    // Without splitting, modules that a command imports when it runs are in the same file, and start then.
    splitting: false,
    banner: { js: REQUIRE },
  });
  mkdirSync(join(outDir, 'browser'), { recursive: true });
  for (const name of RUNTIME_CLIENT) {
    copyFileSync(join(root, 'lib/local/functions', name), join(outDir, name));
  }
  for (const name of readdirSync(join(root, PAGE))) {
    if (/\.(css|svg)$/.test(name)) copyFileSync(join(root, PAGE, name), join(outDir, 'browser', name));
  }
  for (const [name, script] of await bundlePage()) writeFileSync(join(outDir, 'browser', name), script);
  return Object.keys(metafile!.inputs);
}
