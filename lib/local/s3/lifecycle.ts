/**
 * Lifecycle rules of a bucket: what they remove, and its removal. (Amazon S3 User Guide, "Managing the lifecycle of
 * objects".)
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
import type { StackTemplate } from '../states/template.ts';
import type { Bucket, MultipartUpload, StoredVersion } from './storage/catalog.ts';
import type { Storage } from './storage/storage.ts';

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

export type LifecycleAction =
  /** Deletes the current object, without a version id. */
  | { readonly kind: 'expire'; readonly key: string }
  /** Removes a version or a delete marker permanently. */
  | { readonly kind: 'remove'; readonly key: string; readonly versionId: string }
  | { readonly kind: 'abort'; readonly upload: MultipartUpload };

/**
 * The rules of the bucket that an output of the stack names; none for an existing bucket, whose owner sets them.
 *
 * @throws Error as `parseLifecycle` does
 */
export function lifecycleOf({ Resources, Outputs }: StackTemplate, output: string): LifecycleRule[] {
  const { Ref: id } = Outputs[output]!.Value as { readonly Ref?: string };
  const { LifecycleConfiguration } = (Resources[id ?? '']?.Properties ?? {}) as {
    readonly LifecycleConfiguration?: { readonly Rules: unknown };
  };
  return parseLifecycle(LifecycleConfiguration?.Rules ?? []);
}

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

/** All that the rules of a bucket remove at a time, in the order of removal. */
export function* dueActions(
  lifecycle: readonly LifecycleRule[],
  bucket: Bucket,
  uploads: Iterable<MultipartUpload>,
  nowMs: number,
): Generator<LifecycleAction> {
  for (const [key, versions] of bucket.versions) yield* dueOfKey(lifecycle, key, versions, nowMs);
  yield* dueUploads(lifecycle, bucket.name, uploads, nowMs);
}

/** Removes all that is due in a bucket; other changes of the storage may happen meanwhile. */
export async function applyLifecycle(
  storage: Storage,
  bucketName: string,
  lifecycle: readonly LifecycleRule[],
  nowMs: number,
): Promise<void> {
  const bucket = storage.buckets.get(bucketName);
  if (bucket === undefined || lifecycle.length === 0) return;
  let checked = 0;
  for (const [key, versions] of bucket.versions) {
    for (const action of dueOfKey(lifecycle, key, versions, nowMs)) perform(storage, bucketName, action);
    if (++checked % KEYS_PER_TURN === 0) await nextTurn();
  }
  for (const action of dueUploads(lifecycle, bucketName, storage.uploads.values(), nowMs)) {
    perform(storage, bucketName, action);
  }
}

function perform(storage: Storage, bucketName: string, action: LifecycleAction): void {
  if (action.kind === 'expire') storage.delete(bucketName, action.key, { check() {} });
  else if (action.kind === 'remove') storage.deleteVersion(bucketName, action.key, action.versionId);
  else storage.abortUpload(action.upload);
}

/** @param versions oldest first */
function dueOfKey(
  lifecycle: readonly LifecycleRule[],
  key: string,
  versions: readonly StoredVersion[],
  nowMs: number,
): LifecycleAction[] {
  const matching = lifecycle.filter(({ Prefix }) => key.startsWith(Prefix));
  if (matching.length === 0) return [];
  const current = versions.at(-1)!;
  const older = versions.slice(0, -1);
  const due = older.filter((_, index) =>
    matching.some(({ NoncurrentVersionExpiration: rule }) =>
      isDue(versions[index + 1]!.lastModifiedMs, rule?.NoncurrentDays, nowMs),
    ),
  );
  const actions = due.map(({ versionId }): LifecycleAction => ({ kind: 'remove', key, versionId }));
  const hasExpired = matching.some((rule) => isDue(current.lastModifiedMs, rule.ExpirationInDays, nowMs));
  if (!current.deleteMarker) {
    if (hasExpired) actions.push({ kind: 'expire', key });
  } else if (due.length === older.length) {
    // A marker that hides nothing. The expiration by days also removes it.
    if (hasExpired || matching.some((rule) => rule.ExpiredObjectDeleteMarker === true)) {
      actions.push({ kind: 'remove', key, versionId: current.versionId });
    }
  }
  return actions;
}

function dueUploads(
  lifecycle: readonly LifecycleRule[],
  bucketName: string,
  uploads: Iterable<MultipartUpload>,
  nowMs: number,
): LifecycleAction[] {
  // Uploads without a time are of older programs.
  const isUploadDue = ({ bucket, key, startedMs = 0 }: MultipartUpload) =>
    bucket === bucketName &&
    lifecycle.some(
      ({ Prefix, AbortIncompleteMultipartUpload: rule }) =>
        key.startsWith(Prefix) && isDue(startedMs, rule?.DaysAfterInitiation, nowMs),
    );
  return [...uploads].filter(isUploadDue).map((upload) => ({ kind: 'abort', upload }));
}

/** Whether this many days have passed since a time, rounded up to the next midnight; never without a number of days. */
function isDue(sinceMs: number, afterDays: number | undefined, nowMs: number): boolean {
  if (afterDays === undefined) return false;
  return Math.ceil((sinceMs + afterDays * DAY_MS) / DAY_MS) * DAY_MS <= nowMs;
}
