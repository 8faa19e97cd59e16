import { compileWasm, webAssembly } from '../exact-cover/compile-wasm.ts';

/** A module's exports, with memory of their own; undefined where there is no WebAssembly, or none with SIMD. */
export function instantiateWasm(base64: string): object | undefined {
  const api = webAssembly();
  const module = api && compileWasm(api, base64);
  return module && new api.Instance(module).exports;
}
