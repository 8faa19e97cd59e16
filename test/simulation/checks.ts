/** What must be true after every simulation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LatestPointer } from '../../lib/batch/delivery/latest.ts';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';
import { jobKeys } from '../../lib/batch/delivery/result-keys.ts';
import type { DoneMarker, RejectDocument, StatusDocument } from '../../lib/batch/delivery/status-document.ts';
import { DONE_PREFIX, OPTION_METADATA_PREFIX, RUNS_PREFIX } from '../../lib/batch/names.ts';
import type { StoredVersion } from '../../lib/local/s3/catalog.ts';
import { systemHashing } from '../../lib/node/system.ts';
import type { StoredData } from './stored-data.ts';

/** The reproducible result of an upload: of each file its SHA-256, or the code of the reject. */
export type Result = Readonly<Record<string, string>>;
/** The results of the same uploads in a world without faults. */
export type CleanResults = ReadonlyMap<string, Result>;

/** Files whose bytes depend only on the input and the options. */
const REPRODUCIBLE = /^(?:solutions\.\w+|exceptions\.jsonl)$/;

/** The inputs that a user has deleted have this result, or that of the file. */
const GONE: Result = { rejected: 'gone' };

/** What determines a result: bytes and options. */
export function contentId({ etag, metadata }: Pick<StoredVersion, 'etag' | 'metadata'>, key: string): string {
  const options = Object.entries(metadata).filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX));
  return `${etag} ${/\.\w+$/.exec(key)?.[0] ?? ''} ${JSON.stringify(options.sort())}`;
}

/** An upload, whether or not it still exists. */
export interface Uploaded {
  readonly key: string;
  readonly versionId: string;
  readonly contentId: string;
  readonly deleted: boolean;
}

/** The uploads that exist. */
export function uploadsIn(data: StoredData): Uploaded[] {
  return [...data.byKey('input')].flatMap(([key, versions]) =>
    versions
      .filter(({ deleteMarker }) => !deleteMarker)
      .map((version) => ({
        key,
        versionId: version.versionId,
        contentId: contentId(version, key),
        deleted: false,
      })),
  );
}

/** Whether an upload has an outcome. */
export function isDone(data: StoredData, { key, versionId }: Uploaded): boolean {
  return data.current('results').has(jobKeys(key, versionId, '', systemHashing).done);
}

/** The result of an upload. @throws Error if it has none, or what it has is inconsistent */
export function resultOf(data: StoredData, { key, versionId }: Uploaded): Result {
  const { done } = jobKeys(key, versionId, '', systemHashing);
  const marker = data.json<DoneMarker>('results', done);
  const keys = jobKeys(key, versionId, marker.jobId, systemHashing);
  if (marker.outcome === 'rejected') {
    return { rejected: data.json<RejectDocument>('results', keys.reject).error.code };
  }
  const { files } = data.json<Manifest>('results', keys.manifest);
  return Object.fromEntries(
    files
      .filter(({ name }) => REPRODUCIBLE.test(name))
      .map(({ name, key: fileKey }) => [name, data.sha256('results', fileKey!)]),
  );
}

/** Returns what is wrong; empty if all is as it must be. */
export function problems(data: StoredData, uploads: readonly Uploaded[], clean: CleanResults): string[] {
  const found: string[] = [];
  const check = (about: string, run: () => string | undefined) => {
    try {
      const problem = run();
      if (problem !== undefined) found.push(`${about}: ${problem}`);
    } catch (error) {
      found.push(`${about}: ${(error as Error).message}`);
    }
  };
  for (const upload of uploads) {
    check(`${upload.key} ${upload.versionId}`, () => {
      // It may have been deleted before any function read it.
      if (upload.deleted && !isDone(data, upload)) return undefined;
      const expected = clean.get(upload.contentId);
      if (expected === undefined) return `no clean result of ${upload.contentId}`;
      const result = JSON.stringify(resultOf(data, upload));
      if (result === JSON.stringify(expected) || (upload.deleted && result === JSON.stringify(GONE)))
        return undefined;
      return `has the result ${result}, expected ${JSON.stringify(expected)}`;
    });
  }
  checkOneOutcome(data, uploads, found);
  checkLatest(data, uploads, check);
  return found;
}

/**
 * Returns the outcomes whose events the user's rule has not received.
 *
 * @param received the type of each event, and the key of its document
 * @param failedRuns bulk runs whose execution has failed: an alarm reports those, and they may not have sent their event
 */
export function missingEvents(
  data: StoredData,
  received: ReadonlySet<string>,
  failedRuns: ReadonlySet<string>,
): string[] {
  const documents = [
    ['JobCompleted', /^results\/.*\/[0-9a-f]{16}\/manifest\.json$/],
    ['JobRejected', /^rejects\/.*\/[0-9a-f]{16}\/error\.json$/],
    ['JobFailed', /^status\/.*\.json$/],
    ['RunCompleted', /^runs\/[^/]+\/report\.json$/],
  ] as const;
  return [...data.current('results').keys()].flatMap((key) =>
    documents
      .filter(([, pattern]) => pattern.test(key))
      .filter(
        ([type]) => type !== 'JobFailed' || data.json<StatusDocument>('results', key).state === 'failed',
      )
      .filter(([type]) => type !== 'RunCompleted' || !failedRuns.has(key.split('/')[1]!))
      .filter(([type]) => !received.has(`${type} ${key}`))
      .map(([type]) => `${type} of ${key} was not received`),
  );
}

