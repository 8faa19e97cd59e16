/**
 * Instances of the WebAssembly of the core. The sources are in wasm/ (AssemblyScript), the binaries in wasm-module.ts and
 * decisions-wasm-module.ts.
 *
 * A module has no memory of its own. Its code is compiled once; each problem has its own instance, with a memory that is laid out by
 * search-memory.ts. Instances of small memories are used again once they are released: a new one takes longer than most small
 * searches.
 */
import { instantiateWasm, type WasmMemory, webAssembly } from './compile-wasm.ts';
import type { ExactCoverProblem } from './problem.ts';
import { createSearchMemory, type SearchMemory } from './search-memory.ts';

/** Larger problems use TypeScript: such a memory may not be available, and addresses must stay below 2^31. */
const MAX_BYTES = 2 ** 30;
const PAGE_BYTES = 65_536;
/** Largest memory that is used again. */
const KEPT_BYTES = 2 ** 20;

interface Instance {
  readonly memory: WasmMemory;
  readonly exports: object;
}

/** The memory of a problem, the exports of a module for it, and what gives both to another problem. */
export interface WasmInstance {
  readonly memory: SearchMemory;
  readonly exports: object;
  readonly release: () => void;
}

/** By module: an instance that is not in use. */
const released = new Map<string, Instance>();

/**
 * Creates the memory of a problem, and an instance of a module for it.
 *
 * @param hex the module
 * @param isPriced as for `createSearchMemory`
 * @returns undefined if WebAssembly is not available or the problem is too large for it
 */
export function createInstance(
  problem: ExactCoverProblem,
  hex: string,
  isPriced = false,
): WasmInstance | undefined {
  try {
    const instance = released.get(hex) ?? newInstance(hex);
    if (instance === undefined) return undefined;
    released.delete(hex);
    const memory = createSearchMemory(problem, 4, (bytes) => cleared(instance.memory, bytes), isPriced);
    const release = () => {
      if (instance.memory.buffer.byteLength <= KEPT_BYTES) released.set(hex, instance);
    };
    return { memory, exports: instance.exports, release };
  } catch (error) {
    // The problem is too large, or there is no address space, of which a memory reserves much more than it has bytes.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function newInstance(hex: string): Instance | undefined {
  const { Memory } = webAssembly() ?? {};
  if (Memory === undefined) return undefined;
  const memory = new Memory({ initial: 1 });
  const exports = instantiateWasm(hex, { env: { memory } });
  return exports && { memory, exports };
}

/** A memory of at least so many bytes, all 0. */
function cleared(memory: WasmMemory, bytes: number): ArrayBuffer {
  if (bytes > MAX_BYTES) throw new RangeError('too large');
  const { byteLength } = memory.buffer;
  new Uint8Array(memory.buffer, 0, Math.min(bytes, byteLength)).fill(0);
  if (bytes > byteLength) memory.grow(Math.ceil((bytes - byteLength) / PAGE_BYTES));
  return memory.buffer;
}
