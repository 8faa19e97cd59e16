import type { ParseErrorCode } from '../records/record-block.ts';

/** Why a JSON record cannot be read. */
export interface JsonFault {
  readonly code: ParseErrorCode;
  /** Index of the scalar in the record, from 0; -1 for the record itself. */
  readonly scalar: number;
  readonly found: string;
  readonly expected: string;
}

export function jsonFault(code: ParseErrorCode, scalar: number, found: string, expected: string): JsonFault {
  return { code, scalar, found, expected };
}
