/**
 * Instances of the WebAssembly of the core. The sources are in wasm/ (AssemblyScript), the binaries in wasm-module.ts and
 * decisions-wasm-module.ts.
 *
 * A module has no memory of its own. Its code is compiled once; each problem has its own instance, with a memory of the
 * problem's size laid out by search-memory.ts.
 */
import { compileWasm, webAssembly } from './compile-wasm.ts';
import type { ExactCoverProblem } from './problem.ts';
import { createSearchMemory, type SearchMemory, searchBytes } from './search-memory.ts';

/** Larger problems use TypeScript: such a memory may not be available, and addresses must stay below 2^31. */
const MAX_BYTES = 2 ** 30;
const PAGE_BYTES = 65_536;

/**
 * Creates the memory of a problem, and an instance of a module for it.
 *
 * @param hex the module
 * @param more as for `createSearchMemory`
 * @returns undefined if WebAssembly is not available or the problem is too large for it
 */
export function createInstance(
  problem: ExactCoverProblem,
  hex: string,
  more: readonly number[] = [],
): { readonly memory: SearchMemory; readonly exports: object } | undefined {
  const api = webAssembly();
  const bytes = searchBytes(problem, more);
  if (api === undefined || bytes > MAX_BYTES) return undefined;
  const compiled = compileWasm(api, hex);
  if (compiled === undefined) return undefined;
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    const memory = new api.Memory({ initial: pages, maximum: pages });
    const searchMemory = createSearchMemory(problem, memory.buffer, 4, more);
    return { memory: searchMemory, exports: new api.Instance(compiled, { env: { memory } }).exports };
  } catch (error) {
    // A memory reserves much more address space than it has bytes.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
