/**
 * Compiles the WebAssembly of the project, which is in base64. It only computes, so it runs wherever WebAssembly does.
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

/** The compiled modules, by the base64 of each. */
const modules = new WeakMap<WebAssemblyApi, Map<string, object | undefined>>();

/** Compiles a module, once; undefined without SIMD. */
export function compileWasm(api: WebAssemblyApi, base64: string): object | undefined {
  const compiled = modules.get(api) ?? new Map<string, object | undefined>();
  modules.set(api, compiled);
  if (compiled.has(base64)) return compiled.get(base64);
  const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const module = api.validate(binary) ? new api.Module(binary) : undefined;
  compiled.set(base64, module);
  return module;
}
