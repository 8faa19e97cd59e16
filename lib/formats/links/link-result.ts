import type { ParseErrorCode } from '../records/record-block.ts';

/** The puzzle of a link as a JSON object, or why there is none. */
export type LinkResult = { readonly object: Readonly<Record<string, unknown>> } | LinkFault;

export interface LinkFault {
  readonly code: ParseErrorCode;
  readonly found: string;
  readonly expected: string;
}

/** A rule that is not known, or a puzzle that the link does not have. */
export function refused(found: string, expected = 'givens, regions and rules that are known'): LinkFault {
  return { code: 'unsupported_variant', found, expected };
}
