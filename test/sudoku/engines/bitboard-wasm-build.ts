/**
 * Builds the WebAssembly of both 9x9 searches, the bitboard's and that of dlx, from their AssemblyScript sources.
 *
 *     node test/sudoku/engines/bitboard-wasm-build.ts      writes lib/sudoku/engines/bitboard/wasm-module.ts anew
 *
 * The sources end in `.as`, so that neither tsc nor the linter takes them for TypeScript.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const ENGINES = new URL('../../../lib/sudoku/engines/', import.meta.url);
const MODULE = new URL('bitboard/wasm-module.ts', ENGINES);

/**
 * Compiles `simd/search.as` of both engines and what they import: one module, as they share their propagation.
 *
 * @throws Error with the compiler's messages where it fails
 */
export async function buildBitboardWasm(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      'bitboard/simd/search.ts',
      'dlx/simd/search.ts',
      '-O3',
      '--converge',
      '--noAssert',
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--outFile',
      'search.wasm',
    ],
    {
      readFile: (name) => {
        const isOurs = /^[a-z]+\/simd\/[a-z]+\.ts$/.test(name);
        return isOurs ? readFileSync(new URL(name.replace(/ts$/, 'as'), ENGINES), 'utf8') : null;
      },
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
export function moduleText(binary: Uint8Array): string {
  return `/**
 * The WebAssembly of the 9x9 searches of bitboard and dlx, built from bitboard/simd and dlx/simd by
 * test/sudoku/engines/bitboard-wasm-build.ts. Here in base64, so that it runs from source, in a bundle and in a
 * browser alike, with no file to find and no build step.
 */
export const WASM_BASE64 =
  '${Buffer.from(binary).toString('base64')}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(MODULE, moduleText(await buildBitboardWasm()));
}
