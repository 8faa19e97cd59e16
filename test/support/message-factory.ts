/** Messages in the format of the queue. */
import type { SQSEvent, SQSRecord } from 'aws-lambda';

export interface CreatedObject {
  readonly bucket: string;
  readonly key: string;
  readonly size?: number;
  readonly etag?: string;
  readonly versionId?: string;
  readonly sequencer?: string;
}

/** The body of a message with EventBridge's event, which contains the key unencoded. */
export function eventBridgeBody(object: CreatedObject, detailType = 'Object Created'): string {
  return JSON.stringify({
    version: '0',
    id: '17793124-05d4-b198-2fde-7ededc63b103',
    'detail-type': detailType,
    source: 'aws.s3',
    account: '111122223333',
    time: '2025-03-01T12:00:00Z',
    region: 'eu-central-1',
    resources: [`arn:aws:s3:::${object.bucket}`],
    detail: {
      version: '0',
      bucket: { name: object.bucket },
      object: {
        key: object.key,
        size: object.size,
        etag: object.etag,
        'version-id': object.versionId,
        sequencer: object.sequencer,
      },
      'request-id': 'N4N7GDK58NMKJ12R',
      requester: '111122223333',
      'source-ip-address': '192.0.2.1',
      reason: 'PutObject',
    },
  });
}

/** An invocation with these message bodies; their ids are `message-1`, `message-2`, ... */
export function sqsEvent(bodies: readonly string[], receiveCount = 1): SQSEvent {
  return { Records: bodies.map((body, k) => sqsRecord(body, `message-${k + 1}`, receiveCount)) };
}

function sqsRecord(body: string, messageId: string, receiveCount: number): SQSRecord {
  return {
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: '1740830400000',
      SenderId: '111122223333',
      ApproximateFirstReceiveTimestamp: '1740830400001',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:111122223333:uploads',
    awsRegion: 'eu-central-1',
  };
}
