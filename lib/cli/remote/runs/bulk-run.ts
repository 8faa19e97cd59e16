/** A bulk run that is started from the command line, looked through before, or waited for. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { stepFunctions, stepFunctionsAt } from '../../../aws/step-functions.ts';
import type { PlannedVersion } from '../../../batch/bulk-run/planned-version.ts';
import { PlansUnderWay } from '../../../batch/bulk-run/plans-under-way.ts';
import { isRunId, runIdAt, runKeys } from '../../../batch/bulk-run/run-keys.ts';
import type { RunReport, UnsolvedVersion } from '../../../batch/bulk-run/run-report.ts';
import { startRun } from '../../../batch/bulk-run/start-run.ts';
import { type BulkRun, NOTHING_COUNTED, type SweepCounts } from '../../../batch/bulk-run/steps.ts';
import { isSweepable, sweep, sweptPrefixes } from '../../../batch/bulk-run/sweep.ts';
import type { Executions } from '../../../batch/delivery/executions.ts';
import { estimateRun, RunSizes } from '../../../batch/estimate/bulk-run.ts';
import { DEFAULT_GRACE_MINUTES, DEFAULT_MEMORY_MB } from '../../../batch/limits.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import { readJsonLines } from '../../../batch/storage/json-lines.ts';
import { LOCAL_STACK } from '../../../local/stack-names.ts';
import { systemClock, systemHashing } from '../../../node/system.ts';
import { createEngine } from '../../../sudoku/engines.ts';
import type { RunFlags } from '../../commands/run.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../../exit.ts';
import { readSolveOptions } from '../../solve-options.ts';
import { LiveLine } from '../../terminal/terminal.ts';
import { type Connection, connect, stackOutput } from '../connection.ts';
import { remoteError } from '../remote-error.ts';
import { readRun } from './run-records.ts';
import { dryRunLines, progressText, reportLines } from './run-text.ts';

/** Planned versions that a dry run names. */
const NAMED_VERSIONS = 50;
/** What the stack has where nobody says otherwise; an estimate is no promise. */
const CONCURRENCY = { concurrency: 10, shardConcurrency: 100 };
const LOOK_EVERY_MS = 2000;

