/** Downloads result sets. */

import { resolve } from 'node:path';
import { plannedVersions } from '../../../batch/bulk-run/planned-versions.ts';
import { isRunId, runKeys } from '../../../batch/bulk-run/run-keys.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import { DONE_PREFIX } from '../../../batch/names.ts';
import { counted } from '../../../batch/quantities.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_SOLVED,
  EXIT_UNSOLVED,
  failureText,
  isFixable,
  itemFailure,
} from '../../exit.ts';
import { resultFolders } from '../../files/result-folders.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { complain, print, printJson } from '../../terminal/output.ts';
import { type Connection, withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { findLatestOutcome, fullKey, latestOutcome } from '../jobs/latest-outcome.ts';
import { isTemporary, RemoteError, remoteError } from '../remote-error.ts';
import { DownloadProgress } from './download-progress.ts';
import { DownloadWork } from './download-work.ts';
import { type FetchedResultSet, fetchResultSet, streamSolutions } from './fetch-results.ts';
import { checkResultFileName } from './result-file-names.ts';

export interface DownloadFlags extends ConnectionFlags {
  readonly all?: boolean;
  readonly run?: string;
  readonly prefix?: string;
  readonly only?: string;
  /** Folder, or `-` for the solutions on standard output. */
  readonly outputDir: string;
  readonly json?: boolean;
}

/** Result sets downloaded in parallel. */
const PARALLEL_SETS = 8;

interface Downloaded extends Partial<FetchedResultSet> {
  readonly key: string;
  /** Why there is no result set. */
  readonly rejected?: string;
  /** Why it could not be downloaded. */
  readonly failed?: string;
  /** Set if the upload has no outcome yet. */
  readonly pending?: true;
}

/**
 * Downloads the result sets of keys, of a bulk run, or all of them. One that fails does not stop the others.
 *
 * @param args all arguments, from which the command that continues is made
 * @returns the exit status
 */
export async function downloadResults(
  keys: readonly string[],
  flags: DownloadFlags,
  args: readonly string[],
): Promise<number> {
  if (flags.only !== undefined) checkResultFileName('only', flags.only);
  if ([keys.length > 0, flags.all === true, flags.run !== undefined].filter(Boolean).length !== 1) {
    throw new CommandError(
      'expected exactly one of: keys of uploaded objects, --all, or --run with the id of a bulk run',
    );
  }
  const progress = new DownloadProgress();
  const work = new DownloadWork(keys, flags, args);
  const download = (signal: AbortSignal) =>
    withConnection(
      flags,
      'downloading',
      async (connection) => {
        const wanted = await connection.retries.operation(() => wantedKeys(connection, keys, flags));
        progress.begin(wanted.length);
        work.begin(wanted);
        const inputs = wanted.map((key) => ({ name: key, id: key }));
        const folders =
          flags.outputDir === '-' ? undefined : await resultFolders(resolve(flags.outputDir), inputs, true);
        // On standard output, results must follow one another.
        const atOnce = flags.outputDir === '-' ? 1 : PARALLEL_SETS;
        return inParallel(wanted, atOnce, (key) =>
          downloadKey(connection, key, folders?.get(key), flags, { progress, work }),
        );
      },
      signal,
    );
  const downloaded = await interruptible(download, { left: () => ['interrupted', ...work.lines()] });
  if (flags.json === true) printJson({ results: downloaded });
  print(work.finalLines(), process.stderr);
  if (downloaded.some(({ failed }) => failed !== undefined)) return EXIT_FAILED;
  const isComplete = downloaded.every(({ rejected, pending }) => rejected === undefined && pending !== true);
  return isComplete ? EXIT_SOLVED : EXIT_UNSOLVED;
}

/** @throws the error of a key if the others would fail in the same way, or the command is interrupted */
async function downloadKey(
  connection: Connection,
  key: string,
  folder: string | undefined,
  flags: DownloadFlags,
  { progress, work }: { readonly progress: DownloadProgress; readonly work: DownloadWork },
): Promise<Downloaded> {
  const { retries } = connection;
  const toStandardOutput = flags.outputDir === '-';
  // Solutions on standard output may be incomplete, and others must not follow them.
  if (toStandardOutput && work.hasFailed) return { key, failed: 'not downloaded, after a failure' };
  try {
    retries.signal.throwIfAborted();
    const one = await downloadOne(connection, key, folder, flags, progress);
    progress.finished();
    work.done(key);
    if (flags.json !== true && !toStandardOutput) printResult(one);
    return one;
  } catch (error) {
    retries.signal.throwIfAborted();
    const failure = remoteError(error, `downloading ${key}`);
    if (!isFixable(failure)) throw failure;
    work.failed(key, failure);
    if (isGeneral(failure) && !work.hasDone) throw failure;
    if (!isTemporary(failure)) complain(itemFailure(key, failure));
    return { key, failed: failureText(failure) };
  }
}

/** Whether other keys would fail in the same way. */
function isGeneral(failure: unknown): boolean {
  return failure instanceof RemoteError && !failure.isTemporary;
}

async function wantedKeys(
  connection: Connection,
  keys: readonly string[],
  flags: DownloadFlags,
): Promise<readonly string[]> {
  if (flags.run !== undefined) return keysOfRun(connection, flags.run);
  return flags.all === true ? allKeys(connection, flags.prefix ?? '') : keys;
}

async function downloadOne(
  connection: Connection,
  key: string,
  folder: string | undefined,
  flags: DownloadFlags,
  progress: DownloadProgress,
): Promise<Downloaded> {
  const { retries } = connection;
  // A key from a run's plan may be unsolved; a key that the user names should have a result.
  const outcome = await retries.operation(() =>
    flags.run === undefined ? latestOutcome(connection, key) : findLatestOutcome(connection, key),
  );
  if (outcome === undefined) return { key, pending: true };
  const rejected = outcome.kind === 'rejected' ? outcome.reject.error.message : undefined;
  if (folder === undefined) {
    if (outcome.kind === 'completed') await streamSolutions(connection, outcome.manifest);
    return { key, rejected };
  }
  const onBytes = (bytes: number) => progress.bytes(bytes);
  const options = { only: flags.only, signal: retries.signal, onBytes };
  return { key, rejected, ...(await fetchResultSet(connection, outcome, folder, options)) };
}

/** Keys of all inputs with an outcome, without duplicates. */
async function allKeys(connection: Connection, prefix: string): Promise<string[]> {
  const { store, resultsBucket } = connection;
  const parts = new Set<string>();
  for await (const key of store.list(resultsBucket, `${DONE_PREFIX}${prefix}`)) {
    parts.add(key.slice(DONE_PREFIX.length, key.lastIndexOf('/')));
  }
  return inParallel([...parts], PARALLEL_SETS, (part) => fullKey(connection, part));
}

/** Keys in the plan of a bulk run, without duplicates. @throws CommandError if there is no such run */
async function keysOfRun({ store, resultsBucket }: Connection, run: string): Promise<string[]> {
  if (!isRunId(run) || (await store.head(resultsBucket, runKeys(run).status)) === undefined) {
    throw new CommandError(
      `no plan found for run ${run}: expected the id of a bulk run, such as 2026-11-21T02-00-00Z`,
    );
  }
  const keys = new Set<string>();
  for await (const { key } of plannedVersions(store, resultsBucket, run)) keys.add(key);
  return [...keys];
}

function printResult({ key, rejected, pending, folder, files = [], kept = 0 }: Downloaded): void {
  if (pending === true) {
    print([`${key}: no result yet`]);
    return;
  }
  const state = rejected === undefined ? counted(files.length, 'file') : `rejected: ${rejected}; error.json`;
  const unchanged = kept > 0 ? ` (${kept} already present)` : '';
  print([`${key}: ${state}${unchanged} in ${folder}`]);
}
