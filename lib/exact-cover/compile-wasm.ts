/**
 * Compiles the WebAssembly of the project, which is in base64 or in hexadecimal digits. It only computes, so it runs wherever
 * WebAssembly does.
 */

/** The part of the standard `WebAssembly` object that is used here. */
export interface WebAssemblyApi {
  validate(binary: Uint8Array): boolean;
  readonly Module: new (binary: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
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
 * Compiles a module, once; undefined without SIMD.
 *
 * @param decode returns the binary of the text
 */
export function compileWasm(api: WebAssemblyApi, text: string, decode = fromBase64): object | undefined {
  const compiled = modules.get(api) ?? new Map<string, object | undefined>();
  modules.set(api, compiled);
  if (compiled.has(text)) return compiled.get(text);
  const binary = decode(text);
  const module = api.validate(binary) ? new api.Module(binary) : undefined;
  compiled.set(text, module);
  return module;
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
