/** One server a data folder: a second one would write its own journal over the first one's. */

import { closeSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE_NAME = 'server.pid';

/** Folders that this very process has locked: after a restart in a container the process id may be the same. */
const lockedHere = new Set<string>();

/**
 * Takes a folder, which must exist, for this process.
 *
 * @returns what gives the folder free again
 * @throws Error where a process that is alive has it
 */
export function lockDataFolder(folder: string): () => void {
  const path = join(folder, FILE_NAME);
  if (lockedHere.has(path)) throw inUse(folder, path, process.pid);
  if (!createLock(path)) {
    const holder = Number(readFileSync(path, 'utf8'));
    if (holder !== process.pid && isAlive(holder)) throw inUse(folder, path, holder);
    writeFileSync(path, String(process.pid));
  }
  lockedHere.add(path);
  return () => {
    lockedHere.delete(path);
    unlinkSync(path);
  };
}

function createLock(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx');
    writeFileSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
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

function inUse(folder: string, path: string, processId: number): Error {
  return new Error(
    `${folder} is in use by process ${processId}. Stop that process, give another data folder, or, if it is no such server, remove ${path}.`,
  );
}
