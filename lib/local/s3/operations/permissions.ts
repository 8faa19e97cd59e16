/** Permissions for objects and buckets, and the error without one. */
import { S3Error } from '../http/errors.ts';
import type { OperationSettings } from './operation.ts';

export interface Permission {
  readonly action: string;
  /** ARN. */
  readonly resource: string;
}

export function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}

export function objectArn(bucket: string, key: string): string {
  return `${bucketArn(bucket)}/${key}`;
}

/** The permission to delete one of the keys of DeleteObjects. */
export function deletePermissions(
  bucket: string,
  key: string,
  versionId: string | undefined,
): readonly Permission[] {
  return [{ action: ofVersion('s3:DeleteObject', versionId), resource: objectArn(bucket, key) }];
}

export function ofVersion(action: string, versionId: string | undefined): string {
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
