/**
 * State and separators of all writers of solutions, which let several writers produce one file.
 *
 *     one writer           begin  a  b  c  d  e  end
 *     in sequence          begin  a  b  | restore(state)  c  d  e  end       state: the form of b
 *     in parallel          begin  a  b  | separator | c  d  e  | end         c is written as a first entry
 *
 * Both give the bytes of one writer. In sequence, a writer needs the state of the one before. In parallel, it needs none:
 * the separator follows from the forms of the entries around it when the pieces are joined.
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { EntryForm, SolutionWriter, SolvedRecord, UnsolvedRecord, WriterState } from '../reader.ts';

/** What a writer writes between its separators; see `SolutionWriter`. */
interface WriterParts<Solution> extends Pick<SolutionWriter, 'extension' | 'contentType'> {
  begin?(out: ByteBuffer): void;
  end?(out: ByteBuffer): void;
  /** Lines by default. */
  formOf?(solution: Solution): EntryForm;
  write(out: ByteBuffer, solution: Solution): void;
  /** Writes so many lines at once, without separators; undefined if the writer cannot do so for them. */
  linesOf?(solution: Solution): ((out: ByteBuffer, count: number) => void) | undefined;
  /** A record that is written unchanged. */
  recordText?(record: object): string;
  /** A line that starts with `#` by default; undefined if the output has no comments. */
  comment?(text: string): string | undefined;
  /** What stands for a record without a solution: a comment by default, undefined for nothing. */
  placeholder?(text: string, unsolved: UnsolvedRecord): string | undefined;
  /** The byte between two entries; 0, by default, for none. */
  separator?(before: EntryForm, after: EntryForm): number;
}

export function entryWriter<Solution = SolvedRecord>({
  extension,
  contentType,
  begin = () => {},
  end = () => {},
  formOf = () => 'line',
  write,
  linesOf,
  recordText,
  comment = (text) => `# ${text}\n`,
  placeholder = comment,
  separator = () => 0,
}: WriterParts<Solution>): SolutionWriter<Solution> {
  let state: WriterState | undefined;

  function writeSeparator(out: ByteBuffer, before: EntryForm, after: EntryForm): void {
    const byte = separator(before, after);
    if (byte > 0) out.byte(byte);
  }

  /** Separates the next entry from the one before, and updates the state. */
  function beginEntry(out: ByteBuffer, form: EntryForm, first: boolean): void {
    if (!first) writeSeparator(out, state?.last ?? 'line', form);
    if (state?.last !== form) state = { first: state?.first ?? form, last: form };
  }

  /** Whether there is a text to write as an entry of its own. */
  function writeText(out: ByteBuffer, text: string | undefined, first: boolean): boolean {
    if (text === undefined) return false;
    beginEntry(out, 'line', first);
    out.text(text);
    return true;
  }

  return {
    extension,
    contentType,
    begin,
    end,
    entry(out, solution, first) {
      beginEntry(out, formOf(solution), first);
      write(out, solution);
    },
    entries(out, solution, count, first) {
      const writeLines = linesOf?.(solution);
      if (writeLines === undefined) return false;
      beginEntry(out, 'line', first);
      writeLines(out, count);
      return true;
    },
    line: recordText && ((out, record, first) => void writeText(out, recordText(record), first)),
    placeholder: (out, text, first, unsolved) => void writeText(out, placeholder(text, unsolved), first),
    heading: (out, text, first) => writeText(out, comment(text), first),
    get state() {
      return state;
    },
    restore(from) {
      state = from;
    },
    writeSeparator,
  };
}
