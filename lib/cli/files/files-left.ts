/** The files of a command that was interrupted: which are done, and which are left. */
import { counted, numberText } from '../../batch/quantities.ts';
import type { InputFile } from './input-files.ts';

/** Files that are named. */
const MAX_NAMED = 5;

/**
 * `interrupted: 1 of 3 files solved; left: b.txt, c.txt`, or for one file `interrupted: a.txt is not completely solved`.
 *
 * @param done such as `solved`
 */
export function filesLeft(
  files: readonly Pick<InputFile, 'path'>[],
  doneCount: number,
  done: string,
): string {
  if (files.length === 1) return `interrupted: ${files[0]!.path} is not completely ${done}`;
  const left = files.slice(doneCount).map(({ path }) => path);
  const named = left.slice(0, MAX_NAMED).join(', ');
  const more = left.length > MAX_NAMED ? ` and ${numberText(left.length - MAX_NAMED)} more` : '';
  const counts = `${numberText(doneCount)} of ${counted(files.length, 'file')} ${done}`;
  return `interrupted: ${counts}; left: ${named}${more}`;
}
