import { compileWasm, webAssembly } from '../exact-cover/compile-wasm.ts';

/**
 * Instantiates a module with its own memory and returns its exports; undefined without WebAssembly or SIMD.
 *
 * @param hex the binary in hexadecimal digits
 */
export function instantiateWasm(hex: string): object | undefined {
  const api = webAssembly();
  const module = api && compileWasm(api, hex);
  return module && new api.Instance(module).exports;
}

/** Whether `instantiateWasm` returns exports for this module. */
export function canRunWasm(hex: string): boolean {
  const api = webAssembly();
  return api !== undefined && compileWasm(api, hex) !== undefined;
}
