/**
 * The search in WebAssembly: the sources are in wasm/ (AssemblyScript), file by file what linking.ts, choice.ts,
 * covering.ts and plain-search.ts are, the binary in wasm-module.ts.
 *
 * The module has no memory of its own. Each problem brings one, laid out in search-memory.ts and as large as the
 * problem, and an instance that works on it; the code is compiled once.
 */
import { compileWasm, type WebAssemblyApi, webAssembly } from './compile-wasm.ts';
import { createPlainSearch } from './plain-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search, SearchStop } from './search.ts';
import { createSearchMemory, type SearchMemory, searchBytes } from './search-memory.ts';
import { EXACT_COVER_WASM } from './wasm-module.ts';

/** Larger problems are for TypeScript: a memory of this size may not be had, and addresses must stay below 2^31. */
const MAX_BYTES = 2 ** 30;
/**
 * With fewer entries a problem is mostly solved in less time than a memory and an instance take: 0.2 ms, where the
 * tables of a 9x9 sudoku, with 2,916, take 0.35 ms.
 */
const MIN_WASM_ENTRIES = 500;
const PAGE_BYTES = 65_536;

interface SearchExports {
  begin(): void;
  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: number): number;
  rewind(): void;
}

/** Compiled for the first problem; null where WebAssembly has no SIMD. */
let compiled: object | null | undefined;

/** The search that should be over first. */
export function createFastestSearch(problem: ExactCoverProblem): Search {
  const isSmall = problem.items.length < MIN_WASM_ENTRIES;
  return (isSmall ? undefined : createWasmSearch(problem)) ?? createPlainSearch(problem);
}

/** The search in WebAssembly; undefined where there is none, or the problem is too large for it. */
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

/** Memories take much more of the address space than they have bytes, so that there may be none left to be had. */
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

  begin(): void {
    this.wasm.begin();
  }

  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    return this.wasm.run(maxSolutions, maxNodes, sliceNodes, pauseAtSolution ? 1 : 0) as SearchStop;
  }

  rewind(): void {
    this.wasm.rewind();
  }
}
