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

/** Keeps the state; subclasses define entries and separators. */
export abstract class EntryWriter<Solution = SolvedRecord> implements SolutionWriter<Solution> {
  abstract readonly extension: string;
  abstract readonly contentType: string;
  #state: WriterState | undefined;

  get state(): WriterState | undefined {
    return this.#state;
  }

  restore(state: WriterState | undefined): void {
    this.#state = state;
  }

  begin(_out: ByteBuffer): void {}

  abstract entry(out: ByteBuffer, solved: Solution, first: boolean): void;

  /** A comment line by default. */
  placeholder(out: ByteBuffer, text: string, first: boolean, _unsolved: UnsolvedRecord): void {
    this.comment(out, text, first);
  }

  heading(out: ByteBuffer, text: string, first: boolean): boolean {
    this.comment(out, text, first);
    return true;
  }

  /** A line that starts with `#` by default. */
  protected comment(out: ByteBuffer, text: string, first: boolean): void {
    this.beginEntry(out, 'line', first);
    out.text(`# ${text}\n`);
  }

  end(_out: ByteBuffer): void {}

  /** Nothing by default. */
  writeSeparator(_out: ByteBuffer, _before: EntryForm, _after: EntryForm): void {}

  /** Separates the next entry from the one before, and updates the state. */
  protected beginEntry(out: ByteBuffer, form: EntryForm, first: boolean): void {
    const before = this.#state;
    if (!first) this.writeSeparator(out, before?.last ?? 'line', form);
    if (before === undefined) this.#state = STATES[form][form];
    else if (before.last !== form) this.#state = STATES[before.first][form];
  }
}

/** All possible states, so that entries allocate none. */
const STATES: Readonly<Record<EntryForm, Readonly<Record<EntryForm, WriterState>>>> = {
  line: { line: { first: 'line', last: 'line' }, grid: { first: 'line', last: 'grid' } },
  grid: { line: { first: 'grid', last: 'line' }, grid: { first: 'grid', last: 'grid' } },
};
