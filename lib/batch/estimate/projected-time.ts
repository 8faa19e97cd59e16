/** Projects the time of a whole file from the progress so far, to detect files that exceed the time of one function. */
import type { FileError } from '../job/file-error.ts';
import type { JobProgress } from '../job/job-run.ts';

/** A projection before this time is not reliable. */
const PROJECT_AFTER_MS = 5_000;
/** A file is rejected if its projected time exceeds the available time by this factor. */
export const REJECT_MARGIN = 2;
/** A file is handed over to the state machine above this factor. */
export const HAND_OVER_MARGIN = 0.8;

/**
 * @param timeMs available time of this function
 * @param margin factor by which the projected time must exceed it
 * @returns the error if the file takes too long; undefined if it may fit
 */
export function tooLargeByEstimate(
  { elapsedMs, storedBytes, puzzles }: JobProgress,
  totalBytes: number,
  timeMs: number,
  margin = REJECT_MARGIN,
): FileError | undefined {
  if (elapsedMs < PROJECT_AFTER_MS || storedBytes === 0) return undefined;
  const projectedMs = (elapsedMs / storedBytes) * totalBytes;
  if (projectedMs <= timeMs * margin) return undefined;
  return {
    code: 'too_large',
    message:
      `the file takes about ${seconds(projectedMs)}, but one function has ${seconds(timeMs)}: ` +
      `${puzzles} puzzles and ${storedBytes} of ${totalBytes} bytes were done after ${seconds(elapsedMs)}; ` +
      'split the file, or solve it with the command-line tool',
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
