/** A journal on disk: one line of JSON for each entry, with a single writer. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export class JournalFile<Entry extends object> {
  /** The entries of earlier runs, oldest first. */
  readonly entries: readonly Entry[];
  readonly #descriptor: number;

  /**
   * Reads and compacts a journal, and opens it for appending; file and folder are created if missing.
   *
   * @param name of the journal, for the error
   * @param compact returns the entries to keep
   * @throws Error with file and line if a line other than a truncated last one is not JSON
   */
  constructor(
    path: string,
    name: string,
    compact: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries,
  ) {
    this.entries = existsSync(path) ? readEntries<Entry>(path, name) : [];
    mkdirSync(dirname(path), { recursive: true });
    // A new file first, so that a crash loses no entry.
    writeFileSync(`${path}.new`, compact(this.entries).map(lineOf).join(''));
    renameSync(`${path}.new`, path);
    this.#descriptor = openSync(path, 'a');
  }

  /** Appends an entry; the operating system has it when this returns. */
  append(entry: Entry): void {
    writeSync(this.#descriptor, lineOf(entry));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function readEntries<Entry>(path: string, name: string): Entry[] {
  // After the last line feed there is nothing, or a line that a crash truncated.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Entry;
    } catch {
      throw new Error(
        `${path}, line ${index + 1}: expected an entry of the ${name}, found ${line.slice(0, 80)}`,
      );
    }
  });
}

function lineOf(entry: object): string {
  return `${JSON.stringify(entry)}\n`;
}
