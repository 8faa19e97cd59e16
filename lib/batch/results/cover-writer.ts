/** Writes the solutions of exact-cover problems as text: one option per line, a blank line between entries and comments. */
import { LF } from '../../formats/bytes/ascii.ts';
import type { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverProblem } from '../../formats/exact-cover/cover-record.ts';
import { writeOptions } from '../../formats/exact-cover/cover-writer.ts';
import { EntryWriter } from '../../formats/writing/entry-writer.ts';

/** The options of a solution, in the order of the file. */
export interface ChosenOptions {
  readonly cover: CoverProblem;
  readonly options: Int32Array;
}

export class CoverWriter extends EntryWriter<ChosenOptions> {
  readonly extension = 'txt';
  readonly contentType = 'text/plain; charset=utf-8';

  entry(out: ByteBuffer, { cover, options }: ChosenOptions, first: boolean): void {
    this.beginEntry(out, 'line', first);
    writeOptions(out, cover, options);
  }

  override writeSeparator(out: ByteBuffer): void {
    out.byte(LF);
  }
}
