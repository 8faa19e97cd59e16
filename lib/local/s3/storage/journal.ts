/**
 * The journal: one line of JSON for each change, in the order of the changes.
 *
 * A change takes effect when its line is written, and lines are written in order, so a process that dies leaves each
 * change complete or absent. Data files are written before the line that names them; a file that no line names is left
 * over from a dead process. Lines are not forced to disk: data survives a crash of the server, not of the machine. A
 * truncated last line is dropped.
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
/** Buffer size, in characters, for rewriting the journal. */
const REWRITE_BUFFER_CHARACTERS = 1 << 20;

/** The open journal of one data folder. */
export class Journal {
  readonly #descriptor: number;
  /** Offset of the next line. */
  #length: number;

  private constructor(descriptor: number, length: number) {
    this.#descriptor = descriptor;
    this.#length = length;
  }

  /**
   * Reads the journal of a folder, compacts it, and opens it for appending.
   *
   * @throws Error with the line number if a line other than the last cannot be read or applied
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
    // The open descriptor stays valid: it refers to the file, not to its name.
    renameSync(newPath, path);
    return { journal, catalog };
  }

  /** Writes one change; it has taken effect when this returns, and has not if this throws. */
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
      // A full disk may store half a line, which the next line must not continue.
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
        `${path} is not a journal of this server: expected ${FIRST_LINE.trim()}, found ${line.slice(0, 80)}`,
      );
    }
    if (number === 1) continue;
    try {
      catalog.apply(JSON.parse(line) as JournalRecord);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw damaged(path, number, cause);
      // The last line may be truncated by a crash; only a following line proves damage.
      failure = { line: number, cause };
    }
  }
}

/** Splits only at line feeds; readline would also split at U+2028, which keys may contain. */
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
    `${path}, line ${line}: ${(cause as Error).message}. The folder is damaged: use another data folder, or delete this one.`,
    { cause },
  );
}
