/** The files named on a command line: checked before anything is done with any of them. */
import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileRejection } from '../../batch/job/input.ts';
import { CorruptInputError } from '../../batch/ports.ts';
import { CommandError } from '../exit.ts';

/** Bytes read at a time: enough that the job seldom waits for a read to come round. */
const READ_BYTES = 256 * 1024;

export interface InputFile {
  /** As the user wrote it; `-` for standard input. */
  readonly path: string;
  /** Name of its result set. */
  readonly name: string;
  /** Undefined for what has no size: standard input, a pipe. */
  readonly bytes: number | undefined;
  /** The file's bytes from the beginning; standard input can be opened once. */
  open(): AsyncIterable<Uint8Array>;
  /** The same for a reader that is done with each array before it asks for the next: its memory is used again. */
  openReusingBuffers(): AsyncIterable<Uint8Array>;
}

/**
 * Looks at every file; none at all means standard input.
 *
 * @throws CommandError for a file that is missing, unreadable or a folder, or two of the same name
 */
export async function findInputFiles(paths: readonly string[]): Promise<InputFile[]> {
  const files: InputFile[] = [];
  const byName = new Map<string, string>();
  for (const path of paths.length === 0 ? ['-'] : paths) {
    const file = path === '-' ? standardInput() : await fileAt(path);
    const other = byName.get(file.name);
    if (other !== undefined) {
      throw new CommandError(
        `${other} and ${path} have the same name, so their result sets would be the same: give one at a time`,
      );
    }
    byName.set(file.name, path);
    files.push(file);
  }
  return files;
}

/**
 * Why a file as a whole could not be read, so that the next one gets its turn.
 *
 * @throws every other error, which ends the command
 */
export function rejectionMessage(error: unknown): string {
  if (error instanceof FileRejection || error instanceof CorruptInputError) return error.message;
  throw error;
}

function standardInput(): InputFile {
  return {
    path: '-',
    name: 'stdin',
    bytes: undefined,
    open: () => process.stdin,
    openReusingBuffers: () => process.stdin,
  };
}

async function fileAt(path: string): Promise<InputFile> {
  let bytes: number | undefined;
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new CommandError(`${path} is a folder: name the files in it`);
    await access(path, constants.R_OK);
    if (info.isFile()) bytes = info.size;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new CommandError(`${path}: no such file`);
    if (code === 'EACCES') throw new CommandError(`${path}: may not be read (permission denied)`);
    throw error;
  }
  return {
    path,
    name: basename(path),
    bytes,
    open: () => createReadStream(path),
    openReusingBuffers: () => bytesOf(path),
  };
}

/**
 * A file's bytes, by turns in two arrays: one is read into while the other is worked on. A new array for each read, as
 * a stream has it, keeps the garbage collector busy and touches new memory all the time.
 */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, void> {
  await using file = await open(path);
  const read = (memory: Uint8Array<ArrayBuffer>) => file.read(memory, 0, memory.length, null);
  let ahead = read(new Uint8Array(READ_BYTES));
  let spare = new Uint8Array(READ_BYTES);
  try {
    for (;;) {
      const { bytesRead, buffer } = await ahead;
      if (bytesRead === 0) return;
      ahead = read(spare);
      spare = buffer;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await Promise.allSettled([ahead]);
  }
}
