/** Bundles functions as the stack deploys them, for the function host. The package has them already bundled. */
import { fileURLToPath } from 'node:url';
import { bundleOptions, type FunctionName } from '../../../functions/bundle.ts';
import { prebuiltCode } from '../../../functions/prebuilt.ts';
import { buildOnce } from '../build-cache.ts';
import { unpackCode } from './code-archive.ts';

export { FUNCTION_NAMES } from '../../../functions/bundle.ts';

const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Number of running builds. */
let building = 0;

/**
 * Writes functions to a folder, which is created if missing: for each `<name>.mjs`, in a checkout with its source map.
 * One build takes a fraction of the time of separate ones.
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
  const archives = names.map(prebuiltCode).filter((path) => path !== undefined);
  if (archives.length > 0) {
    for (const path of archives) unpackCode(path, outDir);
    return;
  }
  await buildOnce(`functions-${[...names].sort().join('-')}`, outDir, (folder) => build(names, folder, root));
}

async function build(names: readonly FunctionName[], outDir: string, root: string): Promise<void> {
  const options = names.map((name) => bundleOptions(name, root, outDir));
  // The package does not contain esbuild.
  const { build: esbuild, stop } = await import('esbuild');
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
