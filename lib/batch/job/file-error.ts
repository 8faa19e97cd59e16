/** Why a whole file could not be solved: what `error.json` in `rejects/` says. A value, not thrown. */
import type { ParseErrorCode } from '../../formats/records/record-block.ts';

export type FileErrorCode =
  | ParseErrorCode
  | 'no_puzzles'
  | 'bad_option'
  | 'gone'
  | 'corrupt'
  | 'unsupported_compression';

export interface FileError {
  readonly code: FileErrorCode;
  /** One sentence for people: what was found, what was expected, what to do. */
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly found?: string;
  readonly expected?: string;
  /** For `bad_option`: every option that could not be taken. */
  readonly options?: readonly { readonly option: string; readonly found: string; readonly message: string }[];
}

/** @param versionId where one was asked for */
export function goneError(key: string, versionId?: string): FileError {
  const version = versionId === undefined ? '' : `, version ${versionId},`;
  return {
    code: 'gone',
    message: `the object ${key}${version} is not there any more: it was deleted for good before it could be read; upload it again`,
  };
}
