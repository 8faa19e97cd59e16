/** Fetches a result set into a folder, or its solutions to standard output. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isChecksumMismatch } from '../../aws/resuming-body.ts';
import { RestartError } from '../../aws/retries.ts';
import { FileChecksum } from '../../batch/delivery/file-checksum.ts';
import type { Manifest, ManifestFile } from '../../batch/delivery/manifest.ts';
import { ChecksumError, fetchFile, type VersionOutcome } from '../../batch/delivery/result-set.ts';
import type { FileWriter } from '../../batch/ports.ts';
import { jsonBytes } from '../../batch/storage/write-json.ts';
import { isResultFile, ResultFolder } from '../../node/result-folder.ts';
import { systemHashing } from '../../node/system.ts';
import { CommandError } from '../exit.ts';
import { solutionsOnly } from '../terminal/standard-output.ts';
import type { Buckets } from './connection.ts';
import { hasBaseName, resultFile } from './outcomes.ts';

export interface FetchedResultSet {
  readonly folder: string;
  /** Names of the files in the folder. */
  readonly files: readonly string[];
  /** Number of files that were already present. */
  readonly kept: number;
}

export interface FetchOptions {
  /** Fetches only the file with this name before the dot. */
  readonly only?: string;
  /** Receives the size of each received block. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Fetches a result set into a folder. Existing files with the right checksum are kept. After a damaged file, the set is
 * fetched again.
 *
 * @throws the reason of an abort of the connection; complete files stay
 */
export async function fetchResultSet(
  buckets: Buckets,
  outcome: VersionOutcome,
  folder: string,
  options: FetchOptions = {},
): Promise<FetchedResultSet> {
  const target = new ResultFolder(folder);
  await target.lock();
  try {
    return await buckets.retries.operation(async () => {
      try {
        return await fetchInto(target, buckets, outcome, options);
      } catch (error) {
        throw restartIfDamaged(error);
      }
    });
  } finally {
    target.release();
  }
}

/** The error that begins a fetch anew if a file arrived damaged, else the error itself. */
function restartIfDamaged(error: unknown): unknown {
  const isDamaged = error instanceof ChecksumError || isChecksumMismatch(error);
  return isDamaged ? new RestartError(error.message, { cause: error }) : error;
}

async function fetchInto(
  target: ResultFolder,
  buckets: Buckets,
  outcome: VersionOutcome,
  { only, onBytes = () => {} }: FetchOptions,
): Promise<FetchedResultSet> {
  const folder = target.path;
  if (outcome.kind === 'rejected') {
    await target.clear();
    await target.write('error.json', jsonBytes(outcome.reject));
    return { folder, files: ['error.json'], kept: 0 };
  }
  const { manifest } = outcome;
  // A name could lead to another folder.
  const unknown = manifest.files.find(({ name }) => !isResultFile(name));
  if (unknown !== undefined) {
    throw new CommandError(
      `the manifest names the file ${unknown.name}: expected only files of a result set`,
    );
  }
  const isSameManifest = await hasManifest(join(folder, 'manifest.json'), manifest);
  const wanted = manifest.files.filter((file) => only === undefined || hasBaseName(file, only));
  const present = new Set<string>();
  for (const file of wanted) if (await isComplete(join(folder, file.name), file)) present.add(file.name);
  // Files of another result set must not remain under this manifest.
  if (!isSameManifest) await target.clear(present);
  for (const file of wanted) {
    if (present.has(file.name)) continue;
    await fetchFile(buckets, file, counted(target.open(file.name), onBytes), systemHashing);
  }
  await target.write('manifest.json', jsonBytes(manifest));
  return { folder, files: [...wanted.map(({ name }) => name), 'manifest.json'], kept: present.size };
}

/** Writes the solutions of a result set to standard output. */
export async function streamSolutions(buckets: Buckets, manifest: Manifest): Promise<void> {
  const file = resultFile(manifest, 'solutions');
  if (file === undefined) return;
  const output = solutionsOnly(process.stdout).open(file.name);
  let written = 0;
  await buckets.retries.operation(() => {
    let at = 0;
    // A further try continues after the bytes that are written already.
    const write = async (bytes: Uint8Array) => {
      const skipped = Math.min(bytes.length, Math.max(0, written - at));
      at += bytes.length;
      written = Math.max(written, at);
      await output.write(bytes.subarray(skipped));
    };
    return fetchFile(buckets, file, { ...output, write }, systemHashing).catch((error) => {
      // What is written already may be damaged, so no further try can continue it.
      throw written > 0 && isChecksumMismatch(error) ? new ChecksumError(error.message) : error;
    });
  });
}

/** A file that reports its bytes. */
function counted(file: FileWriter, onBytes: (bytes: number) => void): FileWriter {
  return {
    write: async (bytes) => {
      await file.write(bytes);
      onBytes(bytes.length);
    },
    close: () => file.close(),
    abort: () => file.abort(),
  };
}

async function hasManifest(path: string, manifest: Manifest): Promise<boolean> {
  return existsSync(path) && (await readFile(path)).equals(jsonBytes(manifest));
}

/** Whether a file exists with the size and checksum of the manifest. */
async function isComplete(path: string, file: ManifestFile): Promise<boolean> {
  if (statSync(path, { throwIfNoEntry: false })?.size !== file.bytes) return false;
  const checksum = new FileChecksum(file, systemHashing);
  for await (const bytes of createReadStream(path)) checksum.update(bytes);
  return checksum.problem() === undefined;
}

/** SHA-256 of a local file, as 64 hex digits. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}
