/**
 * A journal on disk: one line of JSON for each entry, with a single writer.
 *
 * An entry takes effect when its line is written, and lines are written in order, so a process that dies leaves each
 * entry complete or absent: a truncated last line is dropped. Lines are not forced to disk: entries survive a crash of
 * the process, not of the machine.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** Size of a buffer for reading and rewriting a journal, in bytes or characters. */
const BUFFER_SIZE = 1 << 20;
/** Most entries that are read again are shorter. */
const READ_BYTES = 4096;

export class JournalFile<Entry extends object> {
  readonly #descriptor: number;
  /** Offset of the next line. */
  #length = 0;

  /**
   * Reads and compacts a journal, and opens it for appending; file and folder are created if missing.
   *
   * @param name of the journal, for the error
   * @param compact reads all entries of earlier runs, oldest first, and returns those to keep
   * @param onKept called for each kept entry, with its place for `read`
   * @throws Error with file and line if `compact` throws, or a line other than a truncated last one is not JSON
   */
  constructor(
    path: string,
    name: string,
    compact: (entries: Iterable<Entry>) => Iterable<Entry>,
    onKept: (entry: Entry, place: number) => void = () => {},
  ) {
    const kept = existsSync(path) ? replay(path, name, compact) : compact([]);
    mkdirSync(dirname(path), { recursive: true });
    // A new file first, so that a crash loses no entry.
    this.#descriptor = openSync(`${path}.new`, 'w+', 0o600);
    let lines = '';
    let place = 0;
    for (const entry of kept) {
      const line = lineOf(entry);
      onKept(entry, place);
      place += Buffer.byteLength(line);
      lines += line;
      if (lines.length < BUFFER_SIZE) continue;
      this.#write(lines);
      lines = '';
    }
    this.#write(lines);
    // The open descriptor stays valid: it refers to the file, not to its name.
    renameSync(`${path}.new`, path);
  }

  /**
   * Appends an entry; the operating system has it when this returns, and nothing of it if this throws.
   *
   * @returns its place for `read`
   */
  append(entry: Entry): number {
    const place = this.#length;
    this.#write(lineOf(entry));
    return place;
  }

  /** Reads an entry of this run again. @param place of the entry */
  read(place: number): Entry {
    let line = Buffer.alloc(0);
    for (;;) {
      const piece = Buffer.allocUnsafe(READ_BYTES);
      const bytes = readSync(this.#descriptor, piece, 0, READ_BYTES, place + line.length);
      const end = piece.subarray(0, bytes).indexOf('\n');
      line = Buffer.concat([line, piece.subarray(0, end < 0 ? bytes : end)]);
      if (end >= 0 || bytes === 0) return JSON.parse(line.toString()) as Entry;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(lines: string): void {
    const bytes = Buffer.from(lines);
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#length + at);
      }
    } catch (error) {
      // A full disk may store half a line, which the next line must not continue.
      ftruncateSync(this.#descriptor, this.#length);
      throw error;
    }
    this.#length += bytes.length;
  }
}

function replay<Entry>(
  path: string,
  name: string,
  compact: (entries: Iterable<Entry>) => Iterable<Entry>,
): Iterable<Entry> {
  let number = 0;
  let found = '';
  const entries = function* () {
    for (const line of completeLines(path)) {
      number++;
      found = line.slice(0, 80);
      yield JSON.parse(line) as Entry;
    }
  };
  try {
    return compact(entries());
  } catch (cause) {
    throw new Error(
      `${path}, line ${number}: expected an entry of the ${name}, found ${found} (${(cause as Error).message}). Use another data folder, or delete this one.`,
      { cause },
    );
  }
}

/** Splits only at line feeds; readline would also split at U+2028, which entries may contain. */
function* completeLines(path: string): Generator<string> {
  const descriptor = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(BUFFER_SIZE);
  let rest = '';
  try {
    for (let bytes = readSync(descriptor, buffer); bytes > 0; bytes = readSync(descriptor, buffer)) {
      const lines = (rest + decoder.write(buffer.subarray(0, bytes))).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    closeSync(descriptor);
  }
}

function lineOf(entry: object): string {
  return `${JSON.stringify(entry)}\n`;
}
