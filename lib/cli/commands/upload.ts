/** Uploads files to a stack and waits for their results. */
import { join, resolve } from 'node:path';
import type { Manifest } from '../../batch/delivery/manifest.ts';
import type { StatusDocument } from '../../batch/delivery/status-document.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { CommandError, EXIT_FAILED, EXIT_UNSOLVED, missingPuzzles, statusOfResults } from '../exit.ts';
import { findFilesAndFolders } from '../files/input-files.ts';
import { resultFolders } from '../files/result-folders.ts';
import { optionTextsFromFlags, readSolveOptions } from '../options.ts';
import { type Connection, type ConnectionFlags, polled, withConnection } from '../remote/connection.ts';
import { type FetchedResultSet, fetchResultSet, streamSolutions } from '../remote/fetch-results.ts';
import { stateAt } from '../remote/jobs.ts';
import { LargeJobPoller, largeJobProgressText } from '../remote/large-progress.ts';
import { isLongQueued, longQueuedLine } from '../remote/long-queued.ts';
import { pollOutcome, statsOf } from '../remote/outcomes.ts';
import { type SentFile, sendFile, type UploadSource } from '../remote/send-file.ts';
import { Work } from '../remote/work.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { bytesText } from '../terminal/quantity-text.ts';
import { factsOf, summaryLines } from '../terminal/summary.ts';

/** The command's own flags, in addition to the options of a job. */
interface UploadFlags extends ConnectionFlags {
  readonly schedule?: boolean;
  readonly prefix?: string;
  readonly name: string;
  readonly gzip?: boolean;
  readonly force?: boolean;
  readonly wait?: boolean;
  readonly requirePuzzles?: boolean;
  /** Folder, or `-` for the solutions on standard output. */
  readonly download?: string;
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

/** Uploads files, and waits for their results with `--wait`. A file that fails does not stop the others. */
export async function upload(paths: readonly string[], flags: UploadFlags): Promise<number> {
  const texts = optionTextsFromFlags({ ...flags });
  readSolveOptions(texts);
  if (flags.download !== undefined && flags.wait !== true) throw new CommandError('--download needs --wait');
  if (flags.requirePuzzles === true && flags.wait !== true) {
    throw new CommandError('--require-puzzles needs --wait');
  }
  const sources = await findSources(paths, flags);
  const inputs = flags.download === undefined || flags.download === '-' ? [] : sources;
  const named = inputs.map(({ key }) => ({ name: key, id: key }));
  const folders = await resultFolders(resolve(flags.download ?? ''), named, true);
  const work = new Work('file');
  work.begin(sources.map(({ path }) => path));
  const all = (signal: AbortSignal) =>
    withConnection(
      flags,
      'uploading',
      (connection) => {
        const trackers = { work, progress: new UploadProgress(connection, sources) };
        const one = (source: UploadSource) =>
          uploadOne(connection, source, texts, folders.get(source.key), flags, trackers);
        return inParallel(sources, PARALLEL_FILES, one);
      },
      signal,
    );
  const files = await interruptible(all, { left: () => ['interrupted', ...work.lines()] });
  if (flags.json === true) printJson({ files: files.map(({ manifest: _, ...file }) => file) });
  print(work.finalLines(), process.stderr);
  return exitStatus(files, flags);
}

/** Lists every file, including those in folders. @throws CommandError also for two files with the same key */
async function findSources(paths: readonly string[], flags: UploadFlags): Promise<UploadSource[]> {
  const base = `${flags.schedule === true ? SCHEDULED_PREFIX : INBOX_PREFIX}${flags.prefix ?? ''}`;
  const suffix = flags.gzip === true ? '.gz' : '';
  const sources = new Map<string, UploadSource>();
  for (const { path, name, bytes, open } of await findFilesAndFolders(paths)) {
    const key = `${base}${path === '-' ? flags.name : name}${suffix}`;
    const other = sources.get(key);
    if (other !== undefined) {
      throw new CommandError(
        `${other.path} and ${path} have the same object key ${key}: upload them separately with different --prefix`,
      );
    }
    sources.set(key, { path, key, bytes, open });
  }
  return [...sources.values()];
}

interface Trackers {
  readonly progress: UploadProgress;
  readonly work: Work;
}

/** @throws the error of a file if the others would fail in the same way, or the command is interrupted */
async function uploadOne(
  connection: Connection,
  source: UploadSource,
  texts: OptionTexts,
  folder: string | undefined,
  flags: UploadFlags,
  { progress, work }: Trackers,
): Promise<UploadedFile> {
  const { path, key } = source;
  let sent: SentFile | undefined;
  try {
    const onSent = (bytes: number) => progress.sent(path, bytes);
    sent = await sendFile(connection, source, texts, { ...flags, onSent });
    progress.uploaded(path);
    work.set(path, 'uploaded');
    const file = flags.wait === true ? await receive(connection, sent, folder, flags, progress) : sent;
    work.set(path, 'done');
    if (flags.json !== true) printFile(file, flags);
    return file;
  } catch (error) {
    const doing = sent === undefined ? `uploading ${path}` : `waiting for the result of ${key}`;
    const trouble = work.failed(connection, path, error, doing);
    return { path, key, unchanged: false, ...sent, trouble, left: true };
  } finally {
    progress.finished(path);
  }
}

/** @param folder for the result set, if it is to be downloaded into one */
async function receive(
  connection: Connection,
  sent: SentFile,
  folder: string | undefined,
  flags: UploadFlags,
  progress: UploadProgress,
): Promise<UploadedFile> {
  const { inputBucket, retries } = connection;
  const { key, path, versionId } = sent;
  if (versionId === undefined) {
    throw new CommandError(
      `${inputBucket} has no versioning: --wait cannot distinguish this upload from others`,
    );
  }
  const found = (await polled(connection, async () => {
    const polledOutcome = await pollOutcome(connection, { key, versionId });
    if (polledOutcome.kind !== 'pending') return polledOutcome;
    await progress.waiting(path, key, polledOutcome.status);
    return undefined;
  }))!;
  if (found.kind === 'failed') return { ...sent, trouble: found.message };
  const { outcome } = found;
  const { signal } = retries;
  const fetched =
    folder === undefined ? undefined : await fetchResultSet(connection, outcome, folder, { signal });
  if (outcome.kind === 'rejected') {
    return { ...sent, trouble: outcome.reject.error.message, rejected: true, fetched };
  }
  const { manifest } = outcome;
  if (flags.download === '-') await streamSolutions(connection, manifest);
  return { ...sent, stats: await retries.operation(() => statsOf(connection, manifest)), manifest, fetched };
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
  const stats = uploaded.flatMap((file) => file.stats ?? []);
  return statusOfResults(stats, false);
}

/** The progress of the upload: first the bytes that are sent, then the jobs that the command waits for. */
class UploadProgress {
  readonly #connection: Connection;
  readonly #line = new ProgressLine();
  readonly #sizes: ReadonlyMap<string, number | undefined>;
  readonly #sentBytes = new Map<string, number>();
  readonly #uploaded = new Set<string>();
  /** What the command waits for, and since when. */
  readonly #waiting = new Map<string, { readonly key: string; readonly sinceMs: number; text: string }>();
  readonly #large = new Map<string, LargeJobPoller>();
  #hasHint = false;

