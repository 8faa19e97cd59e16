/**
 * Builds the WebAssembly modules of the project from their AssemblyScript sources.
 *
 *     node test/wasm/build.ts      writes every module of WASM_MODULES
 *
 * Sources end in `.as`, so that tsc and the linter do not read them as TypeScript; the compiler, which expects `.ts`,
 * is given that name. The binary is written as text to a TypeScript module, so that it runs from source, in a bundle
 * and in a browser, without a file to find or a build step.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** One binary; paths are relative to the root of the project, flags are those of the compiler. */
export interface WasmModule {
  /** The TypeScript module that holds the binary. */
  readonly path: string;
  /** The constant that it exports. */
  readonly constant: string;
  /** The program that the binary holds, for the module's doc comment. */
  readonly program: string;
  /** Folder of the sources, with a trailing slash. */
  readonly folder: string;
  /** The sources whose exports are those of the module, without their ending. */
  readonly entries: readonly string[];
  readonly flags: readonly string[];
}

export const WASM_MODULES: readonly WasmModule[] = [
  {
    path: 'lib/exact-cover/wasm-module.ts',
    constant: 'EXACT_COVER_WASM',
    program: 'the exact-cover core',
    folder: 'lib/exact-cover/wasm/',
    entries: ['search'],
    // -O3 makes it slower: 1.02 times the time on hard puzzles. -O2 is 1.03 times as fast, and 290 bytes more for a page.
    flags: ['-O2s', '--importMemory', '--noExportMemory'],
  },
  {
    // Apart, as most pages have no multiplicities and no costs.
    path: 'lib/exact-cover/decisions-wasm-module.ts',
    constant: 'DECISIONS_WASM',
    program: 'the exact-cover core with multiplicities and costs',
    folder: 'lib/exact-cover/wasm/',
    entries: ['decide'],
    flags: ['-O2s', '--importMemory', '--noExportMemory'],
  },
  {
    path: 'lib/sudoku/engines/bitboard/wasm-module.ts',
    constant: 'NINE_SEARCH_WASM',
    program: 'the search of a 9x9 on boards',
    folder: 'lib/sudoku/engines/bitboard/wasm/',
    entries: ['search'],
    flags: ['-O3'],
  },
  {
    path: 'lib/sudoku/nine-blocks/wasm-module.ts',
    constant: 'NINE_BLOCKS_WASM',
    program: 'many 9x9 grids at a time',
    folder: 'lib/sudoku/nine-blocks/wasm/',
    entries: ['blocks'],
    flags: ['-O3'],
  },
];

const ROOT = new URL('../../', import.meta.url);

/**
 * Compiles a module.
 *
 * @returns the text of its TypeScript module, and the paths of all sources that were read
 * @throws Error with the compiler's messages if it fails
 */
export async function buildWasm(module: WasmModule): Promise<{ text: string; sources: string[] }> {
  const sources: string[] = [];
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      ...module.entries.map((entry) => `${entry}.ts`),
      ...module.flags,
      ...['--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--outFile', 'out.wasm'],
    ],
    {
      readFile: (name) => {
        const path = `${module.folder}${name.replace(/\.ts$/, '.as')}`;
        // The compiler searches several paths for a name, also for its configuration.
        if (!path.endsWith('.as') || !existsSync(new URL(path, ROOT))) return null;
        sources.push(path);
        return readFileSync(new URL(path, ROOT), 'utf8');
      },
      writeFile: (_name, contents) => {
        binary = typeof contents === 'string' ? undefined : contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(`asc failed: ${error?.message}\n${stderr}`);
  return { text: textOf(module, binary), sources };
}

function textOf({ constant, program, folder, entries }: WasmModule, binary: Uint8Array): string {
  return `/**
 * The WebAssembly of ${program}, in hexadecimal digits. test/wasm/build.ts makes it; entries are
${entries.map((entry) => ` * - ${folder}${entry}.as`).join('\n')}
 */
export const ${constant} =
  '${Buffer.from(binary).toString('hex')}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const module of WASM_MODULES) {
    writeFileSync(new URL(module.path, ROOT), (await buildWasm(module)).text);
  }
}
