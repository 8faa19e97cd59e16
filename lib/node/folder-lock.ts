/** One process a folder: a second one would write over what the first one writes. */

import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that this very process has locked: after a restart in a container the process id may be the same. */
const lockedHere = new Set<string>();

/**
 * Takes a folder, which must exist, for this process.
 *
 * @param name of the file in it that says which process has it; that of a process which is gone is taken over
 * @returns what gives the folder free again
 * @throws FolderInUseError where a process that is alive has it
 */
export function lockFolder(folder: string, name: string): () => void {
  const path = join(folder, name);
  if (lockedHere.has(path)) throw inUse(folder, path, `process ${process.pid}`);
  if (!createLock(path)) {
    refuseLiving(folder, path);
    takeOver(folder, path);
  }
  lockedHere.add(path);
  return () => {
    lockedHere.delete(path);
    rmSync(path, { force: true });
  };
}

/** Several processes may find the same one gone at the same moment: a second lock lets one of them take over. */
function takeOver(folder: string, path: string): void {
  const taking = `${path}.taking`;
  if (!createLock(taking)) {
    refuseLiving(folder, taking);
    rmSync(taking, { force: true });
    if (!createLock(taking)) throw inUse(folder, taking, 'another process');
  }
  try {
    refuseLiving(folder, path);
    writeFileSync(path, String(process.pid));
  } finally {
    rmSync(taking, { force: true });
  }
}

/** @throws FolderInUseError where a process that is alive has made a lock, or somebody is about to */
function refuseLiving(folder: string, path: string): void {
  const holder = holderOf(path);
  // Made, and not yet written: somebody takes the folder at this very moment.
  if (holder === 0) throw inUse(folder, path, 'another process');
  if (holder !== process.pid && isAlive(holder)) throw inUse(folder, path, `process ${holder}`);
}

/** The process that has made a lock; 0 where it is not known. */
function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function createLock(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(descriptor, String(process.pid));
  } catch (error) {
    // On a full disk, say: an empty file would keep everybody out for ever.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function isAlive(processId: number): boolean {
  try {
    if (processId > 0) process.kill(processId, 0);
    return processId > 0;
  } catch (error) {
    // EPERM: it is there, and it is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Somebody else writes there. */
export class FolderInUseError extends Error {}

function inUse(folder: string, path: string, holder: string): FolderInUseError {
  return new FolderInUseError(
    `${folder} is in use by ${holder}. Stop that process, give another folder, or, if it is none of this tool's, remove ${path}.`,
  );
}
