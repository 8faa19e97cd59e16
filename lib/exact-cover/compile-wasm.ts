/**
 * Compiles the WebAssembly of the project, which is in hexadecimal digits: they compress better than base64, by a
 * tenth. It only computes, so it runs wherever WebAssembly does.
 */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the standard `WebAssembly` object that is used here. */
export interface WebAssemblyApi {
  readonly Module: new (binary: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly Instance: new (module: object, imports?: object) => { readonly exports: object };
}

/** Returns the `WebAssembly` object of this environment; undefined if there is none. */
export function webAssembly(): WebAssemblyApi | undefined {
  const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
  return api;
}

/** The compiled modules, by the text of each. */
const modules = new WeakMap<WebAssemblyApi, Map<string, object | undefined>>();

/**
 * Compiles a module, once; undefined if this environment refuses, and the caller then uses TypeScript. Without SIMD it
 * does, and where the content security policy of a page forbids compilation. `WebAssembly.validate` knows only the
 * first of these reasons.
 *
 * @param hex the binary in hexadecimal digits
 */
function compileWasm(api: WebAssemblyApi, hex: string): object | undefined {
  const compiled = modules.get(api) ?? new Map<string, object | undefined>();
  modules.set(api, compiled);
  if (compiled.has(hex)) return compiled.get(hex);
  let module: object | undefined;
  try {
    module = new api.Module(fromHex(hex));
  } catch {
    // It does not matter why the environment refuses, and the class of the error depends on the browser.
  }
  compiled.set(hex, module);
  return module;
}

/** Digit by digit: `parseInt` for each byte takes four times as long at the start of a process. */
function fromHex(hex: string): Uint8Array {
  const digit = (at: number) => {
    const code = hex.charCodeAt(at);
    return code < 58 ? code - 48 : code - 87;
  };
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => 16 * digit(2 * i) + digit(2 * i + 1));
}

/**
 * Instantiates a module and returns its exports; undefined without WebAssembly or SIMD.
 *
 * @param hex the binary in hexadecimal digits
 */
export function instantiateWasm(hex: string, imports?: object): object | undefined {
  const api = webAssembly();
  const module = api && compileWasm(api, hex);
  return module && new api.Instance(module, imports).exports;
}

/** Whether `instantiateWasm` returns exports for this module. */
export function canRunWasm(hex: string): boolean {
  const api = webAssembly();
  return api !== undefined && compileWasm(api, hex) !== undefined;
}