  constructor(connection: Connection, sources: readonly UploadSource[]) {
    this.#connection = connection;
    this.#sizes = new Map(sources.map(({ path, bytes }) => [path, bytes]));
  }

  /** Records the total number of bytes sent of a file. */
  sent(path: string, bytes: number): void {
    this.#sentBytes.set(path, bytes);
    this.#line.show(() => {
      const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0);
      const sizes = [...this.#sizes.values()];
      const [sent, total] = [sum(this.#sentBytes.values()), sum(sizes.map((size) => size ?? Number.NaN))];
      const isKnown = total > 0;
      return {
        share: isKnown ? sent / total : undefined,
        done: bytesText(sent) + (isKnown ? ` of ${bytesText(total)}` : ''),
        rate: (seconds) => bytesText(sent / seconds),
        note: sizes.length > 1 ? `${this.#uploaded.size} of ${sizes.length} files` : undefined,
      };
    });
  }

  /** Records that a file is in the bucket, sent now or earlier. */
  uploaded(path: string): void {
    this.#uploaded.add(path);
    const bytes = this.#sizes.get(path);
    if (bytes !== undefined) this.#sentBytes.set(path, bytes);
  }

  /** Records that a file needs no more waiting. */
  finished(path: string): void {
    this.#waiting.delete(path);
  }

  /** Records a poll without a result. */
  async waiting(path: string, key: string, status: StatusDocument | undefined): Promise<void> {
    const nowMs = performance.now();
    const { sinceMs = nowMs } = this.#waiting.get(path) ?? {};
    this.#waiting.set(path, { key, sinceMs, text: 'queued' });
    if (status === undefined) this.#hint(key, nowMs - sinceMs);
    if (!this.#line.visible) return;
    if (status !== undefined) this.#waiting.get(path)!.text = await this.#statusText(status);
    // While files are being sent, the line shows the transfer.
    if (this.#uploaded.size < this.#sizes.size) return;
    this.#line.show(() => {
      const [name, { text }] = [...this.#waiting][0]!;
      const others = this.#waiting.size - 1;
      return { name, done: text, note: others > 0 ? `and ${others} more` : undefined };
    });
  }

  /** Says once that uploads have been queued for long. */
  #hint(key: string, queuedMs: number): void {
    if (this.#hasHint || !isLongQueued(key, queuedMs)) return;
    this.#hasHint = true;
    const queued = [...this.#waiting.values()].filter(({ text }) => text === 'queued');
    print([longQueuedLine(queued.map((each) => each.key))], process.stderr);
  }

  async #statusText(status: StatusDocument): Promise<string> {
    const { jobId, attempt } = status;
    const state = stateAt(status, Date.now());
    if (attempt === undefined) return state;
    const name = `${jobId}/${attempt}`;
    const poller = this.#large.get(name) ?? new LargeJobPoller(this.#connection, jobId, attempt);
    this.#large.set(name, poller);
    const progress = await poller.poll(Date.now());
    return progress === undefined ? state : largeJobProgressText(progress);
  }
}
