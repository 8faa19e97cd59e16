/** The declarations of the library: one file for each entry point, from those that `tsc -b` has written. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { ENTRY_POINTS } from './options.ts';

/** `outDir` in tsconfig.json. */
const TSC_OUTPUT = 'node_modules/.cache/types';

/** The function with which the declarations of an entry point begin: the first that a reader wants. */
const OPENINGS: Readonly<Record<string, string>> = {
  index: 'solve',
  browser: 'solve',
  'exact-cover': 'exactCover',
};

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
    const opening = OPENINGS[name];
    if (opening !== undefined) moveToFront(join(outDir, `${name}.d.mts`), opening);
    // TypeScript takes the format of a module from the name of its declarations. The browser's has no CommonJS.
    if (name !== 'browser') copyFileSync(join(outDir, `${name}.d.mts`), join(outDir, `${name}.d.cts`));
  }
  return [];
}

/** Moves a function with its comment to the beginning: bundles have the types that a function uses before it. */
function moveToFront(path: string, name: string): void {
  const text = readFileSync(path, 'utf8');
  const found = new RegExp(`^(?:export )?declare function ${name}[(<].*;\\n`, 'm').exec(text);
  if (found === null) throw new Error(`${path} has no function ${name}`);
  const from = text.lastIndexOf('\n/**\n', found.index) + 1;
  const to = found.index + found[0].length;
  // Imports come first.
  const imports = /^(?:import .*\n)*/.exec(text)![0].length;
  writeFileSync(
    path,
    text.slice(0, imports) + text.slice(from, to) + text.slice(imports, from) + text.slice(to),
  );
}
