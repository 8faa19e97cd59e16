/** DeleteObject and DeleteObjects. */

import { readDocument } from '../http/body/request-document.ts';
import { S3Error } from '../http/errors.ts';
import { checkKeyLength, type S3Request } from '../http/request.ts';
import { childText, element, responseDocument, type XmlElement, type XmlMarkup } from '../http/xml.ts';
import { CHECKSUM_ALGORITHMS, checksumHeader } from '../storage/checksums.ts';
import type { Deletion } from '../storage/storage.ts';
import { checkDelete, deleteCondition, headerNotImplemented } from './conditions.ts';
import { checkVersionId, isVersionId } from './find-version.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { checkPermissions, deletePermissions } from './permissions.ts';

/** Maximum keys of one DeleteObjects request, inclusive. */
const MAX_KEYS = 1000;
/** Conditions of directory buckets only, in the order in which S3 names them. */
export const DIRECTORY_CONDITIONS: readonly string[] = [
  'x-amz-if-match-last-modified-time',
  'x-amz-if-match-size',
];

/** Deletes a key, or permanently removes one of its versions. */
export async function deleteObject(call: OperationCall): Promise<S3Response> {
  const versionId = call.request.parameters.get('versionId');
  const unsupported = DIRECTORY_CONDITIONS.find((name) => call.request.headers.has(name));
  if (unsupported !== undefined) throw headerNotImplemented(unsupported);
  const deletion = deleteOne(call, call.key, versionId, call.request.headers.get('if-match'));
  const headers: Record<string, string> = {};
  if (deletion.versionId !== undefined) headers['x-amz-version-id'] = deletion.versionId;
  if (deletion.deleteMarker) headers['x-amz-delete-marker'] = 'true';
  return { status: 204, headers };
}

/** Deletes up to 1,000 keys or versions; a failed one does not affect the others. */
export async function deleteObjects(call: OperationCall): Promise<S3Response> {
  checkHasDigest(call.request);
  call.storage.bucket(call.bucketName);
  const root = await readDocument(call.body, 'Delete');
  const objects = root.children.filter((child) => child.name === 'Object');
  if (objects.length === 0 || objects.length > MAX_KEYS) {
    throw new S3Error('MalformedXML', `Expected 1 to ${MAX_KEYS} Object elements, found ${objects.length}`);
  }
  const quiet = childText(root, 'Quiet') === 'true';
  const results = objects.map((object) => deleteListed(call, object, quiet));
  return { status: 200, body: responseDocument('DeleteResult', results) };
}

/** @param ifMatch the ETag that the current object must have */
function deleteOne(
  call: OperationCall,
  key: string,
  versionId: string | undefined,
  ifMatch: string | undefined,
): Deletion {
  const condition = deleteCondition(ifMatch);
  if (versionId === undefined) {
    return call.storage.delete(call.bucketName, key, {
      check: (bucket) => checkDelete(condition, bucket, key),
    });
  }
  checkVersionId(versionId);
  if (condition.kind !== 'none') {
    throw new S3Error('NotImplemented', 'A condition for the deletion of a version is not implemented');
  }
  return call.storage.deleteVersion(call.bucketName, key, versionId);
}

function deleteListed(call: OperationCall, object: XmlElement, quiet: boolean): XmlMarkup | undefined {
  const key = childText(object, 'Key') ?? '';
  const versionId = childText(object, 'VersionId');
  const named = [element('Key', key), versionId === undefined ? undefined : element('VersionId', versionId)];
  try {
    const known = ['Key', 'VersionId', 'ETag'];
    const condition = object.children.find(({ name }) => !known.includes(name));
    if (condition !== undefined) throw new S3Error('NotImplemented', `${condition.name} is not implemented`);
    if (key === '') throw new S3Error('InvalidArgument', 'Expected a Key');
    checkKeyLength(key);
    checkPermissions(deletePermissions(call.bucketName, key, versionId), call.settings);
    if (versionId !== undefined && !isVersionId(versionId)) {
      throw new S3Error('NoSuchVersion', 'The specified version does not exist.');
    }
    const { deleteMarker, versionId: affected } = deleteOne(call, key, versionId, childText(object, 'ETag'));
    if (quiet) return undefined;
    return element('Deleted', [
      ...named,
      deleteMarker ? element('DeleteMarker', true) : undefined,
      deleteMarker && affected !== undefined ? element('DeleteMarkerVersionId', affected) : undefined,
    ]);
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return element('Error', [...named, element('Code', error.code), element('Message', error.message)]);
  }
}

/** S3 requires a digest, since a corrupted list would delete the wrong objects. */
function checkHasDigest(request: S3Request): void {
  const names = ['content-md5', ...CHECKSUM_ALGORITHMS.map(checksumHeader), 'x-amz-trailer'];
  if (names.some((name) => request.headers.has(name))) return;
  throw new S3Error(
    'InvalidRequest',
    'Missing required header for this request: Content-MD5 OR x-amz-checksum-*',
  );
}
