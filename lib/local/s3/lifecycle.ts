/**
 * Lifecycle rules of a bucket. (Amazon S3 User Guide, "Managing the lifecycle of objects".)
 *
 *     current object  --ExpirationInDays after its write--> hidden by a new delete marker
 *     older version   --NoncurrentDays after the next version--> removed
 *     delete marker without other versions  --> removed
 *     unfinished upload in parts  --DaysAfterInitiation--> aborted
 *
 * As in S3, each time is rounded up to the next midnight in UTC. Of several rules, the first that is due takes effect.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import type { StoredVersion } from './catalog.ts';
import type { Storage } from './storage.ts';

const DAY_MS = 86_400_000;
/** Keys that are checked before other work continues. */
const KEYS_PER_TURN = 1000;

const days = z.int().positive();
/** A field that is not implemented is refused, so that no rule is ignored. */
const rules = z.array(
  z.strictObject({
    Id: z.string().optional(),
    Status: z.enum(['Enabled', 'Disabled']),
    Prefix: z.string().default(''),
    ExpirationInDays: days.optional(),
    ExpiredObjectDeleteMarker: z.boolean().optional(),
    NoncurrentVersionExpiration: z.strictObject({ NoncurrentDays: days }).optional(),
    AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: days }).optional(),
  }),
);

/** A rule that is enabled, as CloudFormation writes it. */
export type LifecycleRule = z.infer<typeof rules>[number];

/**
 * Reads the `Rules` of a template.
 *
 * @throws Error if a rule has a field that is not implemented
 */
export function parseLifecycle(found: unknown): LifecycleRule[] {
  const parsed = rules.safeParse(found);
  if (parsed.success) return parsed.data.filter(({ Status }) => Status === 'Enabled');
  throw new Error(`the local stack cannot follow the lifecycle rules: ${z.prettifyError(parsed.error)}`);
}

/** Removes all that is due in a bucket; other changes of the storage may happen meanwhile. */
export async function applyLifecycle(
  storage: Storage,
  bucketName: string,
  lifecycle: readonly LifecycleRule[],
  nowMs: number,
): Promise<void> {
  /** Whether this many days have passed since a time, rounded up to the next midnight; never without a number of days. */
  const isDue = (sinceMs: number, afterDays = Number.POSITIVE_INFINITY) =>
    Math.ceil((sinceMs + afterDays * DAY_MS) / DAY_MS) * DAY_MS <= nowMs;
  let checked = 0;
  for (const [key, versions] of storage.bucket(bucketName).versions) {
    applyToKey(storage, bucketName, key, versions, lifecycle, isDue);
    if (++checked % KEYS_PER_TURN === 0) await nextTurn();
  }
  for (const upload of [...storage.uploads.values()]) {
    // Uploads without a time are of older programs.
    const { bucket, key, startedMs = 0 } = upload;
    const isUploadDue = lifecycle.some(
      ({ Prefix, AbortIncompleteMultipartUpload: rule }) =>
        key.startsWith(Prefix) && isDue(startedMs, rule?.DaysAfterInitiation),
    );
    if (bucket === bucketName && isUploadDue) storage.abortUpload(upload);
  }
}

/** @param versions oldest first */
function applyToKey(
  storage: Storage,
  bucket: string,
  key: string,
  versions: readonly StoredVersion[],
  lifecycle: readonly LifecycleRule[],
  isDue: (sinceMs: number, afterDays: number | undefined) => boolean,
): void {
  const matching = lifecycle.filter(({ Prefix }) => key.startsWith(Prefix));
  const older = versions.slice(0, -1);
  const due = older.filter((_, index) =>
    matching.some(({ NoncurrentVersionExpiration: rule }) =>
      isDue(versions[index + 1]!.lastModifiedMs, rule?.NoncurrentDays),
    ),
  );
  for (const { versionId } of due) storage.deleteVersion(bucket, key, versionId);
  const { deleteMarker, lastModifiedMs, versionId } = versions.at(-1)!;
  const hasExpired = matching.some((rule) => isDue(lastModifiedMs, rule.ExpirationInDays));
  if (!deleteMarker) {
    if (hasExpired) storage.delete(bucket, key);
  } else if (due.length === older.length) {
    // A marker that hides nothing. The expiration by days also removes it.
    if (hasExpired || matching.some((rule) => rule.ExpiredObjectDeleteMarker === true)) {
      storage.deleteVersion(bucket, key, versionId);
    }
  }
}
