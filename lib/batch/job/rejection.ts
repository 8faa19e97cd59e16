/** Tells errors of a file, which no other attempt can solve, from failures and defects. */
import { WorkLimitError } from '../../formats/work-meter.ts';
import type { FileError } from './file-error.ts';
import { FileRejection } from './input.ts';

/** The error of a file that is rejected because of it; undefined for any other error. */
export function rejectionOf(error: unknown): FileError | undefined {
  if (error instanceof FileRejection) return error.error;
  if (error instanceof WorkLimitError) return { code: 'too_large', message: error.message };
  return undefined;
}
