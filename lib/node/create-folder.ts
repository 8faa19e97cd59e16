/** Creates a folder with its parents. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own recursive mkdir reports ENOENT on a read-only file system.
 *
 * @param mode of the folders that are created
 * @returns the folders that did not exist before, the innermost first
 * @throws the system error about the first folder that cannot be created
 */
export function createFolder(path: string, mode?: number): string[] {
  const found = tryToCreate(path, mode);
  if (typeof found === 'string') return found === 'created' ? [path] : [];
  if (found.code !== 'ENOENT' || dirname(path) === path) throw found;
  const parents = createFolder(dirname(path), mode);
  const again = tryToCreate(path, mode);
  if (typeof again !== 'string') throw again;
  return again === 'created' ? [path, ...parents] : parents;
}

function tryToCreate(path: string, mode?: number): 'created' | 'exists' | NodeJS.ErrnoException {
  try {
    mkdirSync(path, { mode });
    return 'created';
  } catch (error) {
    const exists = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    return exists ? 'exists' : (error as NodeJS.ErrnoException);
  }
}
