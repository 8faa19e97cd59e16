/** Starts a bulk run, previews it with `--dry-run`, waits for it with `--wait`, or lists the runs with `--list`. */
import { stepFunctions } from '../../aws/step-functions.ts';
import type { RunReport } from '../../batch/bulk-run/report/run-report.ts';
import { isRunId, runKeys } from '../../batch/bulk-run/run-keys.ts';
import type { RunStatus } from '../../batch/bulk-run/run-status.ts';
import { startRun } from '../../batch/bulk-run/start-run.ts';
import type { BulkRun } from '../../batch/bulk-run/steps.ts';
import { isSweepable } from '../../batch/bulk-run/sweep/sweep.ts';
import { type Executions, handOver } from '../../batch/delivery/executions.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, RUNS_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { JSON_TYPE } from '../../batch/results/content-types.ts';
import { readJson } from '../../batch/storage/read-json.ts';
import { writeWhole } from '../../batch/storage/whole-file.ts';
import { jsonBytes } from '../../batch/storage/write-json.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { findInputFiles } from '../files/input-files.ts';
import { commandText } from '../remote/command-text.ts';
import {
  type Buckets,
  type Connection,
  type ConnectionFlags,
  polled,
  withConnection,
} from '../remote/connection.ts';
import { newRunId } from '../remote/new-run-id.ts';
import { remoteError } from '../remote/remote-error.ts';
import { reportLines, runLine, runProgress } from '../remote/run-text.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { printFound } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';

interface RunFlags extends ConnectionFlags {
  readonly prefix?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly list?: boolean;
  /** A file of keys, one on each line. */
  readonly manifest?: string;
  /** Id of a run. */
  readonly cancel?: string;
}

/** A run for another command. */
interface RunRequest extends RunFlags, Pick<BulkRun, 'rerunOf' | 'rejected' | 'retry'> {}

/** The status and report of a run, if they exist. */
export interface RunRecord {
  readonly runId: string;
  readonly status?: RunStatus;
  readonly report?: RunReport;
}

const POLL_MS = 2_000;
const PARALLEL_READS = 8;

/** @returns the exit status */
export async function run(_: readonly string[], flags: RunFlags): Promise<number> {
  const { list, cancel } = flags;
  if (list === true) return listRuns(flags);
  return cancel === undefined ? startBulkRun(flags) : cancelRun(cancel, flags);
}

/** The run ends with its report. */
function cancelRun(runId: string, flags: RunFlags): Promise<number> {
  return withConnection(flags, `cancelling run ${runId}`, async (connection) => {
    const { store, resultsBucket, retries } = connection;
    const { report } = await retries.operation(() => checkedRun(connection, '--cancel', runId));
    if (report !== undefined) throw new CommandError(`run ${runId} has ended`);
    await store.put(resultsBucket, runKeys(runId).cancel, jsonBytes({}), JSON_TYPE);
    const text = `run ${runId} sends no more uploads, and ends with its report; see ${commandText('run --list')}`;
    printFound(flags, { run: { runId } }, [text]);
    return EXIT_SOLVED;
  });
}

async function listRuns(flags: RunFlags): Promise<number> {
  return withConnection(flags, 'reading bulk runs', async (connection) => {
    const { store, resultsBucket, retries } = connection;
    const runs = await retries.operation(async () => {
      const ids = new Set<string>();
      for await (const key of store.list(resultsBucket, RUNS_PREFIX)) {
        const [runId, file] = key.slice(RUNS_PREFIX.length).split('/');
        if (runId !== undefined && file !== undefined) ids.add(runId);
      }
      return inParallel([...ids].reverse(), PARALLEL_READS, (id) => readRun(connection, id));
    });
    const none = `no runs yet; start one with ${commandText('run')}`;
    printFound(flags, { runs }, runs.length === 0 ? [none] : runs.map(runLine));
    return EXIT_SOLVED;
  });
}

export async function readRun(buckets: Buckets, runId: string): Promise<RunRecord> {
  const keys = runKeys(runId);
  const [status, report] = await Promise.all([
    readJson<RunStatus>(buckets, keys.status),
    readJson<RunReport>(buckets, keys.report),
  ]);
  return { runId, status, report };
}

/** @returns the exit status */
export async function startBulkRun(flags: RunRequest): Promise<number> {
  const { prefix, rerunOf, rejected, retry, manifest } = flags;
  if (prefix !== undefined && !isSweepable(prefix)) {
    throw new CommandError(
      `option "--prefix" is "${prefix}": expected a prefix of input keys, ${INBOX_PREFIX}... or ${SCHEDULED_PREFIX}...`,
    );
  }
  const [keys] = manifest === undefined ? [] : await findInputFiles([manifest]);
  return withConnection(flags, 'starting a bulk run', async (connection) => {
    const { store, resultsBucket, retries } = connection;
    if (rerunOf !== undefined) {
      const found = await retries.operation(() => readRun(connection, checkedId('--run', rerunOf)));
      if (found.report === undefined) return await continueRun(connection, found, flags);
    }
    // What is repeated needs no grace.
    const request = { prefix, rerunOf, rejected, retry, graceMinutes: retry && 0 };
    if (flags.dryRun === true) {
      const { dryRun } = await import('./dry-run.ts');
      await retries.operation(() => dryRun(connection, request, keys, flags));
      return EXIT_SOLVED;
    }
    const executions = await bulkRuns(connection);
    const runId = newRunId();
    if (keys !== undefined) {
      const file = store.writer(resultsBucket, runKeys(runId).manifest, 'text/plain');
      await writeWhole(file, async () => {
        for await (const bytes of keys.open()) await file.write(bytes);
      });
    }
    const bulkRun: BulkRun = { runId, ...request, ...(keys !== undefined && { manifest: true }) };
    // An execution has the id of its run, so a repeated request starts no second one.
    await retries.request(() => startRun(executions, bulkRun));
    return await followed(
      connection,
      executions,
      { runId, execution: runId, run: bulkRun },
      'started',
      flags,
    );
  });
}

