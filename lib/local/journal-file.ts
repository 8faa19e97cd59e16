/**
 * A journal on disk: one line of JSON for each entry, with a single writer.
 *
 * An entry takes effect when its line is written, and lines are written in order, so a process that dies leaves each
 * entry complete or absent: a truncated last line is dropped. Lines are not forced to disk: entries survive a crash of
 * the process, not of the machine. What need not stay in memory is remembered by its place, the offset of its line.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Size of a buffer for reading and rewriting a journal. */
const BUFFER_BYTES = 1 << 20;
/** Initial size of the buffer for one entry; most are shorter. */
const READ_BYTES = 4096;
const LINE_FEED = 0x0a;
/** A journal of fewer lines is not worth being rewritten. */
const MIN_REWRITTEN_LINES = 1000;

/** What a journal is read into. */
export interface JournalState<Entry> {
  apply(entry: Entry, place: number): void;
  /** Called when all entries have been applied. */
  endReplay(): void;
  /** The number of entries that still matter, roughly. */
  readonly size: number;
  /** The entries of the shortest journal of this state. */
  entries(): Iterable<Entry>;
}

export class JournalFile<Entry extends object> {
  readonly #path: string;
  readonly #name: string;
  #descriptor: number;
  /** Offset of the next line. */
  #length = 0;
  /** Kept, as a listing reads thousands of entries. */
  #readBuffer = Buffer.allocUnsafe(READ_BYTES);

  /**
   * Opens a journal; file and folder are created if missing. `load` or `replay` must come before the first `append`.
   *
   * @param name of the journal, for errors
   */
  constructor(path: string, name: string) {
    this.#path = path;
    this.#name = name;
    mkdirSync(dirname(path), { recursive: true });
    // Creates the file, and keeps what it has.
    closeSync(openSync(path, 'a', 0o600));
    this.#descriptor = openSync(path, 'r+');
  }

  /**
   * Reads the entries of earlier runs; if most of them no longer matter, rewrites the journal.
   *
   * @param begin creates an empty state
   * @throws Error as `replay` does
   */
  load<State extends JournalState<Entry>>(begin: () => State): State {
    const read = () => {
      const state = begin();
      const lines = this.replay((entry, place) => state.apply(entry, place));
      state.endReplay();
      return { state, lines };
    };
    const { state, lines } = read();
    if (lines < Math.max(MIN_REWRITTEN_LINES, 2 * state.size)) return state;
    this.#rewrite(state.entries());
    // Places have changed.
    return read().state;
  }

  /**
   * Passes on the entries of earlier runs, oldest first.
   *
   * @param apply takes an entry and its place
   * @returns the number of entries
   * @throws Error with file and line if a line is not JSON or `apply` throws
   */
  replay(apply: (entry: Entry, place: number) => void): number {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    let rest = Buffer.alloc(0);
    let lines = 0;
    this.#length = 0;
    for (let end = 0; ; ) {
      const bytes = readSync(this.#descriptor, buffer, 0, BUFFER_BYTES, end);
      if (bytes === 0) break;
      end += bytes;
      const text = Buffer.concat([rest, buffer.subarray(0, bytes)]);
      let from = 0;
      for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, from)) {
        lines++;
        this.#applyLine(text.toString('utf8', from, at), lines, apply);
        this.#length += at + 1 - from;
        from = at + 1;
      }
      rest = text.subarray(from);
    }
    if (rest.length > 0) ftruncateSync(this.#descriptor, this.#length);
    return lines;
  }

  #applyLine(line: string, number: number, apply: (entry: Entry, place: number) => void): void {
    try {
      apply(JSON.parse(line) as Entry, this.#length);
    } catch (cause) {
      throw new Error(
        `${this.#path}, line ${number}: expected an entry of the ${this.#name}, found ${line.slice(0, 80)} (${(cause as Error).message}). Use another data folder, or delete this one.`,
        { cause },
      );
    }
  }

  /** Replaces all entries. @param entries may be read from this journal meanwhile */
  #rewrite(entries: Iterable<Entry>): void {
    // A new file first, so that a crash loses no entry.
    const descriptor = openSync(`${this.#path}.new`, 'w+', 0o600);
    let length = 0;
    let lines = '';
    const flush = () => {
      length += writeAll(descriptor, Buffer.from(lines), length);
      lines = '';
    };
    try {
      for (const entry of entries) {
        lines += lineOf(entry);
        if (lines.length >= BUFFER_BYTES) flush();
      }
      flush();
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    this.#length = length;
  }

  /**
   * Appends an entry; the operating system has it when this returns, and nothing of it if this throws.
   *
   * @returns its place for `read`
   */
  append(entry: Entry): number {
    const place = this.#length;
    try {
      this.#length += writeAll(this.#descriptor, Buffer.from(lineOf(entry)), place);
    } catch (error) {
      // A full disk may store half a line, which the next line must not continue.
      ftruncateSync(this.#descriptor, place);
      throw error;
    }
    return place;
  }

  /** Reads an entry again. @param place of the entry */
  read(place: number): Entry {
    for (;;) {
      const bytes = readSync(this.#descriptor, this.#readBuffer, 0, this.#readBuffer.length, place);
      const end = this.#readBuffer.subarray(0, bytes).indexOf(LINE_FEED);
      if (end >= 0) return JSON.parse(this.#readBuffer.toString('utf8', 0, end)) as Entry;
      if (bytes < this.#readBuffer.length)
        throw new Error(`${this.#path} has no line of the ${this.#name} at ${place}`);
      this.#readBuffer = Buffer.allocUnsafe(2 * bytes);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** @returns the number of bytes */
function writeAll(descriptor: number, bytes: Buffer, position: number): number {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
  }
  return bytes.length;
}

function lineOf(entry: object): string {
  return `${JSON.stringify(entry)}\n`;
}
