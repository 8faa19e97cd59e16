/**
 * Builds the WebAssembly of lib/sudoku/nine-blocks from its AssemblyScript source.
 *
 *     node test/sudoku/nine-blocks-build.ts      writes lib/sudoku/nine-blocks/wasm-module.ts anew
 *
 * The source ends in `.as`, so that neither tsc nor the linter takes it for TypeScript.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const FOLDER = new URL('../../lib/sudoku/nine-blocks/', import.meta.url);

/** @throws Error with the compiler's messages where it fails */
export async function buildNineBlocks(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      'blocks.ts',
      '-O3',
      '--converge',
      '--noAssert',
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--outFile',
      'o.wasm',
    ],
    {
      readFile: (name) => (name === 'blocks.ts' ? readFileSync(new URL('blocks.as', FOLDER), 'utf8') : null),
      writeFile: (_name, contents) => {
        binary = typeof contents === 'string' ? undefined : contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(`asc failed: ${error?.message}\n${stderr}`);
  return binary;
}

/** The TypeScript module that holds a binary. */
export function nineBlocksText(binary: Uint8Array): string {
  return `/**
 * The WebAssembly of blocks.as, built by test/sudoku/nine-blocks-build.ts. Here in base64, so that it runs from
 * source, in a bundle and in a browser alike, with no file to find and no build step.
 */
export const WASM_BASE64 =
  '${Buffer.from(binary).toString('base64')}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('wasm-module.ts', FOLDER), nineBlocksText(await buildNineBlocks()));
}
