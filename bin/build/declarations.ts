/** The declarations of the library: one file for each entry point, from those that `tsc -b` has written. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { ENTRY_POINTS } from './options.ts';

/** `outDir` in tsconfig.json. */
const TSC_OUTPUT = 'node_modules/.cache/types';

/** @returns no files: declarations contain no code of packages */
export async function buildDeclarations(root: string, outDir: string): Promise<string[]> {
  for (const [name, source] of Object.entries(ENTRY_POINTS)) {
    // Each alone: entry points of one build share chunks.
    const bundle = await rolldown({
      input: { [name]: join(root, TSC_OUTPUT, source.replace(/\.ts$/, '.d.ts')) },
      // Packages and Node's modules stay imports.
      external: /^[^./]/,
      plugins: [dts({ dtsInput: true, tsconfig: false, generator: 'oxc' })],
    });
    await bundle.write({ dir: outDir, entryFileNames: '[name].d.mts' });
    await bundle.close();
    // TypeScript takes the format of a module from the name of its declarations. The browser's has no CommonJS.
    if (name !== 'browser') copyFileSync(join(outDir, `${name}.d.mts`), join(outDir, `${name}.d.cts`));
  }
  return [];
}
