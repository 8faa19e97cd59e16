/** Settings of buckets, for clients that ask for them: nothing is public. */

import { element, responseDocument } from '../http/xml.ts';
import type { OperationCall, S3Response } from './operation.ts';

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
