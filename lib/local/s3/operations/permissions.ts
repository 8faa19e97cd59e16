/**
 * The permissions that requests need, by the names of IAM. (Service Authorization Reference, "Actions, resources, and
 * condition keys for Amazon S3".)
 */
import { S3Error } from '../http/errors.ts';
import type { S3Request } from '../http/request.ts';
import { parseCopySource } from './copy-source.ts';
import type { OperationSettings } from './operation.ts';
import type { Operation } from './operation-table.ts';

export interface Permission {
  readonly action: string;
  /** ARN. */
  readonly resource: string;
}

export function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}

function objectArn(bucket: string, key: string): string {
  return `${bucketArn(bucket)}/${key}`;
}

/** The permissions that a request needs; one that only its body shows is checked by its operation. */
export function permissionsOf({ action }: Operation, request: S3Request): readonly Permission[] {
  const { bucket, key, parameters, headers } = request;
  const needed: Permission[] = [];
  if (bucket === undefined) return action === undefined ? [] : [{ action, resource: '*' }];
  const resource = key === undefined ? bucketArn(bucket) : objectArn(bucket, key);
  if (action !== undefined) needed.push({ action: ofVersion(action, parameters.get('versionId')), resource });
  const source = headers.get('x-amz-copy-source');
  if (source !== undefined) {
    const { bucketName, key: sourceKey, versionId } = parseCopySource(source);
    needed.push({ action: ofVersion('s3:GetObject', versionId), resource: objectArn(bucketName, sourceKey) });
  }
  // A write that replaces only a certain object tells whether the object is that one.
  if (action === 's3:PutObject' && headers.has('if-match')) needed.push({ action: 's3:GetObject', resource });
  return needed;
}

/** The permission to delete one of the keys of DeleteObjects. */
export function deletePermissions(
  bucket: string,
  key: string,
  versionId: string | undefined,
): readonly Permission[] {
  return [{ action: ofVersion('s3:DeleteObject', versionId), resource: objectArn(bucket, key) }];
}

function ofVersion(action: string, versionId: string | undefined): string {
  const hasOwnAction = action === 's3:GetObject' || action === 's3:DeleteObject';
  return hasOwnAction && versionId !== undefined ? `${action}Version` : action;
}

/** @throws S3Error AccessDenied */
export function checkPermissions(needed: readonly Permission[], { isAllowed }: OperationSettings): void {
  for (const { action, resource } of needed) {
    if (isAllowed(action, resource)) continue;
    throw new S3Error(
      'AccessDenied',
      `The role of this function has no permission for ${action} on ${resource}`,
    );
  }
}
