/** WebAssembly that the project carries in base64: it only computes, so it runs wherever there is WebAssembly. */

/** As much of the standard `WebAssembly` as is used here. */
export interface WebAssemblyApi {
  validate(binary: Uint8Array): boolean;
  readonly Module: new (binary: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports?: object) => { readonly exports: object };
}

/** That of this place; undefined where there is none. */
export function webAssembly(): WebAssemblyApi | undefined {
  const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
  return api;
}

/** The code of a module, to be instantiated; undefined where this WebAssembly has no SIMD. */
export function compileWasm(api: WebAssemblyApi, base64: string): object | undefined {
  const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return api.validate(binary) ? new api.Module(binary) : undefined;
}
