/** Bundles of the library for browsers. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const API = fileURLToPath(new URL('../../lib/api/', import.meta.url));

/**
 * Bundles and minifies code for browsers; a Node built-in in it is an error.
 *
 * @param code imports the entries of the library as `./browser.ts` and so on
 * @param folder of the entries
 */
export async function bundle(code: string, folder = API): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0].contents;
}

/** Bundles an entry of the library as CommonJS for Node, as text; a top-level `await` in it is an error. */
export async function commonJs(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${API}${entry}`],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

/** Compressed size in bytes, as a server sends it. */
export function gzipBytes(code: Uint8Array): number {
  return gzipSync(code, { level: 9 }).length;
}
