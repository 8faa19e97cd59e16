/** The reason why a whole file cannot be solved, as in `error.json` under `rejects/`. A value, not thrown. */

import { type OptionSuggestion, PARSE_ERROR_CODES } from '../../formats/records/record-block.ts';
import type { OptionError } from '../options.ts';

export const FILE_ERROR_CODES = [
  ...PARSE_ERROR_CODES,
  'no_puzzles',
  'bad_option',
  'gone',
  'corrupt',
  'unsupported_compression',
] as const;
export type FileErrorCode = (typeof FILE_ERROR_CODES)[number];

export interface FileError {
  /** Stable name of the error, such as `no_puzzles`. */
  readonly code: FileErrorCode;
  /** One sentence: what was found, what was expected, what to do. */
  readonly message: string;
  /** The line in the file, from 1, if the error has one. */
  readonly line?: number;
  /** The character in the line, from 1. */
  readonly column?: number;
  /** The text that was found. */
  readonly found?: string;
  /** What was expected instead. */
  readonly expected?: string;
  /** The options with which the file can be read, found by trial on its first bytes. */
  readonly suggestion?: readonly OptionSuggestion[];
  /** For `bad_option`: all options with an error. */
  readonly options?: readonly (Omit<OptionError, 'code'> & Partial<Pick<OptionError, 'code'>>)[];
}

/** The input object no longer exists. @param versionId the requested version, if any */
export function goneError(key: string, versionId?: string): FileError {
  const version = versionId === undefined ? '' : `, version ${versionId},`;
  return {
    code: 'gone',
    message: `the object ${key}${version} no longer exists: it was permanently deleted before it was read; upload it again`,
  };
}
