/** Exit statuses, and the one-line text of errors. */
import type { JobTotals } from '../batch/results/job-totals.ts';
import { FolderInUseError } from '../node/folder-lock.ts';

/** Every puzzle solved. */
export const EXIT_SOLVED = 0;
/** Some puzzles were not solved, or differ from the results that their file expects; the result set lists them. */
export const EXIT_UNSOLVED = 1;
/** Usage error, unreadable file, or failed infrastructure. */
export const EXIT_FAILED = 2;

/**
 * The exit status of files with results. If several solutions were requested, a puzzle that has them is solved, unless it
 * has more than may be written.
 *
 * @param several whether a puzzle with several solutions counts as solved
 */
export function statusOfResults(results: readonly JobTotals[], several: boolean): number {
  const solved = results.every(({ puzzles, unexpectedResults = 0, cutResults = 0 }) => {
    const count = puzzles.solved + (several ? puzzles.multiple : 0);
    return count === puzzles.total && unexpectedResults === 0 && cutResults === 0;
  });
  return solved ? EXIT_SOLVED : EXIT_UNSOLVED;
}

/** An error that the user can fix: it ends the command with one line, no stack trace, and exit status 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The most frequent system errors, with advice. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  EEXIST: 'a file with this name exists, expected a folder: choose another folder',
  ENOTDIR: 'part of this path is a file or a broken link, expected a folder: choose another folder',
  EISDIR: 'this is a folder, expected a file',
  ERR_FS_EISDIR: 'this is a folder, expected a file',
  ELOOP: 'too many symbolic links, or a link to itself',
  ENAMETOOLONG: 'this name is too long for the file system: choose another folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file is larger than the file system or ulimit -f allows',
  EMFILE: 'too many open files: raise the limit (ulimit -n)',
  ENFILE: 'too many open files on this machine',
  EIO: 'the device reports an error',
};

/** Errors about the file that is written, which a copy calls its destination. */
const WRITE_ERRORS: readonly string[] = ['EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * The text of an error that ends a command: one line for an error that the user can fix (a `CommandError`, a folder
 * in use, or a system error on a file), and the stack for a defect.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isFixable(error)) return error.stack ?? error.message;
  const { code = '', syscall, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const ofThread = threadProblem(error);
  if (ofThread !== undefined) return `${SYSTEM_ERRORS[ofThread] ?? ofThread} (starting a thread)`;
  const text = SYSTEM_ERRORS[code];
  if (text === undefined) return error.message;
  const place = WRITE_ERRORS.includes(code) ? (dest ?? path) : path;
  return `${place === undefined ? '' : `${place}: `}${text} (${syscall})`;
}

/** The same as lines: the message is one line, and each place in the stack of a defect. */
export function failureLines(error: unknown): string[] {
  const text = failureText(error);
  if (!(error instanceof Error) || isFixable(error)) return [text];
  const places = text.split('\n').filter((line) => /^ {4}at /.test(line));
  return [`${error.name}: ${error.message}`, ...places];
}

/** The code of the system error because of which a thread could not be started. */
function threadProblem({ message }: Error): string | undefined {
  return /^Worker initialization failure: ([A-Z]+)$/.exec(message)?.[1];
}

/** Whether the user can fix an error: no defect. */
export function isFixable(error: unknown): boolean {
  if (error instanceof CommandError || error instanceof FolderInUseError) return true;
  if (error instanceof Error && threadProblem(error) !== undefined) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return error instanceof Error && code !== undefined && syscall !== undefined;
}

/** The message about an item that failed, after which a command continues with the next one. Names a file or the item. */
export function itemFailure(item: string, error: unknown): string {
  const text = failureText(error);
  const namesFile = error instanceof FolderInUseError || (error as NodeJS.ErrnoException).path !== undefined;
  return namesFile || text.includes(item) ? text : `${item}: ${text}`;
}

/**
 * The exit status and message after a failed write to standard output.
 *
 * A closed pipe (`| head`) is not an error; a full disk is.
 */
export function brokenOutput(error: NodeJS.ErrnoException): { status: number; message?: string } {
  if (error.code === 'EPIPE') return { status: EXIT_SOLVED };
  return {
    status: EXIT_FAILED,
    message: failureText(Object.assign(error, { path: error.path ?? 'standard output' })),
  };
}
