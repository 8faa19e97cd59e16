import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildWasm, WASM_MODULES, type WasmModule } from './build.ts';

const ROOT = new URL('../../', import.meta.url);

/** Returns the sorted paths of all files in lib with this ending. */
function filesOfLib(ending: string): string[] {
  return readdirSync(new URL('lib/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `lib/${name.replaceAll('\\', '/')}`)
    .sort();
}

const builds = new Map<WasmModule, ReturnType<typeof buildWasm>>();

/** Builds a module once for all tests. */
function builtOf(module: WasmModule): ReturnType<typeof buildWasm> {
  const build = builds.get(module) ?? buildWasm(module);
  builds.set(module, build);
  return build;
}

test.each(WASM_MODULES)('$path matches its sources (else: npm run build:wasm)', async (module) => {
  const { text } = await builtOf(module);
  expect(readFileSync(new URL(module.path, ROOT), 'utf8') === text, 'it differs').toBe(true);
});

test('every module in lib is built', () => {
  expect(WASM_MODULES.map(({ path }) => path).sort()).toEqual(filesOfLib('wasm-module.ts'));
});

test('every source is in a module', async () => {
  const sources = (await Promise.all(WASM_MODULES.map(builtOf))).flatMap((build) => build.sources);
  expect([...new Set(sources)].sort()).toEqual(filesOfLib('.as'));
});
