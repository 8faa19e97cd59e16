/** The options that affect how a file is read. */
import type { FormatHints } from '../../formats/reader.ts';
import type { SolveOptions } from '../options.ts';

export function formatHints({ format, alphabet, variant, box }: SolveOptions): FormatHints {
  return { format, alphabet, variant, box };
}
