/**
 * The executions on disk, so that they survive a crash: one line of JSON for each event. The next start replays them in
 * order and continues unfinished executions.
 *
 *     {"execution":"arn:...","op":"start","machine":"arn:...","name":"...","input":"{...}","atEpochMs":1760000000000}
 *     {"execution":"arn:...","op":"deployment","id":"0123456789abcdef"}
 *     {"execution":"arn:...","op":"enter","position":{"state":"Plan","input":{...}}}
 *     {"execution":"arn:...","op":"end","child":3,"outcome":{...}}
 *     {"execution":"arn:...","op":"stop","outcome":{...},"atEpochMs":1760000000000}
 *     {"execution":"arn:...","op":"redrive","atEpochMs":1760000000000}
 */
import { JournalFile } from '../journal-file.ts';
import type { Outcome, ProgressEntry } from './language/progress.ts';

/** An event of an execution itself. */
export type LifecycleEntry =
  | {
      readonly op: 'start';
      readonly machine: string;
      readonly name: string;
      readonly input: string;
      readonly atEpochMs: number;
    }
  /** The deployment of its definition and functions; journals of older programs have none. */
  | { readonly op: 'deployment'; readonly id: string }
  | {
      readonly op: 'stop';
      readonly outcome: Outcome;
      readonly atEpochMs: number;
    };

export type JournalEntry = { readonly execution: string; readonly atEpochMs?: number } & (
  | LifecycleEntry
  | ProgressEntry
);

/** The journal of all executions, with the entries of earlier runs, oldest first. */
export type ExecutionJournal = JournalFile<JournalEntry> & { readonly entries: readonly JournalEntry[] };

/** Opens the journal; the file is created if missing. @throws Error as `JournalFile` does */
export function openExecutionJournal(path: string): ExecutionJournal {
  const entries: JournalEntry[] = [];
  const file = new JournalFile<JournalEntry>(path, 'execution journal', (found) => {
    for (const entry of found) entries.push(entry);
    return entries;
  });
  return Object.assign(file, { entries });
}
