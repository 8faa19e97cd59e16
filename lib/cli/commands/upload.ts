/** Uploads files to a stack and waits for their results. */
import { join, resolve } from 'node:path';
import type { Manifest } from '../../batch/delivery/manifest.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import { counted } from '../../batch/quantities.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED, statusOfResults } from '../exit.ts';
import { findInputFiles } from '../files/input-files.ts';
import { resultFolders } from '../files/result-folders.ts';
import { optionTextsFromFlags, readSolveOptions } from '../option-values.ts';
import { type Buckets, type ConnectionFlags, polled, withConnection } from '../remote/connection.ts';
import {
  type FetchedResultSet,
  fetchResultSet,
  fileSha256,
  streamSolutions,
} from '../remote/fetch-results.ts';
import { stateAt } from '../remote/jobs.ts';
import { LargeProgress, largeJobProgressText } from '../remote/large-progress.ts';
import { type PolledOutcome, pollOutcome, statsOf } from '../remote/outcomes.ts';
import { type SentFile, sendFile, type UploadSource } from '../remote/send-file.ts';
import { Work } from '../remote/work.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { bytesText } from '../terminal/quantity-text.ts';
import { factsOf, summaryLines } from '../terminal/summary.ts';

/** The command's own flags, in addition to the options of a job. */
interface UploadFlags extends ConnectionFlags {
  readonly schedule?: boolean;
  readonly prefix?: string;
  readonly force?: boolean;
  readonly wait?: boolean;
  /** Folder, or `-` for the solutions on standard output. */
  readonly download?: string;
}

const PARALLEL_FILES = 4;
/** After an interruption, the parts of large uploads are removed; without a network, this takes no longer. */
const ABORT_MS = 5000;

export interface NamedSource extends UploadSource {
  /** As the user wrote it. */
  readonly path: string;
  /** The options of its job, if they are its own. */
  readonly texts?: OptionTexts;
}

/** What is done with files. */
export interface UploadRequest {
  /** The options of their jobs. */
  readonly texts: OptionTexts;
  readonly force?: boolean | undefined;
  readonly wait?: boolean | undefined;
  /** Folders of the result sets that are fetched, by key. */
  readonly folders: ReadonlyMap<string, string>;
  /** Writes the solutions to standard output. */
  readonly isFilter?: boolean;
  /** Prints each file that is finished. */
  readonly prints: boolean;
  /** How long a result is awaited. @default without end */
  readonly maxSeconds?: number;
  /** Resolves when all jobs have ended; then one without an outcome has failed. @default outcomes are awaited */
  readonly ended?: () => Promise<void>;
}

/** A sent file with its result. */
export interface UploadedFile extends Partial<SentFile> {
  readonly path: string;
  readonly key: string;
  readonly stats?: JobStats | undefined;
  readonly manifest?: Manifest;
  /** Why it has no result. */
  readonly trouble?: string;
  readonly rejected?: true;
  readonly fetched?: FetchedResultSet | undefined;
}

/** Uploads files, and waits for their results with `--wait`. A file that fails does not stop the others. */
export async function run(paths: readonly string[], flags: UploadFlags): Promise<number> {
  const texts = optionTextsFromFlags({ ...flags });
  readSolveOptions(texts);
  const { download, wait, force } = flags;
  const sources = await findSources(paths, flags);
  const isFilter = download === '-';
  const inputs = download === undefined || isFilter ? [] : sources;
  const named = inputs.map(({ key }) => ({ name: key, id: key }));
  const folders = await resultFolders(resolve(download ?? ''), named, true);
  const work = new Work('file');
  const request = { texts, force, wait, folders, isFilter, prints: flags.json !== true };
  const all = (signal: AbortSignal) =>
    withConnection(
      flags,
      'uploading',
      (connection) => uploadFiles(connection, sources, request, work),
      signal,
    );
  const files = await interruptible(all, {
    left: () => ['interrupted', ...work.lines()],
    cleanUpMs: ABORT_MS,
  });
  // Standard output may carry the solutions.
  const output = isFilter ? process.stderr : process.stdout;
  if (flags.json === true) printJson({ files: files.map(({ manifest: _, ...file }) => file) }, output);
  print(work.finalLines(), process.stderr);
  return statusOfUploads(files, EXIT_UNSOLVED);
}

