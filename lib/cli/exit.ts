/** How a command ends: the exit statuses, and errors that are said in one line. */

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
