/** Whether a file fits in the time of one function, told from how its beginning went. */
import type { FileError } from '../job/file-error.ts';
import type { JobProgress } from '../job/job.ts';

/** How long a job runs before its speed says anything about the whole. */
const ESTIMATE_AFTER_MS = 5_000;
/** How far beyond the time at hand, as a factor, an estimate must lie before a file is rejected for it. */
export const REJECT_MARGIN = 2;
/** The same before it is handed over. */
export const HAND_OVER_MARGIN = 0.8;

/** Why a file will not fit in the time at hand, where its beginning shows that; undefined where it may. */
export function tooLargeByEstimate(
  { elapsedMs, storedBytes, puzzles }: JobProgress,
  totalBytes: number,
  timeMs: number,
  margin = REJECT_MARGIN,
): FileError | undefined {
  if (elapsedMs < ESTIMATE_AFTER_MS || storedBytes === 0) return undefined;
  const estimateMs = (elapsedMs / storedBytes) * totalBytes;
  if (estimateMs <= timeMs * margin) return undefined;
  return {
    code: 'too_large',
    message:
      `the file would take about ${seconds(estimateMs)}, and one function has ${seconds(timeMs)}: ` +
      `after ${seconds(elapsedMs)}, ${puzzles} puzzles and ${storedBytes} of ${totalBytes} bytes were done; ` +
      'split the file, or solve it with the command-line tool',
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