/** The exit status of uploads. @param ofRejected that of a rejected file */
export function statusOfUploads(files: readonly UploadedFile[], ofRejected: number): number {
  const results = files.flatMap(({ stats }) => stats ?? []);
  const statuses = files.map(({ trouble, rejected }) => {
    if (trouble === undefined) return EXIT_SOLVED;
    return rejected === true ? ofRejected : EXIT_FAILED;
  });
  return Math.max(statusOfResults(results, false), ...statuses);
}

/** Lists every file, including those in folders. @throws CommandError also for two files with the same key */
export async function findSources(
  paths: readonly string[],
  { schedule, prefix = '' }: UploadFlags,
): Promise<NamedSource[]> {
  const base = `${schedule === true ? SCHEDULED_PREFIX : INBOX_PREFIX}${prefix}`;
  const sources = new Map<string, NamedSource>();
  for (const { path, name, bytes, open } of await findInputFiles(paths, { folders: true })) {
    const key = `${base}${path === '-' ? 'stdin.txt' : name}`;
    const other = sources.get(key);
    if (other !== undefined) {
      throw new CommandError(
        `${other.path} and ${path} have the same object key ${key}: upload them separately with different --prefix`,
      );
    }
    sources.set(key, { path, key, bytes, open, isStream: bytes === undefined });
  }
  return [...sources.values()];
}

export function uploadFiles(
  connection: Buckets,
  sources: readonly NamedSource[],
  request: UploadRequest,
  work: Work,
): Promise<UploadedFile[]> {
  work.begin(sources.map(({ path }) => path));
  const progress = new UploadProgress(connection, sources);
  return inParallel(sources, PARALLEL_FILES, (source) =>
    uploadOne(connection, source, request, progress, work),
  );
}

/** @throws the error of a file if the others would fail in the same way, or the command is interrupted */
async function uploadOne(
  connection: Buckets,
  source: NamedSource,
  request: UploadRequest,
  progress: UploadProgress,
  work: Work,
): Promise<UploadedFile> {
  const { path, key } = source;
  let sent: SentFile | undefined;
  try {
    const sha256 = source.isStream === true ? undefined : (source.sha256 ?? (await fileSha256(path)));
    const onSent = (bytes: number) => progress.sent(path, bytes);
    const texts = source.texts ?? request.texts;
    sent = await sendFile(connection, { ...source, sha256 }, texts, { ...request, onSent });
    progress.uploaded(source);
    work.set(path, 'uploaded');
    const uploaded = { path, key, ...sent };
    const file = request.wait === true ? await receive(connection, uploaded, request, progress) : uploaded;
    work.set(path, 'done');
    if (request.prints) printFile(file, request);
    return file;
  } catch (error) {
    const doing = sent === undefined ? `uploading ${path}` : `waiting for the result of ${key}`;
    return { path, key, ...sent, trouble: work.failed(connection, path, error, doing) };
  } finally {
    progress.finished(path);
  }
}

async function receive(
  connection: Buckets,
  sent: UploadedFile,
  { folders, isFilter, maxSeconds, ended }: UploadRequest,
  progress: UploadProgress,
): Promise<UploadedFile> {
  const { inputBucket, retries } = connection;
  const { key, path, versionId } = sent;
  if (versionId === undefined) {
    throw new CommandError(
      `${inputBucket} has no versioning: --wait cannot distinguish this upload from others`,
    );
  }
  await ended?.();
  const poll = async () => {
    const outcome = await pollOutcome(connection, { key, versionId });
    if (outcome.kind !== 'pending') return outcome;
    if (ended !== undefined) return { kind: 'failed' as const, message: LOST };
    await progress.waiting(path, outcome);
    return undefined;
  };
  const outcome = await polled(connection, poll, { maxSeconds });
  if (outcome === undefined) return { ...sent, trouble: `${key} has no result after ${maxSeconds} s` };
  if (outcome.kind === 'failed') return { ...sent, trouble: outcome.message };
  const folder = folders.get(key);
  const fetched = folder === undefined ? undefined : await fetchResultSet(connection, outcome, folder);
  if (outcome.kind === 'rejected') {
    return { ...sent, trouble: outcome.reject.error.message, rejected: true, fetched };
  }
  const { manifest } = outcome;
  if (isFilter === true) await streamSolutions(connection, manifest);
  return { ...sent, stats: await retries.operation(() => statsOf(connection, manifest)), manifest, fetched };
}

