/** Uploads files to a stack and waits for their results. */
import { join, resolve } from 'node:path';
import { inParallel } from '../../../batch/in-parallel.ts';
import { DEFAULT_MEMORY_MB } from '../../../batch/limits.ts';
import type { JobStats } from '../../../batch/results/statistics.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import { CommandError, EXIT_FAILED, EXIT_UNSOLVED, missingPuzzles, statusOfResults } from '../../exit.ts';
import { resultFolders } from '../../files/result-folders.ts';
import { optionTextsFromFlags, readSolveOptions } from '../../solve-options.ts';
import { complain, print, printJson } from '../../terminal/output.ts';
import { summaryLines } from '../../terminal/summary.ts';
import { type Connection, connect } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { type FetchedResultSet, fetchResultSet, streamSolutions } from '../download/fetch-results.ts';
import { hasBaseName } from '../download/result-file-names.ts';
import { estimateFiles } from '../estimate-files.ts';
import { interruptible } from '../interruptible.ts';
import { longQueuedLine, QueueWatch } from '../jobs/long-queued.ts';
import { waitForOutcome } from '../jobs/wait-for-outcome.ts';
import { remoteError } from '../remote-error.ts';
import { type SentFile, sendFile } from './send-file.ts';
import { UploadProgress } from './upload-progress.ts';
import { findUploadSources, type SourceFlags, type UploadSource } from './upload-sources.ts';

/** The command's own flags, in addition to the options of a job. */
export interface UploadFlags extends ConnectionFlags, SourceFlags {
  readonly force?: boolean;
  readonly wait?: boolean;
  readonly requirePuzzles?: boolean;
  /** Folder, or `-` for the solutions on standard output. */
  readonly download?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const PARALLEL_FILES = 4;

/** A sent file with its result. */
interface UploadedFile extends SentFile {
  readonly stats?: JobStats;
  /** Why it has no result. */
  readonly trouble?: string;
  readonly rejected?: true;
  readonly fetched?: FetchedResultSet;
}

/**
 * Uploads files, and waits for their results with `--wait`.
 *
 * @returns the exit status
 */
export async function uploadFiles(paths: readonly string[], flags: UploadFlags): Promise<number> {
  const texts = optionTextsFromFlags({ ...flags });
  readSolveOptions(texts);
  if (flags.download !== undefined && flags.wait !== true) {
    throw new CommandError('--download needs --wait');
  }
  if (flags.requirePuzzles === true && flags.wait !== true) {
    throw new CommandError('--require-puzzles needs --wait');
  }
  const sources = await findUploadSources(paths, flags);
  if (flags.dryRun === true) return dryRun(sources, flags);
  const connection = await connect(flags);
  const folders = await foldersFor(sources, flags);
  const progress = new UploadProgress(connection, sources);
  const queue = new QueueWatch((keys) => {
    progress.clear();
    print([longQueuedLine(keys, flags)], process.stderr);
  });
  const one = async (source: UploadSource, signal: AbortSignal): Promise<UploadedFile> => {
    const { path } = source;
    const onSent = (bytes: number) => progress.sent(path, bytes);
    const sent = await sendFile(connection, source, texts, { ...flags, signal, onSent });
    progress.uploaded(path);
    const file =
      flags.wait === true
        ? await receive(connection, sent, folders.get(sent.key), flags, { progress, queue }, signal)
        : sent;
    progress.finished(path);
    if (flags.json !== true) printFile(file, flags);
    return file;
  };
  try {
    const files = await interruptible(
      (signal) => inParallel(sources, PARALLEL_FILES, (source) => one(source, signal)),
      () => progress.interruptedText(),
    );
    if (flags.json === true) printJson({ files });
    return exitStatus(files, flags);
  } finally {
    progress.clear();
    connection.s3.destroy();
  }
}

/** Estimates the files without sending them. */
async function dryRun(sources: readonly UploadSource[], flags: UploadFlags): Promise<number> {
  if (sources.some(({ bytes }) => bytes === undefined)) {
    throw new CommandError('--dry-run needs files: the size of standard input is unknown');
  }
  const memory = String(DEFAULT_MEMORY_MB);
  const estimateFlags = { ...flags, memory, concurrency: '100' };
  return estimateFiles(
    sources.map(({ path }) => path),
    estimateFlags,
  );
}

/** The folder for each key's result set. */
function foldersFor(sources: readonly UploadSource[], { download }: UploadFlags) {
  const inputs = download === undefined || download === '-' ? [] : sources;
  return resultFolders(
    resolve(download ?? ''),
    inputs.map(({ key }) => ({ name: key, id: key })),
    true,
  );
}

/** @param folder for the result set, if it is to be downloaded into one */
async function receive(
  connection: Connection,
  sent: SentFile,
  folder: string | undefined,
  flags: UploadFlags,
  { progress, queue }: { readonly progress: UploadProgress; readonly queue: QueueWatch },
  signal: AbortSignal,
): Promise<UploadedFile> {
  if (sent.versionId === undefined) {
    throw new CommandError(
      `${connection.inputBucket} has no versioning: --wait cannot distinguish this upload from others`,
    );
  }
  try {
    const found = await waitForOutcome(
      connection,
      sent.key,
      sent.versionId,
      (status) => {
        queue.polled(sent.key, status === undefined);
        return progress.waiting(sent.path, status);
      },
      signal,
    );
    queue.polled(sent.key, false);
    if (found.kind === 'failed') return { ...sent, trouble: found.message };
    const { outcome } = found;
    progress.clear();
    const fetched =
      folder === undefined ? undefined : await fetchResultSet(connection, outcome, folder, { signal });
    if (outcome.kind === 'rejected') {
      return { ...sent, trouble: outcome.reject.error.message, rejected: true, fetched };
    }
    if (flags.download === '-') await streamSolutions(connection, outcome.manifest);
    const { key } = outcome.manifest.files.find((file) => hasBaseName(file, 'stats'))!;
    const stats = await readJson<JobStats>(connection.store, connection.resultsBucket, key!);
    return { ...sent, stats: stats?.document, fetched };
  } catch (error) {
    throw remoteError(error, `waiting for the result of ${sent.key}`);
  }
}

function printFile(
  { path, key, unchanged, stats, trouble, fetched }: UploadedFile,
  flags: UploadFlags,
): void {
  const lines = [`${path}: ${unchanged ? 'already uploaded, unchanged' : 'uploaded'} as ${key}`];
  if (stats !== undefined) lines.push(...summaryLines(path, stats));
  if (trouble !== undefined) lines.push(`${path}: ${trouble}`);
  for (const name of fetched?.files ?? []) lines.push(`  ${join(fetched!.folder, name)}`);
  // With --download -, standard output carries the solutions.
  print(lines, flags.download === '-' ? process.stderr : process.stdout);
}

function exitStatus(uploaded: readonly UploadedFile[], { requirePuzzles = false }: UploadFlags): number {
  const empty = uploaded.filter(({ stats }) => requirePuzzles && stats?.puzzles.total === 0);
  for (const { path, stats } of empty) complain(missingPuzzles(path, stats!));
  if (empty.length > 0 || uploaded.some(({ trouble, rejected }) => trouble !== undefined && !rejected)) {
    return EXIT_FAILED;
  }
  if (uploaded.some(({ rejected }) => rejected)) return EXIT_UNSOLVED;
  return statusOfResults(
    uploaded.flatMap(({ stats }) => stats ?? []),
    false,
  );
}
