/** What commands on puzzle files share: one file after another, and the records of a file. */
import { formatHints } from '../../batch/job/format-hints.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import { rejectionOf } from '../../batch/job/rejection.ts';
import { DEFAULT_JOB_LIMITS } from '../../batch/job-limits.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { EXIT_FAILED, EXIT_SOLVED, failureText, isFixable, itemFailure } from '../exit.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { complain } from '../terminal/output.ts';
import type { InputFile } from './input-files.ts';

/** Files that are named. */
const MAX_NAMED = 5;

/**
 * `interrupted: 1 of 3 files solved; left: b.txt, c.txt`, or for one file `interrupted: a.txt is not completely solved`.
 *
 * @param verb such as `solved`
 */
export function filesLeft(
  files: readonly Pick<InputFile, 'path'>[],
  doneCount: number,
  verb: string,
): string {
  if (files.length === 1) return `interrupted: ${files[0]!.path} is not completely ${verb}`;
  const left = files.slice(doneCount).map(({ path }) => path);
  const named = left.slice(0, MAX_NAMED).join(', ');
  const more = left.length > MAX_NAMED ? ` and ${numberText(left.length - MAX_NAMED)} more` : '';
  return `interrupted: ${numberText(doneCount)} of ${counted(files.length, 'file')} ${verb}; left: ${named}${more}`;
}

/**
 * Works on one file after another. A file that is rejected, or has an error that the user can fix, does not stop the others.
 *
 * @param verb for the message of an interruption, such as `solved`
 * @param work returns the exit status of its file
 * @param onFailure receives the message about a file that failed
 * @returns the highest exit status
 * @throws defects
 */
export async function forEachFile<File extends Pick<InputFile, 'path'>>(
  files: readonly File[],
  verb: string,
  work: (file: File) => Promise<number>,
  onFailure: (path: string, message: string) => void = () => {},
): Promise<number> {
  let status: number = EXIT_SOLVED;
  let done = 0;
  using _ = onInterrupt({ left: () => [filesLeft(files, done, verb)] });
  for (const file of files) {
    try {
      status = Math.max(status, await work(file));
    } catch (error) {
      const rejection = rejectionOf(error);
      if (rejection === undefined && !isFixable(error)) throw error;
      const message = rejection?.message ?? failureText(error);
      complain(rejection === undefined ? itemFailure(file.path, error) : `${file.path}: ${message}`);
      onFailure(file.path, message);
      status = EXIT_FAILED;
    }
    done++;
  }
  return status;
}

/** The stored bytes of a file, and how many they are, if that is known. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number | undefined;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Opens a file as a job with the default limits does; the caller closes it. */
export function openSource({ name, bytes, stream }: StoredFile, options: SolveOptions): RecordSource {
  const hints = { ...formatHints(options), fileName: name };
  const limits = { maxBytes: DEFAULT_JOB_LIMITS.unpackedBytes, storedBytes: bytes };
  return new RecordSource(stream, hints, zlibUnpacking, systemClock, limits);
}

/** Opens a file in the same way, and closes it after the work. */
export async function withSource<Result>(
  stored: StoredFile,
  options: SolveOptions,
  work: (source: RecordSource) => Promise<Result>,
): Promise<Result> {
  const source = openSource(stored, options);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}
