/** Starts a bulk run, previews it with `--dry-run`, or waits for it with `--wait`. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { stepFunctions, stepFunctionsAt } from '../../../aws/step-functions.ts';
import { otherHolds } from '../../../batch/bulk-run/holds.ts';
import type { PlannedVersion } from '../../../batch/bulk-run/planned-version.ts';
import type { RunReport, UnsolvedVersion } from '../../../batch/bulk-run/report/run-report.ts';
import { isRunId, runIdAt, runKeys } from '../../../batch/bulk-run/run-keys.ts';
import { startRun } from '../../../batch/bulk-run/start-run.ts';
import { type BulkRun, type PlanCounts, ZERO_COUNTS } from '../../../batch/bulk-run/steps.ts';
import { BEGINNING, isSweepable, sweep, sweptPrefixes } from '../../../batch/bulk-run/sweep/sweep.ts';
import type { Executions } from '../../../batch/delivery/executions.ts';
import { estimateRun, RunSizes } from '../../../batch/estimate/run-estimate.ts';
import { DEFAULT_GRACE_MINUTES, DEFAULT_MEMORY_MB } from '../../../batch/limits.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import { readJsonLines } from '../../../batch/storage/json-lines.ts';
import { LOCAL_STACK } from '../../../local/stack-names.ts';
import { systemClock, systemHashing } from '../../../node/system.ts';
import { createEngine } from '../../../sudoku/engines.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../../exit.ts';
import { readSolveOptions, readWholeNumber } from '../../solve-options.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { print, printJson } from '../../terminal/output.ts';
import { LiveLine } from '../../terminal/terminal.ts';
import { commandText } from '../command-text.ts';
import { type Connection, stackOutput, withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { networkSettings } from '../network-settings.ts';
import { remoteError } from '../remote-error.ts';
import { readRun } from './run-records.ts';
import { dryRunLines, reportLines, runProgressText } from './run-text.ts';

export interface RunFlags extends ConnectionFlags {
  readonly prefix?: string;
  /** Id of a run. */
  readonly rerunFailed?: string;
  readonly grace?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** Maximum number of planned versions listed by a dry run. */
const MAX_LISTED_VERSIONS = 50;
/** The defaults of the stack, for the estimate. */
const CONCURRENCY = { concurrency: 10, shardConcurrency: 100 };
const POLL_MS = 2000;

/** @returns the exit status */
export async function startBulkRun(flags: RunFlags): Promise<number> {
  const request = readRequest(flags);
  return withConnection(flags, 'starting a bulk run', async (connection) => {
    const { retries } = connection;
    const { rerunOf } = request;
    if (rerunOf !== undefined) await retries.operation(() => checkRerun(connection, rerunOf));
    if (flags.dryRun === true) return await retries.operation(() => dryRun(connection, request, flags));
    const executions = await bulkRuns(connection, flags);
    const runId = runIdAt(systemClock.timeOfDay(), randomBytes(3).toString('hex'));
    const bulkRun: BulkRun = { runId, ...request };
    // An execution has the id of its run, so a repeated request starts no second one.
    await retries.request(() => startRun(executions, bulkRun));
    if (flags.wait === true) {
      const goesOn = `run ${runId} goes on; ${commandText('runs')} shows its progress`;
      using _ = onInterrupt({ left: () => [`interrupted: ${goesOn}`] });
      return await waitFor(connection, executions, runId, flags).catch((error: unknown) => {
        throw remoteError(
          error,
          `run ${runId} was started, and ${commandText('runs')} shows its progress; waiting for it`,
        );
      });
    }
    if (flags.json === true) printJson({ run: bulkRun });
    else print([`run ${runId} started; ${commandText('runs')} shows its progress`]);
    return EXIT_SOLVED;
  });
}

function readRequest({ prefix, rerunFailed, grace }: RunFlags): Omit<BulkRun, 'runId'> {
  if (prefix !== undefined && !isSweepable(prefix)) {
    throw new CommandError(
      `option "--prefix" is "${prefix}": expected a prefix of input keys, ${INBOX_PREFIX}... or ${SCHEDULED_PREFIX}...`,
    );
  }
  if (rerunFailed !== undefined && !isRunId(rerunFailed)) {
    throw new CommandError(
      `option "--rerun-failed" is "${rerunFailed}": expected the id of a run from ${commandText('runs')}`,
    );
  }
  if (rerunFailed !== undefined && prefix !== undefined) {
    throw new CommandError('--prefix and --rerun-failed cannot be combined');
  }
  const graceMinutes = grace === undefined ? undefined : readWholeNumber('grace', grace, 0, 99_999);
  return { prefix, rerunOf: rerunFailed, graceMinutes };
}

