/** Access control lists and tags, for clients that ask for them: the owner has full control, and nothing has a tag. */

import { readDocument } from '../http/body/request-document.ts';
import { S3Error } from '../http/errors.ts';
import { checkWriteSettings, versionHeader } from '../http/object-headers.ts';
import { element, responseDocument, type XmlMarkup } from '../http/xml.ts';
import { findVersion } from './find-version.ts';
import { OWNER } from './listing/listing.ts';
import type { OperationCall, S3Response } from './operation.ts';

/** The type of the grantee is an attribute, which no other element has. */
const FULL_CONTROL: XmlMarkup = {
  markup:
    '<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">' +
    `<ID>${'0'.repeat(64)}</ID><DisplayName>local</DisplayName></Grantee><Permission>FULL_CONTROL</Permission></Grant>`,
};

/** Of an object, or of a bucket. */
export async function getAcl(call: OperationCall): Promise<S3Response> {
  const headers = versionHeaders(call);
  const lists = [OWNER, element('AccessControlList', [FULL_CONTROL])];
  return { status: 200, headers, body: responseDocument('AccessControlPolicy', lists) };
}

/** Only the list that the object has. */
export async function putAcl(call: OperationCall): Promise<S3Response> {
  const headers = versionHeaders(call);
  checkWriteSettings(call.request);
  if (call.request.headers.has('x-amz-acl')) return { status: 200, headers };
  throw new S3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs');
}

export async function getTagging(call: OperationCall): Promise<S3Response> {
  const headers = versionHeaders(call);
  return { status: 200, headers, body: responseDocument('Tagging', [element('TagSet', [])]) };
}

/** Only an empty set. */
export async function putTagging(call: OperationCall): Promise<S3Response> {
  const headers = versionHeaders(call);
  const document = await readDocument(call.body, 'Tagging');
  const set = document.children.find(({ name }) => name === 'TagSet');
  if (set?.children.length !== 0) throw new S3Error('NotImplemented', 'Tags are not implemented');
  return { status: 200, headers };
}

/** @throws S3Error as a read does */
function versionHeaders({
  storage,
  bucketName,
  key,
  request,
  settings,
}: OperationCall): Record<string, string> {
  const bucket = storage.bucket(bucketName);
  if (key === '') return {};
  const version = findVersion(bucket, key, request.parameters.get('versionId'), settings);
  return versionHeader(bucket, version.versionId);
}
