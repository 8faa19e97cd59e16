/** Removes objects with all their versions: in a bucket with versioning, a plain delete only hides them. */
import type { S3 } from '@aws-sdk/client-s3';
import { inParallel } from '../batch/in-parallel.ts';
import { decoded, versionPages } from './s3-listings.ts';
import { explainErrors } from './store-errors.ts';

/** A version of an object, or a delete marker. */
export interface KeyVersion {
  readonly key: string;
  readonly versionId: string;
}

const DELETES_AT_ONCE = 16;

/** All versions and delete markers under a prefix. */
export async function keyVersions(s3: S3, bucket: string, prefix: string): Promise<KeyVersion[]> {
  const found: KeyVersion[] = [];
  for await (const { Versions = [], DeleteMarkers = [] } of versionPages(s3, bucket, prefix)) {
    for (const { Key, VersionId = 'null' } of [...Versions, ...DeleteMarkers]) {
      found.push({ key: decoded(Key!), versionId: VersionId });
    }
  }
  return found;
}

/**
 * Removes all versions and delete markers under a prefix, and uploads in parts that are not complete.
 *
 * @returns how many were removed
 */
export async function removeVersions(s3: S3, bucket: string, prefix: string): Promise<number> {
  const { Uploads = [] } = await explainErrors(
    () => s3.listMultipartUploads({ Bucket: bucket, Prefix: prefix, EncodingType: 'url' }),
    `listing the uploads in parts under s3://${bucket}/${prefix}`,
  );
  for (const { Key, UploadId } of Uploads) {
    await s3.abortMultipartUpload({ Bucket: bucket, Key: decoded(Key!), UploadId });
  }
  const versions = await keyVersions(s3, bucket, prefix);
  // One request for each, as the list of a DeleteObjects is XML, which cannot contain every key.
  await inParallel(versions, DELETES_AT_ONCE, ({ key, versionId }) =>
    explainErrors(
      () => s3.deleteObject({ Bucket: bucket, Key: key, VersionId: versionId }),
      `deleting s3://${bucket}/${key}`,
    ),
  );
  return versions.length + Uploads.length;
}