const LOST = 'no result: the function failed in every attempt (--verbose writes its log)';

function printFile(
  { path, key, unchanged, stats, manifest, trouble, fetched }: UploadedFile,
  { isFilter }: UploadRequest,
): void {
  const lines = [
    `${path}: ${unchanged ? `already uploaded as ${key}, and unchanged` : `uploaded as ${key}`}`,
  ];
  if (stats !== undefined && manifest !== undefined) {
    const exceptions =
      fetched === undefined ? `${EXCEPTIONS_FILE} of its result set` : join(fetched.folder, EXCEPTIONS_FILE);
    const { 'two-cheapest': twoCheapest, ...options } = manifest.options;
    lines.push(...summaryLines(path, stats, factsOf({ ...options, twoCheapest }, stats, exceptions)));
  }
  if (trouble !== undefined) lines.push(`${path}: ${trouble}`);
  if (fetched !== undefined) lines.push(`  ${counted(fetched.files.length, 'file')} in ${fetched.folder}`);
  // Standard output may carry the solutions.
  print(lines, isFilter === true ? process.stderr : process.stdout);
}

/** The progress of the upload: first the bytes that are sent, then the jobs that the command waits for. */
class UploadProgress {
  readonly #line = new ProgressLine();
  readonly #large: LargeProgress;
  readonly #files: number;
  /** NaN if it is not known. */
  readonly #totalBytes: number;
  readonly #sentBytes = new Map<string, number>();
  #uploaded = 0;
  /** What the command waits for. */
  readonly #waiting = new Map<string, string>();

  constructor(connection: Buckets, sources: readonly NamedSource[]) {
    this.#large = new LargeProgress(connection);
    this.#files = sources.length;
    this.#totalBytes = sum(sources.map(({ bytes = Number.NaN }) => bytes));
  }

  /** Records the total number of bytes sent of a file. */
  sent(path: string, bytes: number): void {
    this.#sentBytes.set(path, bytes);
    this.#line.show(() => {
      const [sent, total] = [sum(this.#sentBytes.values()), this.#totalBytes];
      return {
        share: total > 0 ? sent / total : undefined,
        done: bytesText(sent) + (total > 0 ? ` of ${bytesText(total)}` : ''),
        rate: (seconds) => bytesText(sent / seconds),
        note: this.#files > 1 ? `${this.#uploaded} of ${this.#files} files` : undefined,
      };
    });
  }

  /** Records that a file is in the bucket, sent now or earlier. */
  uploaded({ path, bytes }: NamedSource): void {
    this.#uploaded++;
    if (bytes !== undefined) this.#sentBytes.set(path, bytes);
  }

  /** Records that a file needs no more waiting. */
  finished(path: string): void {
    this.#waiting.delete(path);
  }

  /** Records a poll without a result. */
  async waiting(path: string, { status }: PolledOutcome & { kind: 'pending' }): Promise<void> {
    if (!this.#line.visible) return;
    const { jobId, attempt } = status ?? {};
    const isStarted = jobId !== undefined && attempt !== undefined;
    const progress = isStarted ? await this.#large.of(jobId, attempt, Date.now()) : undefined;
    const state = status === undefined ? 'queued' : stateAt(status, Date.now());
    this.#waiting.set(path, progress === undefined ? state : largeJobProgressText(progress));
    // While files are being sent, the line shows the transfer.
    if (this.#uploaded < this.#files) return;
    this.#line.show(() => {
      const [name, done] = [...this.#waiting][0]!;
      const others = this.#waiting.size - 1;
      return { name, done, note: others > 0 ? `and ${others} more` : undefined };
    });
  }
}

function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((total, size) => total + size, 0);
}
