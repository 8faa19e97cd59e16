/**
 * What `npm run build` has made of the functions for the package. A checkout has none of it: there, functions are bundled
 * and the template is synthesised when they are needed.
 *
 *     dist/functions/<name>.json.gz    the files of a function's code: texts by name
 *     dist/functions/template.json     the template of the stack with its default settings
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { FunctionName } from './bundle.ts';

/** Name of the template in the folder of the functions. */
export const PREBUILT_TEMPLATE = 'template.json';

/** Sources run in a checkout; in the package, this module is in a bundle in a folder next to `functions`. */
const FOLDER = import.meta.url.endsWith('.ts')
  ? undefined
  : fileURLToPath(new URL('../functions/', import.meta.url));

/** Writes the code of a function to a folder, if this is the package. @returns whether it is */
export function writePrebuilt(name: FunctionName, folder: string): boolean {
  if (FOLDER === undefined) return false;
  const files = JSON.parse(gunzipSync(readFileSync(FOLDER + codeFile(name))).toString());
  for (const [file, text] of Object.entries<string>(files)) writeFileSync(join(folder, file), text);
  return true;
}

/** Absolute path of the template of the stack; undefined in a checkout. */
export function prebuiltTemplate(): string | undefined {
  return FOLDER && FOLDER + PREBUILT_TEMPLATE;
}

/** Name of the file with the code of a function, in the folder of the functions. */
export function codeFile(name: FunctionName): string {
  return `${name}.json.gz`;
}
