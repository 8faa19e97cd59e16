/** Files on their way to a stack, and what comes back for them. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { uploadObject } from '../../aws/upload-object.ts';
import { inParallel } from '../../batch/fan-out/parallel.ts';
import { INBOX_PREFIX, OPTION_METADATA_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import { readJson } from '../../batch/read-json.ts';
import type { JobStats } from '../../batch/statistics.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { findInputFiles } from '../input-files.ts';
import { optionTexts, readSolveOptions } from '../solve-options.ts';
import { summaryLines } from '../summary.ts';
import type { UploadFlags } from '../upload.ts';
import { type Connection, connect } from './connection.ts';
import { type Fetched, fetchResultSet, fileSha256, streamSolutions } from './fetch-results.ts';
import { remoteError } from './remote-error.ts';
import { resultFolder } from './safe-path.ts';
import { waitForOutcome } from './wait-for-outcome.ts';

/** Files that are uploaded side by side. */
const FILES_AT_ONCE = 4;

/** A file that is to be uploaded. */
interface Source {
  readonly path: string;
  readonly key: string;
  /** Undefined for standard input. */
  readonly bytes: number | undefined;
  open(): Readable;
}

/** What became of it. */
interface Uploaded {
  readonly path: string;
  readonly key: string;
  readonly versionId?: string;
  /** It was there already, the same bytes with the same options. */
  readonly unchanged: boolean;
  readonly stats?: JobStats;
  readonly trouble?: string;
  readonly fetched?: Fetched;
}

/** Where an upload says what its bytes are, so that the same file is not sent twice. */
const CHECKSUM_METADATA = 'content-sha256';

/**
 * Uploads, and waits where that is asked for.
 *
 * @returns the exit status
 */
export async function upload(paths: readonly string[], flags: UploadFlags): Promise<number> {
  const texts = optionTexts({ ...flags });
  readSolveOptions(texts);
  if (flags.download !== undefined && flags.wait !== true) {
    throw new CommandError('--download needs --wait: there is nothing to fetch before');
  }
  const sources = await findSources(paths, flags);
  const connection = await connect(flags);
  try {
    const uploaded = await inParallel(sources, FILES_AT_ONCE, async (source) => {
      const sent = await send(connection, source, texts, flags);
      const one = flags.wait === true ? await receive(connection, sent, flags) : sent;
      if (flags.json !== true) tell(one, flags);
      return one;
    });
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ files: uploaded })}\n`);
    return exitStatus(uploaded);
  } finally {
    connection.s3.destroy();
  }
}

async function findSources(paths: readonly string[], flags: UploadFlags): Promise<Source[]> {
  const sources: Source[] = [];
  const base = `${flags.schedule === true ? SCHEDULED_PREFIX : INBOX_PREFIX}${flags.prefix ?? ''}`;
  const suffix = flags.gzip === true ? '.gz' : '';
  for (const path of paths) {
    if (path === '-') {
      const name = flags.name ?? 'stdin.txt';
      sources.push({ path, key: `${base}${name}${suffix}`, bytes: undefined, open: () => process.stdin });
      continue;
    }
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    const files = isFolder ? await filesBelow(path) : [path];
    if (files.length === 0) throw new CommandError(`${path}: no files in this folder`);
    for (const file of files) {
      const [{ bytes } = { bytes: undefined }] = await findInputFiles([file]);
      const name = isFolder ? relative(path, file).split(sep).join('/') : basename(file);
      const open = () => createReadStream(file, { highWaterMark: 256 * 1024 });
      sources.push({ path: file, key: `${base}${name}${suffix}`, bytes, open });
    }
  }
  const seen = new Map<string, string>();
  for (const { key, path } of sources) {
    const other = seen.get(key);
    if (other !== undefined) {
      throw new CommandError(
        `${other} and ${path} would both be ${key}: upload one at a time, or give --prefix`,
      );
    }
    seen.set(key, path);
  }
  return sources;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function send(
  { s3, store, inputBucket }: Connection,
  { path, key, bytes, open }: Source,
  texts: OptionTexts,
  flags: UploadFlags,
): Promise<Uploaded> {
  const checksum = bytes === undefined ? undefined : await fileSha256(path);
  try {
    const there =
      flags.force === true || checksum === undefined ? undefined : await store.head(inputBucket, key);
    if (
      there !== undefined &&
      there.metadata[CHECKSUM_METADATA] === checksum &&
      sameOptions(there.metadata, texts)
    ) {
      return { path, key, versionId: there.versionId, unchanged: true };
    }
    const plain = open();
    const body = flags.gzip === true ? plain.pipe(createGzip()) : plain;
    // What goes wrong in reading must end the upload, whatever stands between.
    plain.on('error', (error) => body.destroy(error));
    const metadata: Record<string, string> = checksum === undefined ? {} : { [CHECKSUM_METADATA]: checksum };
    const versionId = await uploadObject(s3, inputBucket, key, Readable.from(body), texts, metadata);
    return { path, key, versionId, unchanged: false };
  } catch (error) {
    throw remoteError(error, `uploading ${path}`);
  }
}

function sameOptions(metadata: Readonly<Record<string, string>>, texts: OptionTexts): boolean {
  const there = Object.entries(metadata)
    .filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX))
    .map(([name, text]) => `${name.slice(OPTION_METADATA_PREFIX.length)}=${text}`);
  const wanted = Object.entries(texts).map(([name, text]) => `${name}=${text}`);
  return there.sort().join('\n') === wanted.sort().join('\n');
}

async function receive(connection: Connection, sent: Uploaded, flags: UploadFlags): Promise<Uploaded> {
  if (sent.versionId === undefined) {
    throw new CommandError(
      `${connection.inputBucket} keeps no versions: --wait cannot tell this upload from others`,
    );
  }
  const found = await waitForOutcome(connection, sent.key, sent.versionId, () => {});
  if (found.kind === 'failed') return { ...sent, trouble: found.message };
  const { outcome } = found;
  const fetched =
    flags.download === undefined || flags.download === '-'
      ? undefined
      : await fetchResultSet(connection, outcome, resultFolder(flags.download, sent.key));
  if (outcome.kind === 'rejected') return { ...sent, trouble: outcome.reject.error.message, fetched };
  if (flags.download === '-') await streamSolutions(connection, outcome.manifest);
  const { key } = outcome.manifest.files.find(({ name }) => name === 'stats.json')!;
  const stats = await readJson<JobStats>(connection.store, connection.resultsBucket, key!);
  return { ...sent, stats: stats?.document, fetched };
}

function tell({ path, key, unchanged, stats, trouble, fetched }: Uploaded, flags: UploadFlags): void {
  const lines = [`${path}: ${unchanged ? 'there already, unchanged' : 'uploaded'} as ${key}`];
  if (stats !== undefined) lines.push(...summaryLines(path, stats));
  if (trouble !== undefined) lines.push(`${path}: ${trouble}`);
  for (const name of fetched?.files ?? []) lines.push(`  ${join(fetched!.folder, name)}`);
  // Standard output may carry the solutions.
  (flags.download === '-' ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
}

function exitStatus(uploaded: readonly Uploaded[]): number {
  if (uploaded.some(({ trouble }) => trouble !== undefined)) return EXIT_FAILED;
  const solved = uploaded.every(
    ({ stats }) => stats === undefined || stats.puzzles.solved === stats.puzzles.total,
  );
  return solved ? EXIT_SOLVED : EXIT_UNSOLVED;
}
