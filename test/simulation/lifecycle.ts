/** The lifecycle rules of the stack's buckets, run as S3 does: once a day, by the age of each version. */
import { Storage } from '../../lib/local/s3/storage.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import type { StackTemplate } from '../../lib/local/template.ts';
import { byKey } from '../support/version-groups.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;

interface LifecycleRule {
  readonly Id: string;
  readonly Status: 'Enabled' | 'Disabled';
  readonly Prefix?: string;
  readonly ExpirationInDays?: number;
  readonly ExpiredObjectDeleteMarker?: boolean;
  readonly NoncurrentVersionExpiration?: { readonly NoncurrentDays: number };
  readonly AbortIncompleteMultipartUpload?: { readonly DaysAfterInitiation: number };
}

/** The fields that this module runs. */
const FIELDS = [
  'Id',
  'Status',
  'Prefix',
  'ExpirationInDays',
  'ExpiredObjectDeleteMarker',
  'NoncurrentVersionExpiration',
  'AbortIncompleteMultipartUpload',
];

const BUCKETS = [
  ['InputBucketName', LOCAL_STACK.inputBucket],
  ['ResultsBucketName', LOCAL_STACK.resultsBucket],
] as const;

/** @throws Error if a rule has a field that is not run here */
function rulesOf({ Resources, Outputs }: StackTemplate, output: string): readonly LifecycleRule[] {
  const { Ref } = Outputs[output]!.Value as { Ref: string };
  const { LifecycleConfiguration } = Resources[Ref]!.Properties as {
    LifecycleConfiguration: { readonly Rules: readonly LifecycleRule[] };
  };
  for (const rule of LifecycleConfiguration.Rules) {
    const unknown = Object.keys(rule).find((field) => !FIELDS.includes(field));
    if (unknown !== undefined) throw new Error(`the simulation does not run ${unknown} of lifecycle rules`);
  }
  return LifecycleConfiguration.Rules.filter(({ Status }) => Status === 'Enabled');
}

/** Days after which no rule has anything left to do: what one rule leaves may wait for another. */
export function lifecycleDays(template: StackTemplate): number {
  const days = (rule: LifecycleRule) => [
    rule.ExpirationInDays ?? 0,
    rule.NoncurrentVersionExpiration?.NoncurrentDays ?? 0,
    rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation ?? 0,
  ];
  const all = BUCKETS.flatMap(([output]) => rulesOf(template, output).flatMap(days));
  return 2 + all.reduce((sum, each) => sum + each, 0);
}

/** Runs the rules each day on the data of a stack that has stopped, until none has anything left to do. */
export async function runLifecycle(dataDir: string, template: StackTemplate, world: World): Promise<void> {
  const storage = await Storage.open(dataDir, (error) => world.defects.push(`lifecycle: ${error}`));
  for (let days = lifecycleDays(template); days > 0; days--) {
    await world.wait(DAY_MS);
    for (const [output, bucket] of BUCKETS) {
      for (const rule of rulesOf(template, output)) runRule(storage, bucket, rule, world.nowMs);
    }
  }
  await storage.close();
}

function runRule(storage: Storage, bucket: string, rule: LifecycleRule, nowMs: number): void {
  const { Prefix = '', ExpirationInDays, NoncurrentVersionExpiration, AbortIncompleteMultipartUpload } = rule;
  const isOlder = (sinceMs: number, days: number | undefined) =>
    days !== undefined && nowMs - sinceMs >= days * DAY_MS;
  for (const upload of [...storage.uploads.values()]) {
    const { DaysAfterInitiation } = AbortIncompleteMultipartUpload ?? {};
    if (upload.bucket === bucket && isOlder(upload.startedMs!, DaysAfterInitiation))
      storage.abortUpload(upload);
  }
  for (const [key, stored] of [...byKey(storage.bucket(bucket).versions)]) {
    if (!key.startsWith(Prefix)) continue;
    const versions = [...stored];
    const current = versions.at(-1)!;
    const { NoncurrentDays } = NoncurrentVersionExpiration ?? {};
    // A version is noncurrent since its successor was written.
    const old = versions.filter(
      (_, index) =>
        index + 1 < versions.length && isOlder(versions[index + 1]!.lastModifiedMs, NoncurrentDays),
    );
    for (const { versionId } of old) storage.deleteVersion(bucket, key, versionId);
    if (current.deleteMarker) {
      if (rule.ExpiredObjectDeleteMarker === true && versions.length === 1)
        storage.deleteVersion(bucket, key, current.versionId);
    } else if (isOlder(current.lastModifiedMs, ExpirationInDays)) {
      storage.delete(bucket, key);
    }
  }
}
