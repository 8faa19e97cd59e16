/** Fetching a result set into a folder, or its solutions to standard output. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileChecksum } from '../../../batch/delivery/file-checksum.ts';
import { jsonBytes, type Manifest, type ManifestFile } from '../../../batch/delivery/manifest.ts';
import { fetchFile, type VersionOutcome } from '../../../batch/delivery/result-set.ts';
import type { FileWriter, ObjectStore } from '../../../batch/ports.ts';
import { ResultFolder } from '../../../node/result-folder.ts';
import { systemHashing } from '../../../node/system.ts';
import { StandardOutputFiles } from '../../terminal/standard-output.ts';
import type { Connection } from '../connection.ts';
import { hasBaseName } from './result-file-names.ts';

export interface FetchedResultSet {
  readonly folder: string;
  /** Names of the files that are there now. */
  readonly files: readonly string[];
  /** How many of them were there already. */
  readonly kept: number;
}

export interface FetchOptions {
  /** Fetches the files of that name before the dot alone. */
  readonly only?: string;
  readonly signal?: AbortSignal;
  /** Told of bytes that have come. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Makes a folder hold a result set: what is there already with the right checksum stays.
 *
 * @throws the signal's reason where it ends it: what is whole stays
 */
export async function fetchResultSet(
  { store, resultsBucket }: Connection,
  outcome: VersionOutcome,
  folder: string,
  options: FetchOptions = {},
): Promise<FetchedResultSet> {
  const target = new ResultFolder(folder);
  await target.take();
  try {
    return await fetchInto(target, store, resultsBucket, outcome, options);
  } finally {
    target.end();
  }
}

async function fetchInto(
  target: ResultFolder,
  store: ObjectStore,
  resultsBucket: string,
  outcome: VersionOutcome,
  { only, signal, onBytes = () => {} }: FetchOptions,
): Promise<FetchedResultSet> {
  const folder = target.path;
  if (outcome.kind === 'rejected') {
    await target.begin();
    await target.write('error.json', jsonBytes(outcome.reject));
    return { folder, files: ['error.json'], kept: 0 };
  }
  const { manifest } = outcome;
  const sameRun = await isSame(join(folder, 'manifest.json'), manifest);
  const wanted = manifest.files.filter((file) => only === undefined || hasBaseName(file, only));
  const present = new Set<string>();
  for (const file of wanted) if (await isThere(join(folder, file.name), file)) present.add(file.name);
  // Files of another run must not stand beside those of this one under its manifest.
  if (!sameRun) await target.begin(present);
  for (const file of wanted) {
    if (present.has(file.name)) continue;
    const to = watched(target.open(file.name), onBytes, signal);
    await fetchFile(store, resultsBucket, file, to, systemHashing);
  }
  await target.write('manifest.json', jsonBytes(manifest));
  return { folder, files: [...wanted.map(({ name }) => name), 'manifest.json'], kept: present.size };
}

/** Writes the solutions of a result set to standard output. */
export async function streamSolutions(
  { store, resultsBucket }: Connection,
  manifest: Manifest,
): Promise<void> {
  const file = manifest.files.find((candidate) => hasBaseName(candidate, 'solutions'));
  if (file === undefined) return;
  const output: FileWriter = new StandardOutputFiles(process.stdout).open(file.name);
  await fetchFile(store, resultsBucket, file, output, systemHashing);
}

/** A file that tells of its bytes, and takes none any more when the signal ends it. */
function watched(file: FileWriter, onBytes: (bytes: number) => void, signal?: AbortSignal): FileWriter {
  return {
    write: async (bytes) => {
      signal?.throwIfAborted();
      await file.write(bytes);
      onBytes(bytes.length);
    },
    close: () => file.close(),
    abort: () => file.abort(),
  };
}

async function isSame(path: string, manifest: Manifest): Promise<boolean> {
  try {
    return (await readFile(path)).equals(jsonBytes(manifest));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a file is there, whole, with the bytes of the manifest. */
async function isThere(path: string, file: ManifestFile): Promise<boolean> {
  try {
    if ((await stat(path)).size !== file.bytes) return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
  const checksum = new FileChecksum(file, systemHashing);
  for await (const bytes of createReadStream(path)) checksum.update(bytes);
  return checksum.problem() === undefined;
}

/** SHA-256 of a file on this machine, as 64 hex digits. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}
