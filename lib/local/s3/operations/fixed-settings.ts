/**
 * Access control lists, tags and settings of buckets, for clients that ask for them: the owner has full control, nothing
 * has a tag, and nothing is public.
 */

import { readDocument } from '../http/body/request-document.ts';
import { S3Error } from '../http/errors.ts';
import { aclNotSupported, checkWriteSettings, versionHeader } from '../http/object-headers.ts';
import { childText, element, responseDocument, type XmlElement, type XmlMarkup } from '../http/xml.ts';
import { findVersion } from './find-version.ts';
import { OWNER, OWNER_ID } from './listing/listing.ts';
import type { OperationCall, S3Response } from './operation.ts';

/** The type of the grantee is an attribute, which no other element has. */
const FULL_CONTROL: XmlMarkup = {
  markup:
    '<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">' +
    `<ID>${OWNER_ID}</ID><DisplayName>local</DisplayName></Grantee><Permission>FULL_CONTROL</Permission></Grant>`,
};

/** Of an object, or of a bucket. */
export async function getAcl(call: OperationCall): Promise<S3Response> {
  const headers = versionHeaders(call);
  const lists = [OWNER, element('AccessControlList', [FULL_CONTROL])];
  return { status: 200, headers, body: responseDocument('AccessControlPolicy', lists) };
}

/** Only the list that the object or bucket has: s3cmd sets it after each copy. */
export async function putAcl(call: OperationCall): Promise<S3Response> {
  const headers = versionHeaders(call);
  checkWriteSettings(call.request);
  const canned = call.request.headers.get('x-amz-acl');
  if (canned === 'private') throw aclNotSupported();
  if (canned === undefined) {
    const document = await readDocument(call.body, 'AccessControlPolicy');
    const list = document.children.find(({ name }) => name === 'AccessControlList');
    if (list === undefined || list.children.length === 0) throw aclNotSupported();
    if (!list.children.every(givesOwnerFullControl)) throw aclNotSupported();
  }
  return { status: 200, headers };
}

function givesOwnerFullControl(grant: XmlElement): boolean {
  const grantee = grant.children.find(({ name }) => name === 'Grantee');
  const isOwner = grantee !== undefined && childText(grantee, 'ID') === OWNER_ID;
  return isOwner && childText(grant, 'Permission') === 'FULL_CONTROL';
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

/** There is nothing to delete. */
export async function deleteTagging(call: OperationCall): Promise<S3Response> {
  return { status: 204, headers: versionHeaders(call) };
}

/** Where a bucket sends its events. */
export async function getBucketNotification(call: OperationCall): Promise<S3Response> {
  versionHeaders(call);
  const sent = call.settings.sendsEvents(call.bucketName) ? [element('EventBridgeConfiguration', '')] : [];
  return { status: 200, body: responseDocument('NotificationConfiguration', sent) };
}

export async function getPublicAccessBlock(call: OperationCall): Promise<S3Response> {
  versionHeaders(call);
  const blocked = PUBLIC_ACCESS.map((name) => element(name, true));
  return { status: 200, body: responseDocument('PublicAccessBlockConfiguration', blocked) };
}

const PUBLIC_ACCESS = ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'];

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
