/** Creates a folder with its parents. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own recursive mkdir reports ENOENT on a read-only file system.
 *
 * @param mode of the folders that are created
 * @throws the system error about the first folder that cannot be created
 */
export function createFolder(path: string, mode?: number): void {
  const problem = tryToCreate(path, mode);
  if (problem === undefined) return;
  if (problem.code !== 'ENOENT' || dirname(path) === path) throw problem;
  createFolder(dirname(path), mode);
  const again = tryToCreate(path, mode);
  if (again !== undefined) throw again;
}

/** @returns the error; undefined if the folder exists now */
function tryToCreate(path: string, mode?: number): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const exists = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    return exists ? undefined : (error as NodeJS.ErrnoException);
  }
  return undefined;
}
