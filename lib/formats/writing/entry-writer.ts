/**
 * What all writers of solutions remember between two entries, so that several of them may write one file between them.
 *
 *     one writer           begin  a  b  c  d  e  end
 *     going on             begin  a  b  | restore(state)  c  d  e  end       state: how b stands
 *     side by side         begin  a  b  | joint | c  d  e  | end             c is written as a first entry
 *
 * Both ways give the bytes of one writer. Going on needs the state of the writer before; side by side needs none, and
 * only when the pieces are put together does the joint follow from how the entries on its two sides stand.
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { EntryForm, SolutionWriter, SolvedRecord, WriterState } from '../reader.ts';

/** Keeps a writer's state; what is written, and what stands between two entries, the writers say. */
export abstract class EntryWriter implements SolutionWriter {
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

  abstract entry(out: ByteBuffer, solved: SolvedRecord, first: boolean): void;

  /** A line that is a comment, unless a writer says otherwise. */
  placeholder(out: ByteBuffer, text: string, first: boolean): void {
    this.beginEntry(out, 'line', first);
    out.text(`# ${text}\n`);
  }

  heading(out: ByteBuffer, text: string, first: boolean): boolean {
    this.placeholder(out, text, first);
    return true;
  }

  end(_out: ByteBuffer): void {}

  /** Nothing, unless a writer says otherwise. */
  writeSeparator(_out: ByteBuffer, _before: EntryForm, _behind: EntryForm): void {}

  /** Parts an entry that is about to be written from the one before, and remembers it. */
  protected beginEntry(out: ByteBuffer, form: EntryForm, first: boolean): void {
    const before = this.#state;
    if (!first) this.writeSeparator(out, before?.last ?? 'line', form);
    if (before === undefined) this.#state = STATES[form][form];
    else if (before.last !== form) this.#state = STATES[before.first][form];
  }
}

/** All states there are, so that none is made for each entry. */
const STATES: Readonly<Record<EntryForm, Readonly<Record<EntryForm, WriterState>>>> = {
  line: { line: { first: 'line', last: 'line' }, grid: { first: 'line', last: 'grid' } },
  grid: { line: { first: 'grid', last: 'line' }, grid: { first: 'grid', last: 'grid' } },
};
