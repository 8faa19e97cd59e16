/** Writes the solutions of exact-cover problems as text: one option per line, a blank line between entries and comments. */
import { LF } from '../../formats/bytes/ascii.ts';
import type { CoverProblem } from '../../formats/exact-cover/cover-record.ts';
import { writeOptions } from '../../formats/exact-cover/cover-writer.ts';
import type { SolutionWriter } from '../../formats/reader.ts';
import { entryWriter } from '../../formats/writing/entry-writer.ts';

/** The options of a solution, in the order of the file. */
export interface ChosenOptions {
  readonly cover: CoverProblem;
  readonly options: Int32Array;
}

export function coverWriter(): SolutionWriter<ChosenOptions> {
  return entryWriter({
    extension: 'txt',
    contentType: 'text/plain; charset=utf-8',
    write: (out, { cover, options }) => writeOptions(out, cover, options),
    separator: () => LF,
  });
}
