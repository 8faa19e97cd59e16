/** Runs one job over bytes in memory, and returns its files. */

import { jobEvents } from '../../lib/batch/job/job.ts';
import type { JobDependencies, JobEvent, JobOutcome, JobRequest } from '../../lib/batch/job/job-run.ts';
import type { FileWriter, ResultFiles } from '../../lib/batch/ports.ts';
import type { JobRecord } from '../../lib/batch/results/job-record.ts';
import type { JobStats } from '../../lib/batch/results/statistics.ts';
import { jobDependencies, optionsFrom } from './dependencies.ts';
import { checkFile } from './result-schemas.ts';
import { jsonLines } from './result-set.ts';

/** Files in memory, with the names of unfinished and aborted files. */
export class MemoryFiles implements ResultFiles {
  /** Text of each closed file by name. */
  readonly closed: Record<string, string> = {};
  /** Bytes of each closed file by name. */
  readonly closedBytes: Record<string, Buffer> = {};
  readonly unfinished = new Set<string>();
  readonly aborted = new Set<string>();

  open(name: string): FileWriter {
    const pieces: Uint8Array[] = [];
    this.unfinished.add(name);
    return {
      write: async (bytes) => {
        pieces.push(bytes.slice());
      },
      close: async () => {
        this.unfinished.delete(name);
        this.closedBytes[name] = Buffer.concat(pieces);
        this.closed[name] = this.closedBytes[name].toString();
        checkFile(name, this.closed[name]);
      },
      abort: async () => {
        this.unfinished.delete(name);
        this.aborted.add(name);
      },
    };
  }
}

/** The pieces of bytes between `cuts` (ascending). */
export async function* pieces(bytes: Uint8Array, cuts: readonly number[] = []): AsyncIterable<Uint8Array> {
  const bounds = [0, ...cuts, bytes.length];
  for (let k = 1; k < bounds.length; k++) yield bytes.slice(bounds[k - 1], bounds[k]);
}

export interface RunRequest extends Partial<Omit<JobRequest, 'options'>> {
  readonly cuts?: readonly number[];
  readonly dependencies?: Partial<JobDependencies>;
  /** Called with each event; with an outcome, it ends the job. */
  readonly onEvent?: (event: JobEvent) => JobOutcome | undefined;
}

/** Runs a job on a text, with options by name, into the files of `request` or new ones. */
export async function runText(
  text: string | Uint8Array,
  options: Readonly<Record<string, string>> = {},
  { cuts, dependencies, onEvent, ...request }: RunRequest = {},
): Promise<JobOutcome> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const solveOptions = optionsFrom(options);
  const events = jobEvents(
    { input: pieces(bytes, cuts), options: solveOptions, files: new MemoryFiles(), ...request },
    { ...jobDependencies(solveOptions, dependencies?.clock), ...dependencies },
  );
  let next = await events.next();
  while (next.done !== true) {
    const end = onEvent?.(next.value);
    next = await (end === undefined ? events.next() : events.return(end));
  }
  return next.value;
}

export interface Completed {
  readonly stats: JobStats;
  readonly files: Readonly<Record<string, string>>;
  readonly solutions: string;
  readonly exceptions: readonly JobRecord[];
  readonly records: readonly JobRecord[];
}

/** Runs a job to its completion. @throws Error if it is rejected or leaves files open */
export async function solveText(
  text: string | Uint8Array,
  options: Readonly<Record<string, string>> = {},
  request: RunRequest = {},
): Promise<Completed> {
  const files = new MemoryFiles();
  const outcome = await runText(text, options, { ...request, files });
  if (outcome.kind === 'rejected')
    throw new Error(`rejected: ${outcome.error.code}: ${outcome.error.message}`);
  if (files.unfinished.size > 0) throw new Error(`left open: ${[...files.unfinished].join(', ')}`);
  return {
    stats: outcome.stats,
    files: files.closed,
    solutions: files.closed['solutions.txt'] ?? '',
    exceptions: jsonLines(files.closed['exceptions.jsonl'] ?? ''),
    records: jsonLines(files.closed['records.jsonl'] ?? ''),
  };
}

/** All files of a result set except those that contain times. */
export function untimed({
  'report.html': _report,
  'stats.json': _stats,
  'records.jsonl': _records,
  ...rest
}: Readonly<Record<string, string>>) {
  return rest;
}

/** The result files without times, with the records and the numbers of the search; or the error of a rejected file. */
export async function resultFiles(
  text: string | Uint8Array,
  options: Readonly<Record<string, string>>,
  request?: RunRequest,
): Promise<Readonly<Record<string, string>>> {
  try {
    const { files, records, stats } = await solveText(text, options, request);
    const timeless = records.map(({ solveUs: _, ...record }) => record);
    const { maxBytes, ...search } = stats.search;
    const numbers = { search: JSON.stringify(search), maxBytes: String(maxBytes) };
    return { ...untimed(files), records: JSON.stringify(timeless), ...numbers };
  } catch (error) {
    if (!/^rejected: /.test((error as Error).message)) throw error;
    return { error: (error as Error).message };
  }
}
