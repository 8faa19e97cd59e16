/**
 * What executions must not forget when the plug is pulled: one line of JSON for each thing that happens to one. The next
 * start reads them in order, and goes on with what has not ended.
 *
 *     {"execution":"arn:...","op":"start","machine":"arn:...","name":"...","input":"{...}","atEpochMs":1760000000000}
 *     {"execution":"arn:...","op":"deployment","id":"0123456789abcdef"}
 *     {"execution":"arn:...","op":"enter","position":{"state":"Plan","input":{...}}}
 *     {"execution":"arn:...","op":"end","child":3,"outcome":{...}}
 *     {"execution":"arn:...","op":"stop","outcome":{...},"atEpochMs":1760000000000}
 *     {"execution":"arn:...","op":"redrive","atEpochMs":1760000000000}
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Outcome, ProgressEntry } from './language/progress.ts';

/** What happens to an execution itself. */
export type LifecycleEntry =
  | {
      readonly op: 'start';
      readonly machine: string;
      readonly name: string;
      readonly input: string;
      readonly atEpochMs: number;
    }
  /** Which definition and functions it keeps; journals of older programs have none. */
  | { readonly op: 'deployment'; readonly id: string }
  | { readonly op: 'stop'; readonly outcome: Outcome; readonly atEpochMs: number };

export type JournalEntry = { readonly execution: string; readonly atEpochMs?: number } & (
  | LifecycleEntry
  | ProgressEntry
);

/** The journal of all executions, in one file; nobody else may write to it meanwhile. */
export class ExecutionJournal {
  /** What earlier runs wrote, in order. */
  readonly entries: readonly JournalEntry[];
  readonly #file: number;

  /**
   * Reads what earlier runs left, and goes on from there; file and folder are made if missing.
   *
   * @throws Error naming file and line where a line is not of the journal; the last one may be torn
   */
  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // Behind the last line end there is nothing, or a line that was being written when the plug was pulled.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    this.entries = whole
      .split('\n')
      .slice(0, -1)
      .map((line, index) => parse(line, path, index + 1));
    mkdirSync(dirname(path), { recursive: true });
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    this.#file = openSync(path, 'a');
  }

  /** Notes an entry; it is with the operating system when this returns. */
  write(entry: JournalEntry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function parse(line: string, path: string, number: number): JournalEntry {
  try {
    return JSON.parse(line) as JournalEntry;
  } catch {
    throw new Error(
      `${path}, line ${number}: expected a line of the executions' journal, found ${line.slice(0, 80)}`,
    );
  }
}
