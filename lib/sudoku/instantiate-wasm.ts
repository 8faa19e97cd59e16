import { compileWasm, webAssembly } from '../exact-cover/compile-wasm.ts';

/** Instantiates a module with its own memory and returns its exports; undefined without WebAssembly or SIMD. */
export function instantiateWasm(base64: string): object | undefined {
  const api = webAssembly();
  const module = api && compileWasm(api, base64);
  return module && new api.Instance(module).exports;
}
