import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../functions/bundle.ts';

/** Absolute path of the project. */
const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The code of a function, as `functions/bundle.ts` says: the very bundle that runs on this machine.
 *
 * esbuild makes it in this process at synthesis, with no Docker and no network. Its name is the hash of what came
 * out, so a deployment that changes no code uploads none.
 *
 * @throws an Error with esbuild's messages where the function does not build
 */
export function bundledCode(name: FunctionName): Code {
  return Code.fromAsset(`${PROJECT_ROOT}functions`, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK asks for an image to fall back on; it is never pulled, since the local bundling never declines.
      image: DockerImage.fromRegistry('local-bundling-only'),
      // Nor is this run; but the CDK takes assets from the same folder for one and the same where it is the same.
      command: [name],
      local: {
        tryBundle(outDir) {
          buildSync(bundleOptions(name, PROJECT_ROOT, outDir));
          return true;
        },
      },
    },
  });
}
