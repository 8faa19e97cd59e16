/** Shows the jobs of a stack, once or until all have finished. */
import { counted, numberText } from '../../batch/quantities.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { readChoice, readDuration } from '../option-values.ts';
import { commandText } from '../remote/command-text.ts';
import { type ConnectionFlags, polled, withConnection } from '../remote/connection.ts';
import { describedJobs, detailLines, jobTable, stateChanges } from '../remote/job-text.ts';
import { isFinished, JOB_STATES, type JobFilter, JobList } from '../remote/jobs.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { print, printJson, writeText } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';

interface StatusFlags extends ConnectionFlags {
  readonly state?: readonly string[];
  readonly since?: string;
  readonly watch?: boolean;
}

const POLL_MS = 2_000;
const MAX_SINCE_SECONDS = 3650 * 86_400;

/** @param operands the key of an upload, or a prefix of keys @returns the exit status */
export async function run([key = '']: readonly string[], flags: StatusFlags): Promise<number> {
  const filter = readFilter(key, flags);
  const line = new ProgressLine();
  using _ = onInterrupt({ left: () => ['interrupted; jobs go on without this command'] });
  return withConnection(flags, 'reading jobs', async (connection) => {
    const list = new JobList(connection);
    let previous: ReadonlyMap<string, string> | undefined;
    let printed = '';
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
      const described = describedJobs(jobs, nowMs);
      if (flags.json === true) {
        const document = JSON.stringify(jobs);
        if (document !== printed) printJson({ jobs });
        printed = document;
      } else if (previous !== undefined) print(stateChanges(previous, described, nowMs));
      else if (exact.length > 0) print(jobs.flatMap((job) => detailLines(job, connection, nowMs)));
      // Its texts are escaped, as a table is coloured.
      else writeText(`${jobTable(jobs, process.stdout, nowMs).join('\n')}\n`, process.stdout);
      previous = described;
      const finished = jobs.filter(isFinished).length;
      if (flags.watch !== true || finished === jobs.length) return EXIT_SOLVED;
      const done = `${numberText(finished)} of ${counted(jobs.length, 'job')} finished`;
      line.show(() => ({ share: finished / jobs.length, done }));
      return undefined;
    };
    return (await polled(connection, poll, { maxDelayMs: POLL_MS }))!;
  });
}

function readFilter(prefix: string, { state: states, since }: StatusFlags): JobFilter {
  const expected = 'a duration such as 90m, 12h or 1d';
  const seconds =
    since === undefined
      ? Number.POSITIVE_INFINITY
      : readDuration('since', since, { min: 1, max: MAX_SINCE_SECONDS, expected });
  return {
    prefix,
    states: states?.map((state) => readChoice('state', state, JOB_STATES)),
    sinceMs: Date.now() - seconds * 1000,
  };
}
