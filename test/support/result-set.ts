/** Reads a committed result set through its manifest, and checks its files against the manifest. */
import { createHash } from 'node:crypto';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';
import type { JobRecord } from '../../lib/batch/results/job-record.ts';
import type { JobStats } from '../../lib/batch/results/statistics.ts';
import { RESULTS_BUCKET } from './dependencies.ts';
import type { MemoryBuckets } from './memory-store.ts';

export interface ResultSet {
  readonly manifestKey: string;
  readonly manifest: Manifest;
  /** Text of each file by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The only result set of an input key. @throws Error if a file differs from the manifest */
export function readResultSet(buckets: MemoryBuckets, inputKey: string): ResultSet {
  const manifests = buckets
    .keys(RESULTS_BUCKET, `results/${inputKey}/`)
    .filter((key) => key.endsWith('/manifest.json'));
  if (manifests.length !== 1) throw new Error(`expected one manifest, found ${JSON.stringify(manifests)}`);
  return readManifest(buckets, manifests[0]!);
}

/** The result set of a manifest. @throws Error if a file differs from the manifest */
export function readManifest(buckets: MemoryBuckets, manifestKey: string): ResultSet {
  const manifest = buckets.json<Manifest>(RESULTS_BUCKET, manifestKey);
  const files: Record<string, string> = {};
  for (const { name, key, bytes, sha256 = '', parts = [{ bytes, sha256 }] } of manifest.files) {
    const body = buckets.find(RESULTS_BUCKET, key ?? '')?.body;
    if (body === undefined) throw new Error(`${name} of the manifest does not exist: ${key}`);
    if (body.length !== bytes)
      throw new Error(`${name} has ${body.length} bytes; the manifest says ${bytes}`);
    let at = 0;
    for (const part of parts) {
      const found = createHash('sha256')
        .update(body.subarray(at, at + part.bytes))
        .digest('hex');
      if (found !== part.sha256)
        throw new Error(`${name}: ${found} from ${at}; the manifest says ${part.sha256}`);
      at += part.bytes;
    }
    if (at !== bytes) throw new Error(`${name}: the manifest's parts have ${at} of ${bytes} bytes`);
    files[name] = new TextDecoder().decode(body);
  }
  return { manifestKey, manifest, files };
}

/** The records of a text with one JSON object in each line. */
export function jsonLines(text: string): JobRecord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export function statsOf({ files }: Pick<ResultSet, 'files'>): JobStats {
  return JSON.parse(files['stats.json']!);
}

/** The texts of all objects in the results bucket by key, with the ids of the attempts replaced. */
export function outcomeOf(buckets: MemoryBuckets, attempts: readonly string[]): Record<string, string> {
  const plain = (text: string) =>
    attempts.reduce((all, attempt) => all.replaceAll(attempt, '<attempt>'), text);
  return Object.fromEntries(
    Object.entries(buckets.texts(RESULTS_BUCKET)).map(([key, text]) => [plain(key), plain(text)]),
  );
}
