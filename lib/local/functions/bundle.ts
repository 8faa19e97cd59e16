/** Builds a function's code as the stack ships it, for the function host to run. */
import { fileURLToPath } from 'node:url';
import { build as esbuild, stop } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../../functions/bundle.ts';
import { buildOnce } from '../build-cache.ts';

const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds under way. */
let building = 0;

/**
 * Bundles a function into a folder, which is made if missing: `<name>.mjs` and its source map.
 *
 * @param outDir absolute path
 * @param root absolute path of the project: the folder that has `functions/`
 * @throws BuildFailure of esbuild, with the places in the source, where the code does not build
 */
export function bundleFunction(name: FunctionName, outDir: string, root = PROJECT_ROOT): Promise<void> {
  return bundleFunctions([name], outDir, root);
}

/** Bundles functions into one folder, as `bundleFunction` does one by one, in a fraction of that time. */
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
      entryPoints: Object.assign({}, ...options.map((one) => one.entryPoints)),
    });
  } finally {
    // esbuild's own process would stay for as long as this one, and a stack may serve for days.
    if (--building === 0) await stop();
  }
}