/** Every job has one outcome, and every version one job that its done marker names. */
function checkOneOutcome(data: StoredData, uploads: readonly Uploaded[], found: string[]): void {
  const current = data.current('results');
  for (const key of current.keys()) {
    const [, folder] = /^results\/(.*\/[0-9a-f]{16})\/manifest\.json$/.exec(key) ?? [];
    if (folder === undefined) continue;
    if (current.has(`rejects/${folder}/error.json`)) found.push(`${folder} is both committed and rejected`);
    const versions = [...data.versions('results').newestFirst(key)];
    if (versions.length > 1) found.push(`${key} was written ${versions.length} times`);
  }
  const known = new Set(uploads.map(({ key, versionId }) => jobKeys(key, versionId, '', systemHashing).done));
  for (const key of current.keys()) {
    if (key.startsWith(DONE_PREFIX) && !known.has(key)) found.push(`${key} belongs to no upload`);
  }
}

/** `latest.json` names the newest version of a key; versions that a user has deleted have no place in the order. */
function checkLatest(
  data: StoredData,
  uploads: readonly Uploaded[],
  check: (about: string, run: () => string | undefined) => void,
): void {
  const byKey = Map.groupBy(uploads, ({ key }) => key);
  for (const [key, versions] of byKey) {
    if (versions.some(({ deleted }) => deleted)) continue;
    check(`latest.json of ${key}`, () => {
      const { latest } = jobKeys(key, '', '', systemHashing);
      const { input } = data.json<LatestPointer>('results', latest);
      const newest = versions.at(-1)!.versionId;
      return input.versionId === newest ? undefined : `names ${input.versionId}, expected ${newest}`;
    });
  }
}

/**
 * Returns what is left over after the lifecycle rules have run: everything must be part of an outcome, and each outcome must
 * be complete.
 *
 * @param mayRemain whether an object may be left that is part of no outcome
 */
export function orphans(
  data: StoredData,
  uploads: readonly Uploaded[],
  mayRemain: (key: string, storedMs: number) => boolean,
): string[] {
  const found: string[] = [];
  const parts = new Set<string>();
  const current = data.current('results');
  for (const { key, versionId } of uploads) {
    const { done, latest } = jobKeys(key, versionId, '', systemHashing);
    parts.add(done).add(latest);
  }
  for (const key of current.keys()) {
    const [, folder] = /^(?:results|rejects)\/(.*\/[0-9a-f]{16})\/(?:manifest|error)\.json$/.exec(key) ?? [];
    if (folder === undefined) continue;
    const status = `status/${folder}.json`;
    parts.add(key).add(status);
    const expected = key.startsWith('results/') ? 'done' : 'rejected';
    const state = current.has(status) ? data.json<StatusDocument>('results', status).state : 'missing';
    if (state !== expected) found.push(`the status of ${folder} is ${state}, expected ${expected}`);
    if (expected === 'rejected') continue;
    for (const { key: file } of data.json<Manifest>('results', key).files) {
      parts.add(file!);
      if (!current.has(file!)) found.push(`${file} is in the manifest, but does not exist`);
    }
  }
  for (const [key, versions] of data.byKey('results')) {
    const [version] = versions;
    if (!parts.has(key) && !key.startsWith(RUNS_PREFIX)) {
      if (!mayRemain(key, version!.lastModifiedMs)) found.push(`${key} belongs to no outcome`);
    } else if (versions.length > 1) found.push(`${key} has ${versions.length} versions`);
  }
  for (const bucket of ['input', 'results'] as const) {
    const count = data.unfinishedUploads(bucket);
    if (count > 0) found.push(`the ${bucket} bucket has ${count} unfinished uploads`);
  }
  return [...found, ...data.unknownFiles().map((id) => `data file ${id} belongs to no object`)];
}

/** Returns what differs in a downloaded result set; empty if nothing does. */
export function downloadProblems(folder: string, expected: Result): string[] {
  const names = readdirSync(folder);
  if (expected.rejected !== undefined) {
    return names.join() === 'error.json' ? [] : [`${folder} has ${names}, expected error.json`];
  }
  const found = names
    .filter((name) => name.endsWith('.part') || name.endsWith('.pid'))
    .map((name) => `${name} is left over`);
  for (const [name, sha256] of Object.entries(expected)) {
    const hash = systemHashing.sha256();
    hash.update(readFileSync(join(folder, name)));
    if (hash.hex() !== sha256) found.push(`${join(folder, name)} differs`);
  }
  return found;
}
