/** Settings for clients that ask for them: no object has a tag, and nothing is public. */

import { versionHeader } from '../http/object-headers.ts';
import { element, responseDocument } from '../http/xml.ts';
import { findVersion } from './find-version.ts';
import type { OperationCall, S3Response } from './operation.ts';

/** @throws S3Error as a read does */
export async function getTagging(call: OperationCall): Promise<S3Response> {
  const bucket = call.storage.bucket(call.bucketName);
  const version = findVersion(bucket, call.key, call.request.parameters.get('versionId'), call.settings);
  const headers = versionHeader(bucket, version.versionId);
  return { status: 200, headers, body: responseDocument('Tagging', [element('TagSet', [])]) };
}

/** Where a bucket sends its events. */
export async function getBucketNotification(call: OperationCall): Promise<S3Response> {
  call.storage.bucket(call.bucketName);
  const sent = call.settings.sendsEvents(call.bucketName) ? [element('EventBridgeConfiguration', '')] : [];
  return { status: 200, body: responseDocument('NotificationConfiguration', sent) };
}

export async function getPublicAccessBlock(call: OperationCall): Promise<S3Response> {
  call.storage.bucket(call.bucketName);
  const blocked = PUBLIC_ACCESS.map((name) => element(name, true));
  return { status: 200, body: responseDocument('PublicAccessBlockConfiguration', blocked) };
}

const PUBLIC_ACCESS = ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'];
