/** Shows the jobs of a stack, once or until all have finished. */
import { numberText } from '../../batch/quantities.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { readDuration } from '../options.ts';
import { commandText } from '../remote/command-text.ts';
import { type Buckets, type ConnectionFlags, polled, withConnection } from '../remote/connection.ts';
import { detailLines, jobTable, stateChanges } from '../remote/job-text.ts';
import { isFinished, JOB_STATES, type Job, type JobFilter, JobList, type JobState } from '../remote/jobs.ts';
import { isLongQueued, longQueuedLine } from '../remote/long-queued.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { printJson, writeText } from '../terminal/output.ts';
import { canRedraw, clearScreen, widthOf } from '../terminal/terminal.ts';

interface StatusFlags extends ConnectionFlags {
  readonly state?: readonly string[];
  readonly since?: string;
  readonly watch?: boolean;
}

const POLL_MS = 2_000;
const MAX_SINCE_SECONDS = 3650 * 86_400;

/** @param key of an upload, or a prefix of keys @returns the exit status */
export async function status(key: string, flags: StatusFlags): Promise<number> {
  const filter = readFilter(key, flags);
  using _ = onInterrupt({ left: () => ['interrupted; jobs go on without this command'] });
  return withConnection(flags, 'reading jobs', async (connection) => {
    const list = new JobList(connection);
    const view = new StatusView(connection, key, flags);
    const poll = async () => {
      const nowMs = Date.now();
      const found = await list.list(filter, nowMs);
      const exact = found.filter((job) => job.key === key);
      const jobs = await list.withProgress(exact.length > 0 ? exact : found, nowMs);
      if (jobs.length === 0 && key !== '' && flags.state === undefined && flags.since === undefined) {
        throw new CommandError(
          `no upload in ${connection.inputBucket} has the key or prefix ${key}; ${commandText('status')} lists all uploads`,
        );
      }
      view.show(jobs, nowMs);
      return flags.watch !== true || jobs.every(isFinished) ? EXIT_SOLVED : undefined;
    };
    return (await polled(connection, poll, { maxDelayMs: POLL_MS }))!;
  });
}

function readFilter(prefix: string, { state: states, since }: StatusFlags): JobFilter {
  const unknown = states?.find((state) => !JOB_STATES.some((known) => known === state));
  if (unknown !== undefined) {
    throw new CommandError(`option "--state" is "${unknown}": expected one of ${JOB_STATES.join(', ')}`);
  }
  const expected = 'a duration such as 90m, 12h or 1d';
  const seconds =
    since === undefined
      ? Number.POSITIVE_INFINITY
      : readDuration('since', since, { min: 1, max: MAX_SINCE_SECONDS, expected });
  return {
    prefix,
    states: states as readonly JobState[] | undefined,
    sinceMs: Date.now() - seconds * 1000,
  };
}

/** Prints poll results: on a terminal the whole screen each time, elsewhere only the changes. */
class StatusView {
  readonly #buckets: Buckets;
  readonly #key: string;
  readonly #flags: StatusFlags;
  #previous: readonly Job[] | undefined;
  #hasHint = false;

  constructor(buckets: Buckets, key: string, flags: StatusFlags) {
    this.#buckets = buckets;
    this.#key = key;
    this.#flags = flags;
  }

  show(jobs: readonly Job[], nowMs: number): void {
    const { json, watch } = this.#flags;
    const previous = this.#previous;
    this.#previous = jobs;
    if (json === true) {
      if (previous === undefined || JSON.stringify(previous) !== JSON.stringify(jobs)) printJson({ jobs });
      return;
    }
    const hint = queueHint(jobs, nowMs);
    if (watch === true && canRedraw(process.stdout)) {
      const { rows = 24, columns = 80 } = process.stdout;
      const available = rows - 1 - hint.reduce((sum, line) => sum + heightOf(line, columns), 0);
      const lines = [...clipped(this.#lines(jobs, nowMs), available, columns), ...hint];
      clearScreen(process.stdout);
      writeText(`${lines.join('\n')}\n`, process.stdout);
      return;
    }
    const lines = previous === undefined ? this.#lines(jobs, nowMs) : stateChanges(previous, jobs, nowMs);
    const printed = this.#hasHint ? lines : [...lines, ...hint];
    this.#hasHint ||= hint.length > 0;
    // Tables are coloured, so job-text.ts has escaped the texts.
    for (const line of printed) writeText(`${line}\n`, process.stdout);
  }

  #lines(jobs: readonly Job[], nowMs: number): string[] {
    const exact = jobs.filter(({ key }) => key === this.#key);
    if (exact.length > 0) return exact.flatMap((job) => detailLines(job, this.#buckets, nowMs));
    return jobTable(jobs, process.stdout, nowMs);
  }
}

/** One line if uploads have been queued for long, else none. Of each key, only the newest version is sent again. */
function queueHint(jobs: readonly Job[], nowMs: number): string[] {
  const keys = jobs
    .filter(({ key }, k) => jobs[k - 1]?.key !== key)
    .filter(({ key, state, uploadedAt = '' }) => {
      return state === 'queued' && isLongQueued(key, nowMs - Date.parse(uploadedAt));
    })
    .map(({ key }) => key);
  return keys.length === 0 ? [] : [longQueuedLine(keys)];
}

/** The lines that fit on the screen, and a line with the number of omitted lines. */
function clipped(lines: readonly string[], rows: number, columns: number): string[] {
  let used = 0;
  const fitting = lines.findIndex((line) => {
    used += heightOf(line, columns);
    return used > rows;
  });
  if (fitting < 0) return [...lines];
  // The last line, with the counts, is always kept.
  const kept = lines.slice(0, Math.max(0, fitting - 2));
  return [...kept, `… ${numberText(lines.length - kept.length - 1)} more lines`, lines.at(-1)!];
}

/** The number of screen rows of a line. */
function heightOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / columns));
}