/** A run that goes on from now. */
interface RunningRun {
  readonly runId: string;
  /** The execution that works on it, and the one before that has failed. */
  readonly execution: string;
  readonly failed?: string;
  /** For `--json`. */
  readonly run: object;
}

/** Waits for a run if the user wants that, or else says what happens with it. @returns the exit status */
async function followed(
  connection: Connection,
  executions: Executions,
  running: RunningRun,
  what: string,
  flags: RunFlags,
): Promise<number> {
  const { runId, run } = running;
  const progress = `${commandText('run --list')} shows its progress`;
  if (flags.wait === true) {
    using _ = onInterrupt({ left: () => [`interrupted: run ${runId} goes on; ${progress}`] });
    const report = await awaitedReport(connection, executions, running).catch((error: unknown) => {
      throw remoteError(error, `run ${runId} was started, and ${progress}; waiting for it`);
    });
    return printReport(report!, flags);
  }
  printFound(flags, { run }, [`run ${runId} ${what}; ${progress}`]);
  return EXIT_SOLVED;
}

/** Continues a run whose execution has failed where it stopped, or starts that execution again after 14 days. */
async function continueRun(
  connection: Connection,
  { runId, status }: RunRecord,
  flags: RunFlags,
): Promise<number> {
  // A run that fails in its first step has no status.
  const { state = 'planning', execution = runId } = status ?? {};
  const executions = await bulkRuns(connection);
  const { retries } = connection;
  const found = await retries.request(() => executions.describe(execution));
  if (found === undefined) throw noSuchRun(runId);
  if (found.status !== 'failed' || found.input === undefined)
    throw new CommandError(`run ${runId}: not finished yet (${state})`);
  const why = `its execution failed while ${state}${found.cause === undefined || found.cause === '' ? '' : ` (${found.cause})`}`;
  if (flags.dryRun === true) {
    printFound(flags, { run: { runId, execution, why } }, [`run ${runId} would go on: ${why}`]);
    return EXIT_SOLVED;
  }
  const { input } = found;
  const handed = await retries.request(() => handOver(executions, execution, input, async () => false));
  const running = { runId, execution: handed.execution, failed: execution, run: { runId, ...handed } };
  return followed(connection, executions, running, `goes on: ${why}`, flags);
}

/** @throws CommandError if there is no such run */
async function checkedRun(buckets: Buckets, option: string, runId: string): Promise<RunRecord> {
  const found = await readRun(buckets, checkedId(option, runId));
  if (found.status === undefined) throw noSuchRun(runId);
  return found;
}

/** @throws CommandError if it is no id of a run */
function checkedId(option: string, runId: string): string {
  if (isRunId(runId)) return runId;
  throw new CommandError(
    `option "${option}" is "${runId}": expected the id of a run from ${commandText('run --list')}`,
  );
}

function noSuchRun(runId: string): CommandError {
  return new CommandError(`run ${runId}: no such run; see ${commandText('run --list')}`);
}

/** The executions of bulk runs. */
export async function bulkRuns(connection: Connection): Promise<Executions> {
  const { arn, sfn } = await connection.machine('BulkRunArn');
  return stepFunctions(arn, sfn);
}

/**
 * Waits for the report of a run.
 *
 * @param execution the one that works on it @param failed the one before that has failed
 * @returns undefined if there is none after the time
 * @throws CommandError if the run fails
 */
export async function awaitedReport(
  connection: Connection,
  executions: Executions,
  { runId, execution, failed }: Omit<RunningRun, 'run'>,
  maxSeconds?: number,
): Promise<RunReport | undefined> {
  const line = new ProgressLine();
  const poll = async () => {
    const { status, report } = await readRun(connection, runId);
    if (report !== undefined) return report;
    // Another execution may go on with the run; until it has written that, the status names the one that failed.
    const named = status?.execution ?? runId;
    if ((await executions.describe(named === failed ? execution : named))?.status === 'failed') {
      const state = status === undefined ? '' : ` while ${status.state}`;
      throw new CommandError(
        `run ${runId} failed${state}: see the history of its execution; ${commandText(`retry --run ${runId}`)} continues it`,
      );
    }
    if (status !== undefined) line.show(() => runProgress(status));
    return undefined;
  };
  return polled(connection, poll, { maxSeconds, maxDelayMs: POLL_MS });
}

/** @returns the exit status */
function printReport(report: RunReport, flags: RunFlags): number {
  printFound(flags, { report }, reportLines(report));
  const { versions, puzzles } = report;
  const isSolved = versions.solved === versions.planned && puzzles.solved === puzzles.total;
  return isSolved ? EXIT_SOLVED : EXIT_UNSOLVED;
}
