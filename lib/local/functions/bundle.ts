/** Bundles functions as the stack deploys them, for the function host. */
import { fileURLToPath } from 'node:url';
import { build as esbuild, stop } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../../functions/bundle.ts';
import { buildOnce } from '../build-cache.ts';

const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Number of running builds. */
let building = 0;

/**
 * Bundles functions into a folder, which is created if missing: for each `<name>.mjs` and its source map. One build
 * takes a fraction of the time of separate ones.
 *
 * @param outDir absolute path
 * @param root absolute path of the project: the folder that has `functions/`
 * @throws BuildFailure of esbuild, with source locations, if the code does not build
 */
export async function bundleFunctions(
  names: readonly FunctionName[],
  outDir: string,
  root = PROJECT_ROOT,
): Promise<void> {
  if (root !== PROJECT_ROOT) return build(names, outDir, root);
  await buildOnce(`functions-${[...names].sort().join('-')}`, outDir, (folder) => build(names, folder, root));
}

async function build(names: readonly FunctionName[], outDir: string, root: string): Promise<void> {
  const options = names.map((name) => bundleOptions(name, root, outDir));
  building++;
  try {
    await esbuild({
      ...options[0],
      entryPoints: Object.assign({}, ...options.map((each) => each.entryPoints)),
    });
  } finally {
    // Otherwise esbuild's process runs as long as this one, and a stack may run for days.
    if (--building === 0) await stop();
  }
}
