/** Builds a function's code as the stack ships it, for the function host to run. */
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../../functions/bundle.ts';

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
export async function bundleFunction(name: FunctionName, outDir: string, root = PROJECT_ROOT): Promise<void> {
  building++;
  try {
    await build(bundleOptions(name, root, outDir));
  } finally {
    // esbuild's own process would stay for as long as this one, and a stack may serve for days.
    if (--building === 0) await stop();
  }
}
