/**
 * Builds the exact-cover core's WebAssembly from its AssemblyScript source.
 *
 *     node test/exact-cover/wasm-build.ts      writes lib/exact-cover/wasm-module.ts anew
 *
 * The sources end in `.as`, so that neither tsc nor the linter takes them for TypeScript.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const CORE = new URL('../../lib/exact-cover/', import.meta.url);
const MODULE = new URL('wasm-module.ts', CORE);

/**
 * Compiles `wasm/search.as` and what it imports.
 *
 * @throws Error with the compiler's messages where it fails
 */
export async function buildExactCoverWasm(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      'search.ts',
      // -O3 makes it slower: 1.02 times the time on hard puzzles.
      '-O2',
      '--converge',
      '--noAssert',
      '--runtime',
      'stub',
      '--importMemory',
      '--enable',
      'simd',
      '--outFile',
      'search.wasm',
    ],
    {
      readFile: (name) => {
        const isOurs = /^[a-z]+\.ts$/.test(name);
        return isOurs ? readFileSync(new URL(`wasm/${name.replace(/ts$/, 'as')}`, CORE), 'utf8') : null;
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
 * The WebAssembly of the exact-cover core, built from wasm/search.as by test/exact-cover/wasm-build.ts. Here in
 * base64, so that it runs from source, in a bundle and in a browser alike, with no file to find and no build step.
 */
export const WASM_BASE64 =
  '${Buffer.from(binary).toString('base64')}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(MODULE, moduleText(await buildExactCoverWasm()));
}
