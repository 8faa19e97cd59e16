/**
 * The permissions that requests need, by the names of IAM. (Service Authorization Reference, "Actions, resources, and
 * condition keys for Amazon S3".)
 */
import type { S3Request } from '../http/request.ts';
import { parseCopySource } from './copy-source.ts';
import type { Operation } from './operation-table.ts';
import { bucketArn, objectArn, ofVersion, type Permission } from './permissions.ts';

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
