/** The reason why a whole file cannot be solved, as in `error.json` under `rejects/`. A value, not thrown. */
import type { OptionSuggestion, ParseErrorCode } from '../../formats/records/record-block.ts';

export type FileErrorCode =
  | ParseErrorCode
  | 'no_puzzles'
  | 'bad_option'
  | 'gone'
  | 'corrupt'
  | 'unsupported_compression';

export interface FileError {
  readonly code: FileErrorCode;
  /** One sentence: what was found, what was expected, what to do. */
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly found?: string;
  readonly expected?: string;
  /** The options with which the file can be read, found by trial on its first bytes. */
  readonly suggestion?: readonly OptionSuggestion[];
  /** For `bad_option`: all options with an error. */
  readonly options?: readonly { readonly option: string; readonly found: string; readonly message: string }[];
}

/** The input object no longer exists. @param versionId the requested version, if any */
export function goneError(key: string, versionId?: string): FileError {
  const version = versionId === undefined ? '' : `, version ${versionId},`;
  return {
    code: 'gone',
    message: `the object ${key}${version} no longer exists: it was permanently deleted before it was read; upload it again`,
  };
}