async function checkRerun(connection: Connection, rerunOf: string): Promise<void> {
  const { status, report } = await readRun(connection, rerunOf);
  if (report !== undefined) return;
  const reason = status === undefined ? 'no such run' : `not finished yet (${status.state})`;
  throw new CommandError(`run ${rerunOf}: ${reason}; see ${commandText('runs')}`);
}

/** The state machine for bulk runs of the stack or of the endpoint. */
export async function bulkRuns({ s3, retries }: Connection, flags: ConnectionFlags): Promise<Executions> {
  if (flags.endpoint !== undefined) {
    return stepFunctionsAt(flags.endpoint, LOCAL_STACK.bulkRunArn, s3, networkSettings.timeouts);
  }
  return stepFunctions(await stackOutput(flags, 'BulkRunArn', retries));
}

async function dryRun(
  connection: Connection,
  request: Omit<BulkRun, 'runId'>,
  flags: RunFlags,
): Promise<number> {
  const { store, inputBucket } = connection;
  const sizes = new RunSizes();
  const listed: PlannedVersion[] = [];
  const counts = await plan(connection, request, (version) => {
    sizes.add(version);
    if (listed.length < MAX_LISTED_VERSIONS) listed.push(version);
  });
  const options = readSolveOptions({});
  const settings = { memoryMb: DEFAULT_MEMORY_MB, ...CONCURRENCY };
  const engine = createEngine(options.engine);
  const estimate = await estimateRun(sizes, inputBucket, settings, options, engine, store, systemClock);
  if (flags.json === true) printJson({ counts, planned: listed, estimate });
  else print(dryRunLines(counts, listed, estimate));
  return EXIT_SOLVED;
}

/** Plans as a run would now. */
async function plan(
  connection: Connection,
  { prefix, rerunOf, graceMinutes = DEFAULT_GRACE_MINUTES }: Omit<BulkRun, 'runId'>,
  onPlanned: (version: PlannedVersion) => void,
): Promise<PlanCounts> {
  if (rerunOf === undefined) {
    const writtenBefore = new Date(Date.now() - graceMinutes * 60_000).toISOString();
    const others = await otherHolds({ ...connection, clock: systemClock });
    const scope = { prefixes: sweptPrefixes(prefix), writtenBefore, others };
    const dependencies = { ...connection, hashing: systemHashing };
    const counts = { ...ZERO_COUNTS };
    await sweep(
      scope,
      BEGINNING,
      dependencies,
      () => false,
      (outcome, version) => {
        counts.found++;
        counts[outcome]++;
        if (outcome !== 'planned') return;
        counts.plannedBytes += version.bytes;
        onPlanned(version);
      },
    );
    return counts;
  }
  const counts = { ...ZERO_COUNTS };
  const { store, resultsBucket } = connection;
  const unsolved = runKeys(rerunOf).unsolved;
  for await (const { document } of readJsonLines<UnsolvedVersion>(store, resultsBucket, unsolved)) {
    counts.found++;
    counts.planned++;
    counts.plannedBytes += document.bytes;
    onPlanned({ ...document, why: document.outcome === 'missing' ? 'listed' : document.outcome });
  }
  return counts;
}

async function waitFor(
  connection: Connection,
  executions: Executions,
  runId: string,
  flags: RunFlags,
): Promise<number> {
  const { retries } = connection;
  const live = new LiveLine();
  for (;;) {
    const { status, report } = await retries.operation(() => readRun(connection, runId));
    if (report !== undefined) {
      if (flags.json === true) printJson({ report });
      else print(reportLines(report));
      return exitStatus(report);
    }
    if ((await retries.request(() => executions.describe(runId)))?.status === 'failed') {
      throw new CommandError(
        `run ${runId} failed${status === undefined ? '' : ` while ${status.state}`}: see the history of its execution, and redrive it to continue`,
      );
    }
    if (status !== undefined) live.show(() => runProgressText(status));
    await sleep(POLL_MS);
  }
}

function exitStatus({ versions, puzzles }: RunReport): number {
  const all = versions.solved === versions.planned && puzzles.solved === puzzles.total;
  return all ? EXIT_SOLVED : EXIT_UNSOLVED;
}
