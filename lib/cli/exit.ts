/** How a command ends: the exit statuses, and errors that are said in one line. */
import { FolderInUseError } from '../node/folder-lock.ts';

/** Every puzzle solved. */
export const EXIT_SOLVED = 0;
/** Some puzzles were not solved; the result set says which. */
export const EXIT_UNSOLVED = 1;
/** It could not run: usage, an unreadable file, infrastructure. */
export const EXIT_FAILED = 2;

/** Ends the command with one clear line for the user and exit status 2; no stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What the system refuses most often, and what to do about it. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  EEXIST: 'there is a file of that name, where a folder is wanted: give another folder',
  ENOTDIR: 'part of it is a file, where a folder is wanted: give another folder',
  EISDIR: 'it is a folder, where a file is wanted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
};

/**
 * What is told of an error that ends a command: one line for trouble that the user can mend (a `CommandError`, a
 * folder in use, or the system refusing a file), and the stack for our own defects.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandError || error instanceof FolderInUseError) return error.message;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error.stack ?? error.message;
  const refusal = REFUSALS[code];
  return refusal === undefined || path === undefined ? error.message : `${path}: ${refusal} (${syscall})`;
}

/**
 * How the process ends when nobody takes what it writes to standard output.
 *
 * A reader that has seen enough (`| head`) is no error; a full disk is one, and is told.
 */
export function brokenOutput(error: NodeJS.ErrnoException): { status: number; message?: string } {
  if (error.code === 'EPIPE') return { status: EXIT_SOLVED };
  return {
    status: EXIT_FAILED,
    message: failureText(Object.assign(error, { path: error.path ?? 'standard output' })),
  };
}
