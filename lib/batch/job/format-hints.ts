import type { FormatHints } from '../../formats/reader.ts';
import type { SolveOptions } from '../options.ts';

/** The options that help to detect and read the file's format. */
export function formatHints({ format, alphabet, variant, box }: SolveOptions): FormatHints {
  return { format, alphabet, variant, box };
}
