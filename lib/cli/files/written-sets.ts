/** The files of the result sets that a command has written, for the user. */
import { join } from 'node:path';
import { numberText } from '../../batch/quantities.ts';
import { EXCEPTIONS_FILE, type WrittenFile } from '../../batch/results/result-files.ts';

/** A result set in a folder. */
export interface WrittenSet {
  readonly folder: string;
  /** Names of its files. */
  readonly files: readonly string[];
  /** Whether its file is rejected, or has puzzles that are listed as exceptions. */
  readonly hasExceptions: boolean;
}

/** Files that are named. */
const MAX_NAMED = 40;

/** The set with the files of its manifest. */
export function writtenSet(folder: string, files: readonly WrittenFile[]): WrittenSet {
  const hasExceptions = files.some(isListOfExceptions);
  // The list of exceptions is first, if there are any.
  const sorted = files.toSorted((a, b) => Number(isListOfExceptions(b)) - Number(isListOfExceptions(a)));
  return { folder, files: [...sorted.map(({ name }) => name), 'manifest.json'], hasExceptions };
}

/** The paths of all files, those of sets with exceptions first. */
export function writtenLines(sets: readonly WrittenSet[]): string[] {
  const sorted = sets.toSorted((a, b) => Number(b.hasExceptions) - Number(a.hasExceptions));
  const paths = sorted.flatMap(({ folder, files }) => files.map((name) => join(folder, name)));
  if (paths.length === 0) return [];
  const named = paths.slice(0, MAX_NAMED).map((path) => `  ${path}`);
  const more = paths.length - named.length;
  return ['written:', ...named, ...(more > 0 ? [`  and ${numberText(more)} more`] : [])];
}

function isListOfExceptions({ name, bytes }: WrittenFile): boolean {
  return name === EXCEPTIONS_FILE && bytes > 0;
}
