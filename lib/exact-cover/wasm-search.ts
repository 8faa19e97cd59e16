/**
 * The search in WebAssembly. The sources in wasm/ (AssemblyScript) correspond to kernel.ts, choice.ts and
 * plain-search.ts; the binary is in wasm-module.ts.
 *
 * The module has no memory of its own. The code is compiled once; each problem has its own instance, with a memory of
 * the problem's size laid out by search-memory.ts.
 */
import { compileWasm, type WebAssemblyApi, webAssembly } from './compile-wasm.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search, SearchStop } from './search.ts';
import { createSearchMemory, type SearchMemory, searchBytes } from './search-memory.ts';
import { EXACT_COVER_WASM } from './wasm-module.ts';

/** Larger problems use TypeScript: such a memory may not be available, and addresses must stay below 2^31. */
const MAX_BYTES = 2 ** 30;
const PAGE_BYTES = 65_536;

interface SearchExports {
  begin(few: number): void;
  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: number): number;
  rewind(): void;
}

/** The compiled module, from the first problem on; null if WebAssembly has no SIMD. */
let compiled: object | null | undefined;

/** Creates the search in WebAssembly; undefined if it is not available or the problem is too large for it. */
export function createWasmSearch(problem: ExactCoverProblem): Search | undefined {
  const api = webAssembly();
  const bytes = searchBytes(problem);
  if (api === undefined || bytes > MAX_BYTES) {
    return undefined;
  }
  if (compiled === undefined) {
    compiled = compileWasm(api, EXACT_COVER_WASM) ?? null;
  }
  const memory = compiled === null ? undefined : allocate(api, Math.ceil(bytes / PAGE_BYTES));
  if (compiled === null || memory === undefined) {
    return undefined;
  }
  const searchMemory = createSearchMemory(problem, memory.buffer, 4);
  const { exports } = new api.Instance(compiled, { env: { memory } });
  return new WasmSearch(searchMemory, exports as SearchExports);
}

/**
 * Allocates a memory; undefined if this fails, because a memory reserves much more address space than it has bytes.
 */
function allocate(api: WebAssemblyApi, pages: number): { readonly buffer: ArrayBuffer } | undefined {
  try {
    return new api.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

class WasmSearch implements Search {
  readonly memory: SearchMemory;
  private readonly wasm: SearchExports;

  constructor(memory: SearchMemory, wasm: SearchExports) {
    this.memory = memory;
    this.wasm = wasm;
  }

  begin(few: boolean): void {
    this.wasm.begin(few ? 1 : 0);
  }

  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    return this.wasm.run(maxSolutions, maxNodes, sliceNodes, pauseAtSolution ? 1 : 0) as SearchStop;
  }

  rewind(): void {
    this.wasm.rewind();
  }
}
