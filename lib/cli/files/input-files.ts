/** The files named on a command line, all checked before the first one is processed. */
import { constants, createReadStream } from 'node:fs';
import { access, open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandError } from '../exit.ts';
import { complain } from '../terminal/output.ts';

/** Bytes per read: large enough that the job rarely waits for a read. */
const READ_BYTES = 256 * 1024;

export interface InputFile {
  /** As the user wrote it; `-` for standard input. */
  readonly path: string;
  /** Its name without folders; of a file in a folder that is given, with those below it, separated by slashes. */
  readonly name: string;
  /** Undefined for standard input and pipes, whose size is unknown. */
  readonly bytes: number | undefined;
  /** Reads the file from the beginning; standard input can be opened once. */
  open(): Readable;
  /** The same with reused buffers, for a reader that finishes each array before it requests the next. */
  openReusingBuffers(): AsyncIterable<Uint8Array>;
}

/** What is done with a folder: refused, unless the files in it are wanted, but for those in a folder of results. */
interface Folders {
  readonly folders?: boolean;
  readonly outputDir?: string;
}

/**
 * Checks every file.
 *
 * @param paths if empty, standard input
 * @throws CommandError for a file that is missing or unreadable, a folder without files, and if standard input is named twice
 */
export async function findInputFiles(
  paths: readonly string[],
  { folders = false, outputDir }: Folders = {},
): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (path === '-') files.push(standardInput());
    else if (folders && (await stat(path).catch(() => undefined))?.isDirectory() === true) {
      const found = await filesBelow(path, outputDir);
      if (found.length === 0) throw new CommandError(`${path}: this folder has no files`);
      files.push(...found);
    } else files.push(await fileAt(path));
  }
  checkStandardInput(paths);
  return files;
}

async function filesBelow(folder: string, outputDir: string | undefined): Promise<InputFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const results = outputDir === undefined ? undefined : resolve(outputDir) + sep;
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => results === undefined || !resolve(path).startsWith(results))
    .sort();
  const files: InputFile[] = [];
  for (const path of paths) {
    files.push({ ...(await fileAt(path)), name: relative(folder, path).split(sep).join('/') });
  }
  return files;
}

/** @throws CommandError if standard input is named twice */
export function checkStandardInput(paths: readonly string[]): void {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new CommandError('- is given twice: standard input can be read only once');
  }
}

function standardInput(): InputFile {
  const open = () => {
    if (process.stdin.isTTY)
      complain('reading puzzles from standard input; Ctrl-D ends it, --help lists other ways');
    return process.stdin;
  };
  return { path: '-', name: 'stdin', bytes: undefined, open, openReusingBuffers: open };
}

async function fileAt(path: string): Promise<InputFile> {
  let bytes: number | undefined;
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new CommandError(`${path} is a folder: expected a file`);
    await access(path, constants.R_OK);
    if (info.isFile()) bytes = info.size;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new CommandError(`${path}: no such file`);
    if (code === 'EACCES') throw new CommandError(`${path}: permission denied`);
    throw error;
  }
  return {
    path,
    name: basename(path),
    bytes,
    open: () => createReadStream(path, { highWaterMark: READ_BYTES }),
    openReusingBuffers: () => readWithTwoBuffers(path),
  };
}

/**
 * Reads a file with two alternating buffers: one is filled while the caller uses the other. A new array for each read,
 * as in a stream, costs garbage collection and always touches new memory.
 */
async function* readWithTwoBuffers(path: string): AsyncGenerator<Uint8Array, void, void> {
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
