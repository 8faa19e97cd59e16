/**
 * The journal: one line of JSON for each change, in the order of the changes.
 *
 * A change has happened when its line is written, and lines are written one after the other, so a process that
 * dies leaves a change done or not done. Data files are written before the line that names them; a file that no
 * line names is what a dead process left behind. Lines are not forced to the disk: this server outlives its own
 * crash, not one of the machine; a last line that was cut is dropped.
 */

import {
  closeSync,
  createReadStream,
  existsSync,
  ftruncateSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Catalog, type JournalRecord } from './catalog.ts';

const FILE_NAME = 'journal.jsonl';
const NEW_FILE_NAME = 'journal.new.jsonl';
const FIRST_LINE = '{"schema":"dlx-batch/local-s3-journal@1"}\n';
/** Lines are gathered up to so many characters before they go to the file, when the journal is rewritten. */
const REWRITE_BUFFER_CHARACTERS = 1 << 20;

/** The open journal of one data folder. */
export class Journal {
  readonly #descriptor: number;
  /** Where the next line begins. */
  #length: number;

  private constructor(descriptor: number, length: number) {
    this.#descriptor = descriptor;
    this.#length = length;
  }

  /**
   * Reads the journal of a folder, rewrites it without what has been overtaken, and opens it for appending.
   *
   * @throws Error that names the line, where a line other than the last cannot be read or applied
   */
  static async open(folder: string): Promise<{ journal: Journal; catalog: Catalog }> {
    const catalog = new Catalog();
    const path = join(folder, FILE_NAME);
    if (existsSync(path)) await replay(path, catalog);
    const newPath = join(folder, NEW_FILE_NAME);
    const descriptor = openSync(newPath, 'w');
    const journal = new Journal(descriptor, 0);
    let lines = FIRST_LINE;
    for (const record of catalog.records()) {
      lines += lineOf(record);
      if (lines.length < REWRITE_BUFFER_CHARACTERS) continue;
      journal.#write(lines);
      lines = '';
    }
    journal.#write(lines);
    // The open descriptor stays good: it belongs to the file, not to its name.
    renameSync(newPath, path);
    return { journal, catalog };
  }

  /** Writes one change; it has happened when this returns, and has not when this throws. */
  append(record: JournalRecord): void {
    this.#write(lineOf(record));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(lines: string): void {
    const bytes = Buffer.from(lines);
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(
          this.#descriptor,
          bytes,
          written,
          bytes.length - written,
          this.#length + written,
        );
      }
    } catch (error) {
      // A full disk may take half a line, and the next line must not be glued to it.
      ftruncateSync(this.#descriptor, this.#length);
      throw error;
    }
    this.#length += bytes.length;
  }
}

function lineOf(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}

async function replay(path: string, catalog: Catalog): Promise<void> {
  let number = 0;
  let failure: { line: number; cause: unknown } | undefined;
  for await (const line of linesOf(path)) {
    number++;
    if (failure !== undefined) throw damaged(path, failure.line, failure.cause);
    if (number === 1 && `${line}\n` !== FIRST_LINE) {
      throw new Error(
        `${path} is no journal of this server: expected ${FIRST_LINE.trim()}, found ${line.slice(0, 80)}`,
      );
    }
    if (number === 1) continue;
    try {
      catalog.apply(JSON.parse(line) as JournalRecord);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw damaged(path, number, cause);
      // The last line may have been cut by the end of the process; only a line that follows shows the damage.
      failure = { line: number, cause };
    }
  }
}

/** Lines end in a line feed and nothing else; readline would also part them at U+2028, which keys may hold. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function damaged(path: string, line: number, cause: unknown): Error {
  return new Error(
    `${path}, line ${line}: ${(cause as Error).message}. The folder is damaged: give another data folder, or remove this one.`,
    { cause },
  );
}
