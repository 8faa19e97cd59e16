/**
 * What `npm run build` has made of the functions for the package. A checkout has none of it: there, functions are bundled
 * and the template is synthesised when they are needed.
 *
 *     dist/functions/<name>.zip        the code of a function, as Lambda takes it
 *     dist/functions/template.json     the template of the stack with its default settings
 */
import { fileURLToPath } from 'node:url';
import type { FunctionName } from './bundle.ts';

/** Name of the template in the folder of the functions. */
export const PREBUILT_TEMPLATE = 'template.json';

/** Sources run in a checkout; in the package, this module is in a bundle in a folder next to `functions`. */
const FOLDER = import.meta.url.endsWith('.ts')
  ? undefined
  : fileURLToPath(new URL('../functions/', import.meta.url));

/** Absolute path of the archive with the code of a function; undefined in a checkout. */
export function prebuiltCode(name: FunctionName): string | undefined {
  return FOLDER && FOLDER + archiveName(name);
}

/** Absolute path of the template of the stack; undefined in a checkout. */
export function prebuiltTemplate(): string | undefined {
  return FOLDER && FOLDER + PREBUILT_TEMPLATE;
}

/** Name of the archive of a function in the folder of the functions. */
export function archiveName(name: FunctionName): string {
  return `${name}.zip`;
}
