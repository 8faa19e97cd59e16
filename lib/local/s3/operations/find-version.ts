/** Lookup of versions for reads. */

import { invalidArgument, S3Error } from '../http/errors.ts';
import { versionHeader } from '../http/object-headers.ts';
import { headerTime } from '../http/time-formats.ts';
import type { Bucket, StoredVersion } from '../storage/catalog.ts';
import { NULL_VERSION_ID, sequenceOfVersionId } from '../storage/versions.ts';
import type { OperationSettings } from './operation.ts';
import { bucketArn } from './permissions.ts';

/**
 * Finds the version that a request reads.
 *
 * @param versionId `undefined` for the current version
 * @throws S3Error NoSuchKey, NoSuchVersion (both AccessDenied without ListBucket), MethodNotAllowed for a delete
 *   marker that is requested by its id, InvalidArgument for an invalid id
 */
export function findVersion(
  bucket: Bucket,
  key: string,
  versionId: string | undefined,
  settings: OperationSettings,
): StoredVersion {
  if (versionId === undefined) return findCurrent(bucket, key, settings);
  checkVersionId(versionId);
  const version = bucket.versions.find(key, versionId);
  if (version === undefined) {
    if (!mayList(bucket, settings)) throw forbidden();
    throw new S3Error('NoSuchVersion', 'The specified version does not exist.', {
      fields: { Key: key, VersionId: versionId },
    });
  }
  if (!version.deleteMarker) return version;
  throw new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    fields: { Method: 'GET', ResourceType: 'DeleteMarker' },
    headers: {
      allow: 'DELETE',
      'last-modified': headerTime(version.lastModifiedMs),
      ...markerHeaders(bucket, version),
    },
  });
}

/** Whether the text can be a version id of such a server. */
export function isVersionId(text: string): boolean {
  return text === NULL_VERSION_ID || sequenceOfVersionId(text) !== undefined;
}

/** @throws S3Error InvalidArgument if the text cannot be a version id of such a server */
export function checkVersionId(versionId: string): void {
  if (isVersionId(versionId)) return;
  const message = versionId === '' ? 'Version id cannot be the empty string' : 'Invalid version id specified';
  throw invalidArgument(message, 'versionId', versionId);
}

function findCurrent(bucket: Bucket, key: string, settings: OperationSettings): StoredVersion {
  const version = bucket.versions.current(key);
  if (version !== undefined && !version.deleteMarker) return version;
  if (!mayList(bucket, settings)) throw forbidden();
  throw new S3Error('NoSuchKey', 'The specified key does not exist.', {
    fields: { Key: key },
    headers: version === undefined ? {} : markerHeaders(bucket, version),
  });
}

/** Only who may list a bucket learns which keys are missing. */
function mayList({ name }: Bucket, { isAllowed }: OperationSettings): boolean {
  return isAllowed('s3:ListBucket', bucketArn(name));
}

function markerHeaders(bucket: Bucket, marker: StoredVersion): Record<string, string> {
  return { 'x-amz-delete-marker': 'true', ...versionHeader(bucket, marker.versionId) };
}

/** A caller that may not list a bucket must not learn which keys are missing. */
function forbidden(): S3Error {
  return new S3Error('AccessDenied', 'Access Denied');
}
