/** Locks a folder, or a file in it, for one process, so that two processes never write the same files. */

import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Locks of this process: in a restarted container, a lock with the same process id may be an old one. */
const lockedHere = new Set<string>();

/**
 * Locks an existing folder for this process.
 *
 * @param name name of the lock file, which contains the process id; the lock of a process that has ended is taken over
 * @param locked what the lock protects, for the error
 * @returns a function that releases the lock
 * @throws FolderInUseError if a running process holds the lock
 */
export function lockFolder(folder: string, name: string, locked = folder): () => void {
  const path = join(folder, name);
  if (lockedHere.has(path)) throw inUse(locked, path, `process ${process.pid}`);
  if (!createLock(path)) {
    refuseIfHeld(locked, path);
    takeOver(locked, path);
  }
  lockedHere.add(path);
  removeRemains(folder, name);
  return () => {
    lockedHere.delete(path);
    rmSync(path, { force: true });
  };
}

/** Removes what processes that were killed while they locked a folder have left in it; only the holder of the lock may. */
function removeRemains(folder: string, name: string): void {
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(`${name}.`)) continue;
    const path = join(folder, entry);
    const [, unfinished] = /^(?:taking\.)?(\d+)\.part$/.exec(entry.slice(name.length + 1)) ?? [];
    const holder = entry === `${name}.taking` ? holderOf(path) : Number(unfinished ?? 0);
    if (holder > 0 && (holder === process.pid || !isAlive(holder))) rmSync(path, { force: true });
  }
}

/** Several processes may try this at the same time: a second lock lets one of them take over. */
function takeOver(locked: string, path: string): void {
  const taking = `${path}.taking`;
  if (!createLock(taking)) {
    refuseIfHeld(locked, taking);
    rmSync(taking, { force: true });
    if (!createLock(taking)) throw inUse(locked, taking, 'another process');
  }
  try {
    refuseIfHeld(locked, path);
    // Removed, not overwritten: it may be a symbolic link.
    rmSync(path, { force: true });
    if (!createLock(path)) throw inUse(locked, path, 'another process');
  } finally {
    rmSync(taking, { force: true });
  }
}

/** @throws FolderInUseError if a running process holds the lock, or a process is creating it */
function refuseIfHeld(locked: string, path: string): void {
  const holder = holderOf(path);
  // Created and not yet written.
  if (holder === 0) throw inUse(locked, path, 'another process');
  if (holder !== process.pid && isAlive(holder)) throw inUse(locked, path, `process ${holder}`);
}

/** The id of the process that created a lock; 0 if unknown. */
function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** @returns whether the file did not exist, and now contains the id of this process */
function createLock(path: string): boolean {
  // A link appears with its content: a process that is killed leaves no empty lock, which would hold the folder forever.
  const unfinished = `${path}.${process.pid}.part`;
  writeFileSync(unfinished, String(process.pid));
  try {
    linkSync(unfinished, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOENT: the holder has removed it with its own unfinished files.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    return createWithoutLink(path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** For file systems without hard links, such as exFAT. */
function createWithoutLink(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // For example if the disk is full: an empty file would lock the folder forever.
    if (code !== 'EACCES' && code !== 'EROFS') rmSync(path, { force: true });
    throw error;
  }
}

/** Whether a process runs. */
export function isAlive(processId: number): boolean {
  try {
    if (processId > 0) process.kill(processId, 0);
    return processId > 0 && !isZombie(processId);
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended and is still listed: in many containers, the first process waits for no other. */
function isZombie(processId: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // The name of the program, in parentheses, may contain any character.
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${processId}/stat`, 'latin1'));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // No longer listed, or hidden from this user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return false;
    throw error;
  }
}

/** Another process writes to the folder or file. */
export class FolderInUseError extends Error {}

function inUse(locked: string, path: string, holder: string): FolderInUseError {
  return new FolderInUseError(
    `${locked} is in use by ${holder}. Stop that process or choose another folder or name; if that process is not dlx-batch, remove ${path}.`,
  );
}