/** @returns the exit status */
export async function run(flags: RunFlags): Promise<number> {
  const request = readRequest(flags);
  const connection = await connect(flags);
  try {
    if (request.rerunOf !== undefined) await checkRerun(connection, request.rerunOf);
    if (flags.dryRun === true) return await dryRun(connection, request, flags);
    const executions = await bulkRuns(connection, flags);
    const runId = runIdAt(systemClock.timeOfDay(), randomBytes(3).toString('hex'));
    const bulkRun: BulkRun = { runId, ...request };
    await startRun(executions, bulkRun);
    if (flags.wait === true) return await waitFor(connection, executions, runId, flags);
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify({ run: bulkRun })}\n`
        : `run ${runId} is on its way: dlx-batch runs shows it\n`,
    );
    return EXIT_SOLVED;
  } catch (error) {
    throw remoteError(error, 'running');
  } finally {
    connection.s3.destroy();
  }
}

function readRequest({ prefix, rerunFailed, grace }: RunFlags): Omit<BulkRun, 'runId'> {
  if (prefix !== undefined && !isSweepable(prefix)) {
    throw new CommandError(
      `option --prefix is "${prefix}": expected the beginning of input keys, ${INBOX_PREFIX}... or ${SCHEDULED_PREFIX}...`,
    );
  }
  if (rerunFailed !== undefined && !isRunId(rerunFailed)) {
    throw new CommandError(
      `option --rerun-failed is "${rerunFailed}": expected the id of a run, as dlx-batch runs lists them`,
    );
  }
  if (rerunFailed !== undefined && prefix !== undefined) {
    throw new CommandError('--prefix and --rerun-failed do not go together: give one of them');
  }
  const graceMinutes = grace === undefined ? undefined : Number(grace);
  if (grace !== undefined && !/^\d{1,5}$/.test(grace)) {
    throw new CommandError(
      `option --grace is "${grace}": expected a whole number of minutes from 0 to 99999`,
    );
  }
  return { prefix, rerunOf: rerunFailed, graceMinutes };
}

async function checkRerun(connection: Connection, rerunOf: string): Promise<void> {
  const { status, report } = await readRun(connection, rerunOf);
  if (report !== undefined) return;
  const why = status === undefined ? 'there is no such run' : `it is not over yet (${status.state})`;
  throw new CommandError(`run ${rerunOf}: ${why}: dlx-batch runs lists them`);
}

/** The state machine for bulk runs: that of the stack, or of the endpoint. */
async function bulkRuns({ s3 }: Connection, flags: RunFlags): Promise<Executions> {
  if (flags.endpoint !== undefined) return stepFunctionsAt(flags.endpoint, LOCAL_STACK.bulkRunArn, s3);
  return stepFunctions(await stackOutput(flags, 'BulkRunArn'));
}

async function dryRun(
  connection: Connection,
  request: Omit<BulkRun, 'runId'>,
  flags: RunFlags,
): Promise<number> {
  const { store, inputBucket } = connection;
  const sizes = new RunSizes();
  const named: PlannedVersion[] = [];
  const counts = await plan(connection, request, (version) => {
    sizes.add(version);
    if (named.length < NAMED_VERSIONS) named.push(version);
  });
  const options = readSolveOptions({});
  const settings = { memoryMb: DEFAULT_MEMORY_MB, ...CONCURRENCY };
  const engine = createEngine(options.engine);
  const estimate = await estimateRun(sizes, inputBucket, settings, options, engine, store, systemClock);
  const text =
    flags.json === true
      ? JSON.stringify({ counts, planned: named, estimate })
      : dryRunLines(counts, named, estimate).join('\n');
  process.stdout.write(`${text}\n`);
  return EXIT_SOLVED;
}

/** What a run would plan now. */
async function plan(
  connection: Connection,
  { prefix, rerunOf, graceMinutes = DEFAULT_GRACE_MINUTES }: Omit<BulkRun, 'runId'>,
  onPlanned: (version: PlannedVersion) => void,
): Promise<SweepCounts> {
  if (rerunOf === undefined) {
    const writtenBefore = new Date(Date.now() - graceMinutes * 60_000).toISOString();
    const { store, resultsBucket } = connection;
    const now = systemClock.timeOfDay();
    const underWay = await PlansUnderWay.open(store, resultsBucket, systemHashing, now);
    const scope = { prefixes: sweptPrefixes(prefix), writtenBefore, underWay };
    const beginning = { prefix: 0, waiting: [], counts: NOTHING_COUNTED, ended: false };
    const machinery = { ...connection, hashing: systemHashing };
    return (await sweep(scope, beginning, machinery, () => false, onPlanned)).counts;
  }
  const counts = { ...NOTHING_COUNTED };
  const { store, resultsBucket } = connection;
  const unsolved = runKeys(rerunOf).unsolved;
  for await (const { document } of readJsonLines<UnsolvedVersion>(store, resultsBucket, unsolved)) {
    counts.found++;
    counts.planned++;
    counts.plannedBytes += document.bytes;
    onPlanned({ ...document, why: document.outcome });
  }
  return counts;
}

async function waitFor(
  connection: Connection,
  executions: Executions,
  runId: string,
  flags: RunFlags,
): Promise<number> {
  const live = new LiveLine();
  for (;;) {
    const { status, report } = await readRun(connection, runId);
    if (report !== undefined) {
      live.clear();
      const text = flags.json === true ? JSON.stringify({ report }) : reportLines(report).join('\n');
      process.stdout.write(`${text}\n`);
      return exitStatus(report);
    }
    if ((await executions.describe(runId))?.status === 'failed') {
      live.clear();
      throw new CommandError(
        `run ${runId} failed${status === undefined ? '' : ` while ${status.state}`}: the history of its execution says why; redrive it, and it goes on`,
      );
    }
    if (status !== undefined) live.show(() => progressText(status));
    await sleep(LOOK_EVERY_MS);
  }
}

function exitStatus({ versions, puzzles }: RunReport): number {
  const all = versions.solved === versions.planned && puzzles.solved === puzzles.total;
  return all ? EXIT_SOLVED : EXIT_UNSOLVED;
}
