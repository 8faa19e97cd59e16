import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { buildSync } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../functions/bundle.ts';

/**
 * The folder of this module; in the package, that of the construct's module, into which this one is bundled. A CommonJS
 * build has `__dirname` and no `import.meta.url`, an ES module the reverse.
 */
const HERE = typeof __dirname === 'string' ? __dirname : dirname(fileURLToPath(import.meta.url));

/**
 * The code of a function: in the package its bundle, which the build created under `functions/<name>/`; in a checkout,
 * which has no such folder here, bundled now with the options of `functions/bundle.ts`: the same bundle that the local
 * stack runs.
 *
 * The asset is named by the hash of its content, so a deployment without code changes uploads no code.
 *
 * @throws Error with esbuild's messages if the function does not build
 */
export function bundledCode(name: FunctionName, builtFolder = join(HERE, 'functions')): Code {
  const built = join(builtFolder, name);
  return existsSync(built) ? Code.fromAsset(built) : codeBundledNow(name, join(HERE, '../..'));
}

/**
 * esbuild runs in this process during synthesis, without Docker or network. It is loaded here, as the package's users
 * need not have it.
 *
 * @param root absolute path of the project
 */
function codeBundledNow(name: FunctionName, root: string): Code {
  return Code.fromAsset(join(root, 'functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK requires a fallback image; it is never pulled, as the local bundling never declines.
      image: DockerImage.fromRegistry('local-bundling-only'),
      // Never run; but the CDK treats assets of one folder with the same command as one asset.
      command: [name],
      local: {
        tryBundle(outDir) {
          const esbuild = createRequire(join(HERE, 'bundled-code.ts'))('esbuild') as {
            readonly buildSync: typeof buildSync;
          };
          esbuild.buildSync(bundleOptions(name, root, outDir));
          return true;
        },
      },
    },
  });
}
