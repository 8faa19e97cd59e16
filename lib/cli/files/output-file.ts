/** An output file that appears only when it is complete: it is written under another name and then renamed. */
import { once } from 'node:events';
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { FileWriter } from '../../batch/ports.ts';
import { FolderInUseError, lockFolder } from '../../node/folder-lock.ts';
import { CommandError } from '../exit.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { writeTo } from '../terminal/standard-output.ts';

/** Standard output, which cannot be discarded. */
export function standardOutput(): FileWriter {
  const write = (bytes: Uint8Array) => writeTo(process.stdout, bytes);
  return { write, close: async () => {}, abort: async () => {} };
}

/**
 * Opens an output file. A symbolic link is followed and stays a link. An existing path that is not a regular file (a
 * pipe, `/dev/null`) is written directly, because renaming a file over it would replace it.
 *
 * @throws CommandError if the path is a folder
 */
export async function createOutputFile(path: string): Promise<FileWriter> {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw new CommandError(`${path} is a folder: expected a file name`);
  const direct = existing !== undefined && !existing.isFile();
  const target = existing === undefined || direct ? path : await realpath(path);
  const unfinished = direct ? path : `${target}.unfinished`;
  const lock = `${basename(target)}.writing`;
  const unlock = direct ? () => {} : lockFile(target, lock, path);
  // The file of a killed process is removed, and a symbolic link that has its name is not followed.
  if (!direct) await rm(unfinished, { force: true });
  const stream = createWriteStream(unfinished, { flags: direct ? 'w' : 'wx' });
  // A write error is thrown by the next write, or by close. Node's error does not name the file.
  const ended = finished(stream).catch((error: Error) => {
    throw Object.assign(error, { path });
  });
  ended.catch(() => {});
  const interruption = onInterrupt({
    stop() {
      if (direct) return;
      rmSync(unfinished, { force: true });
      unlock();
    },
    left: () => [
      `interrupted: ${path} was not written${direct ? ' completely' : ', and no partial file is left'}`,
    ],
  });
  return {
    write: async (bytes) => {
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), ended]);
    },
    close: async () => {
      stream.end();
      await ended;
      if (!direct) await rename(unfinished, target);
      interruption[Symbol.dispose]();
      unlock();
    },
    abort: async () => {
      stream.destroy();
      if (!direct) await rm(unfinished, { force: true });
      interruption[Symbol.dispose]();
      unlock();
    },
  };
}

/** @throws an error that names the file, not the lock */
function lockFile(target: string, lock: string, path: string): () => void {
  try {
    return lockFolder(dirname(target), lock, path);
  } catch (error) {
    throw error instanceof FolderInUseError ? error : Object.assign(error as Error, { path });
  }
}
