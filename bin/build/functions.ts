/** The code of the functions, compressed, and the template of the stack. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleOptions, FUNCTION_NAMES } from '../../functions/bundle.ts';
import { codeFile, PREBUILT_TEMPLATE } from '../../functions/prebuilt.ts';
import { writeProgram } from '../../lib/local/deployments.ts';

/** @returns the files that were bundled, by their paths from the root */
export async function buildFunctions(root: string, outDir: string): Promise<string[]> {
  mkdirSync(outDir, { recursive: true });
  const inputs = await Promise.all(
    FUNCTION_NAMES.map(async (name) => {
      const { outputFiles, metafile } = await build({
        ...bundleOptions(name, root, outDir),
        sourcemap: false,
        // `licences.ts` writes them to a file.
        legalComments: 'none',
        metafile: true,
        write: false,
      });
      const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
      writeFileSync(join(outDir, codeFile(name)), gzipSync(JSON.stringify(files), { level: 9 }));
      return Object.keys(metafile.inputs);
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-build-'));
  try {
    await writeProgram(folder);
    copyFileSync(join(folder, 'template.json'), join(outDir, PREBUILT_TEMPLATE));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return inputs.flat();
}
