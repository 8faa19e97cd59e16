/** WebAssembly that the project carries in base64: it only computes, so it runs wherever there is WebAssembly. */

/** As much of the standard `WebAssembly` as is used here; a place without it has none. */
interface WebAssemblyApi {
  validate(binary: Uint8Array): boolean;
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** A module's exports, with memory of their own; undefined where there is no WebAssembly, or none with SIMD. */
export function instantiateWasm(base64: string): object | undefined {
  const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
  if (api === undefined) return undefined;
  const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!api.validate(binary)) return undefined;
  return new api.Instance(new api.Module(binary)).exports;
}
