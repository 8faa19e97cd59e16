/** Shows the jobs of a stack, once or until all have finished. */
import { setTimeout as sleep } from 'node:timers/promises';
import { numberText } from '../../../batch/quantities.ts';
import { CommandError, EXIT_SOLVED } from '../../exit.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { printJson, writeText } from '../../terminal/output.ts';
import { canRedraw, clearScreen, widthOf } from '../../terminal/terminal.ts';
import { commandText } from '../command-text.ts';
import { type Connection, withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { isFinished } from './job-list.ts';
import { JobPoller } from './job-poller.ts';
import { detailLines, jobTable, type PolledJob, stateChanges } from './job-text.ts';
import { longQueuedKeys, longQueuedLine } from './long-queued.ts';

export interface StatusFlags extends ConnectionFlags {
  readonly watch?: boolean;
  readonly versions?: boolean;
  readonly json?: boolean;
}

const POLL_MS = 2_000;

/**
 * Shows jobs.
 *
 * @param key of an upload, or a prefix of keys
 * @returns the exit status
 */
export async function showStatus(key: string, flags: StatusFlags): Promise<number> {
  using _ = onInterrupt({ left: () => ['interrupted; jobs go on without this command'] });
  return withConnection(flags, 'reading jobs', async (connection) => {
    const poller = new JobPoller(connection);
    const view = new StatusView(connection, key, flags);
    for (;;) {
      const found = await connection.retries.operation(() =>
        poller.poll(key, Date.now(), flags.versions === true),
      );
      const exact = found.filter((job) => job.key === key);
      const jobs = exact.length > 0 ? exact : found;
      if (jobs.length === 0 && key !== '') throw new CommandError(notFoundText(key, connection));
      view.show(jobs, Date.now());
      if (flags.watch !== true || jobs.every(isFinished)) return EXIT_SOLVED;
      await sleep(POLL_MS);
    }
  });
}

function notFoundText(key: string, { inputBucket }: Connection): string {
  return `no upload in ${inputBucket} has the key or prefix ${key}; ${commandText('status')} lists all uploads`;
}

/** Prints poll results: on a terminal the whole screen each time, elsewhere only the changes. */
class StatusView {
  readonly #connection: Connection;
  readonly #key: string;
  readonly #flags: StatusFlags;
  #previous: readonly PolledJob[] | undefined;
  #hasHint = false;

  constructor(connection: Connection, key: string, flags: StatusFlags) {
    this.#connection = connection;
    this.#key = key;
    this.#flags = flags;
  }

  show(jobs: readonly PolledJob[], nowMs: number): void {
    const { json, watch } = this.#flags;
    const previous = this.#previous;
    this.#previous = jobs;
    if (json === true) {
      if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(jobs)) return;
      printJson({ jobs });
      return;
    }
    const hint = this.#queueHint(jobs, nowMs);
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

  /** One line if uploads have been queued for long, else none. */
  #queueHint(jobs: readonly PolledJob[], nowMs: number): string[] {
    const keys = longQueuedKeys(jobs, nowMs);
    return keys.length === 0 ? [] : [longQueuedLine(keys)];
  }

  #lines(jobs: readonly PolledJob[], nowMs: number): string[] {
    const exact = jobs.filter(({ key }) => key === this.#key);
    if (exact.length > 0) return exact.flatMap((job) => detailLines(job, this.#connection, nowMs));
    return jobTable(jobs, process.stdout, nowMs);
  }
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
