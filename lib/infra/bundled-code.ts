import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { buildSync } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../functions/bundle.ts';
import { prebuiltCode } from '../../functions/prebuilt.ts';

/** Absolute path of the project, in a checkout. */
const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The code of a function: in the package the archive that its build made; in a checkout bundled now, with the options of
 * `functions/bundle.ts`: the same bundle that the local stack runs.
 *
 * The asset is named by the hash of its content, so a deployment without code changes uploads no code.
 *
 * @throws Error with esbuild's messages if the function does not build
 */
export function bundledCode(name: FunctionName): Code {
  const archive = prebuiltCode(name);
  return archive === undefined ? codeBundledNow(name) : Code.fromAsset(archive);
}

/**
 * esbuild runs in this process during synthesis, without Docker or network. It is loaded here, as the package's users
 * need not have it.
 */
function codeBundledNow(name: FunctionName): Code {
  return Code.fromAsset(`${PROJECT_ROOT}functions`, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK requires a fallback image; it is never pulled, as the local bundling never declines.
      image: DockerImage.fromRegistry('local-bundling-only'),
      // Never run; but the CDK treats assets of one folder with the same command as one asset.
      command: [name],
      local: {
        tryBundle(outDir) {
          const esbuild = createRequire(import.meta.url)('esbuild') as {
            readonly buildSync: typeof buildSync;
          };
          esbuild.buildSync(bundleOptions(name, PROJECT_ROOT, outDir));
          return true;
        },
      },
    },
  });
}
