/** The part of a job's options that concerns reading its file. */
import type { FormatHints } from '../../formats/reader.ts';
import type { SolveOptions } from '../options.ts';

export function formatHints({ format, alphabet, variant, box }: SolveOptions): FormatHints {
  return { format, alphabet, variant, box };
}
