/** Uploads files to a stack and waits for their results. */
import { join, resolve } from 'node:path';
import { PartsLeftError, type UnfinishedUpload } from '../../../aws/upload-object.ts';
import type { Manifest } from '../../../batch/delivery/manifest.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import { DEFAULT_MEMORY_MB } from '../../../batch/limits.ts';
import type { OptionTexts } from '../../../batch/options.ts';
import { EXCEPTIONS_FILE } from '../../../batch/results/result-files.ts';
import type { JobStats } from '../../../batch/results/statistics.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_UNSOLVED,
  failureText,
  isFixable,
  itemFailure,
  missingPuzzles,
  statusOfResults,
} from '../../exit.ts';
import { resultFolders } from '../../files/result-folders.ts';
import { optionTextsFromFlags, readSolveOptions } from '../../solve-options.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { complain, print, printJson } from '../../terminal/output.ts';
import { factsOf, summaryLines } from '../../terminal/summary.ts';
import { type Connection, withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { type FetchedResultSet, fetchResultSet, streamSolutions } from '../download/fetch-results.ts';
import { hasBaseName } from '../download/result-file-names.ts';
import { estimateFiles } from '../estimate-files.ts';
import { longQueuedLine, QueueWatch } from '../jobs/long-queued.ts';
import { waitForOutcome } from '../jobs/wait-for-outcome.ts';
import { isTemporary, RemoteError, remoteError } from '../remote-error.ts';
import { type SentFile, sendFile } from './send-file.ts';
import { UploadProgress } from './upload-progress.ts';
import { findUploadSources, type SourceFlags, type UploadSource } from './upload-sources.ts';
import { UploadWork } from './upload-work.ts';

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
  readonly manifest?: Manifest;
  /** Why it has no result. */
  readonly trouble?: string;
  readonly rejected?: true;
  readonly fetched?: FetchedResultSet;
  /** Not everything that the command should do with it is done; `trouble` says why. */
  readonly left?: true;
}

/**
 * Uploads files, and waits for their results with `--wait`. A file that fails does not stop the others.
 *
 * @param args all arguments, from which the command that continues is made
 * @returns the exit status
 */
export async function uploadFiles(
  paths: readonly string[],
  flags: UploadFlags,
  args: readonly string[],
): Promise<number> {
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
  const folders = await foldersFor(sources, flags);
  const work = new UploadWork(paths, sources, flags, args);
  const upload = (signal: AbortSignal) =>
    withConnection(
      flags,
      'uploading',
      async (connection) => {
        const progress = new UploadProgress(connection, sources);
        const queue = new QueueWatch((keys) => print([longQueuedLine(keys)], process.stderr));
        const one = (source: UploadSource) =>
          uploadOne(connection, source, texts, folders.get(source.key), flags, { progress, queue, work });
        return inParallel(sources, PARALLEL_FILES, one);
      },
      signal,
    );
  const files = await interruptible(upload, { left: () => ['interrupted', ...work.lines()] });
  if (flags.json === true) printJson({ files: files.map(({ manifest: _, ...file }) => file) });
  print(work.finalLines(), process.stderr);
  return exitStatus(files, flags);
}

interface UploadTrackers {
  readonly progress: UploadProgress;
  readonly queue: QueueWatch;
  readonly work: UploadWork;
}

/** @throws the error of a file if the others would fail in the same way, or the command is interrupted */
async function uploadOne(
  connection: Connection,
  source: UploadSource,
  texts: OptionTexts,
  folder: string | undefined,
  flags: UploadFlags,
  trackers: UploadTrackers,
): Promise<UploadedFile> {
  const { progress, work } = trackers;
  const { path, key } = source;
  let sent: SentFile = { path, key, unchanged: false };
  try {
    const onSent = (bytes: number) => progress.sent(path, bytes);
    const onUnfinished = (upload: UnfinishedUpload) => work.foundUnfinished(upload);
    sent = await sendFile(connection, source, texts, { ...flags, onSent, onUnfinished });
    progress.uploaded(path);
    work.uploaded(source);
    const file = flags.wait === true ? await receive(connection, sent, folder, flags, trackers) : sent;
    work.done(source);
    progress.finished(path);
    if (flags.json !== true) printFile(file, flags);
    return file;
  } catch (error) {
    if (error instanceof PartsLeftError) work.partsLeft(source, error);
    connection.retries.signal.throwIfAborted();
    const doing = work.isUploaded(source) ? `waiting for the result of ${key}` : `uploading ${path}`;
    const failure = remoteError(error, doing);
    if (!isFixable(failure)) throw failure;
    progress.finished(path);
    work.failed(source, failure);
    const isGeneral = failure instanceof RemoteError && !failure.isTemporary;
    if (isGeneral && !work.hasUploads) throw failure;
    if (!isTemporary(failure)) complain(itemFailure(path, failure));
    return { ...sent, trouble: failureText(failure), left: true };
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
  { progress, queue }: UploadTrackers,
): Promise<UploadedFile> {
  const { retries } = connection;
  const { signal } = retries;
  if (sent.versionId === undefined) {
    throw new CommandError(
      `${connection.inputBucket} has no versioning: --wait cannot distinguish this upload from others`,
    );
  }
  const found = await waitForOutcome(connection, sent.key, sent.versionId, (status) => {
    queue.polled(sent.key, status === undefined);
    return progress.waiting(sent.path, status);
  });
  queue.polled(sent.key, false);
  if (found.kind === 'failed') return { ...sent, trouble: found.message };
  const { outcome } = found;
  const fetched =
    folder === undefined ? undefined : await fetchResultSet(connection, outcome, folder, { signal });
  if (outcome.kind === 'rejected') {
    return { ...sent, trouble: outcome.reject.error.message, rejected: true, fetched };
  }
  if (flags.download === '-') await streamSolutions(connection, outcome.manifest);
  const { key } = outcome.manifest.files.find((file) => hasBaseName(file, 'stats'))!;
  const stats = await retries.operation(() =>
    readJson<JobStats>(connection.store, connection.resultsBucket, key!),
  );
  return { ...sent, stats: stats?.document, manifest: outcome.manifest, fetched };
}

function printFile(
  { path, key, unchanged, stats, manifest, trouble, fetched }: UploadedFile,
  flags: UploadFlags,
): void {
  const lines = [`${path}: ${unchanged ? 'already uploaded, unchanged' : 'uploaded'} as ${key}`];
  if (stats !== undefined && manifest !== undefined) {
    const exceptions =
      fetched === undefined ? `${EXCEPTIONS_FILE} of its result set` : join(fetched.folder, EXCEPTIONS_FILE);
    lines.push(...summaryLines(path, stats, factsOf(manifest, stats, exceptions)));
  }
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
