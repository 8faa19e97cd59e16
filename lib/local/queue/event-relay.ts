/**
 * Relays uploads to the queue: S3 sends an event to EventBridge, a rule selects the objects in the inbox, and its
 * target is the queue. The message equals the event that EventBridge delivers in AWS. (Amazon S3 User Guide,
 * "EventBridge event message structure".)
 *
 * Keys are not encoded in these events; only plain S3 notifications form-encode them.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { S3ObjectCreatedNotificationEvent } from 'aws-lambda';
import { INBOX_PREFIX } from '../../batch/names.ts';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import type { ObjectCreated } from '../s3/http/server.ts';

/** Fields of an event that do not describe the object. */
export interface EventMetadata {
  readonly region: string;
  readonly time: Date;
  /** A UUID of this event. */
  readonly eventId: string;
  /** 16 capital letters and digits, as in S3's request ids. */
  readonly requestId: string;
}

/** With `event-version`, which S3 sends and the published types do not have yet. */
type ObjectCreatedEvent = S3ObjectCreatedNotificationEvent & { detail: { 'event-version': string } };

/** The event, with its fields in EventBridge's order. */
export function objectCreatedEvent(created: ObjectCreated, metadata: EventMetadata): ObjectCreatedEvent {
  return {
    version: '0',
    id: metadata.eventId,
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: LOCAL_ACCOUNT,
    // Whole seconds, as in AWS.
    time: `${metadata.time.toISOString().slice(0, 19)}Z`,
    region: metadata.region,
    resources: [`arn:aws:s3:::${created.bucket}`],
    detail: {
      version: '0',
      'event-version': '1.0',
      bucket: { name: created.bucket },
      object: {
        key: created.key,
        size: created.size,
        etag: created.etag,
        // JSON omits undefined fields.
        'version-id': created.versionId as string,
        sequencer: created.sequencer,
      },
      'request-id': metadata.requestId,
      requester: LOCAL_ACCOUNT,
      'source-ip-address': '127.0.0.1',
      reason: created.reason === 'PostObject' ? 'POST Object' : created.reason,
    },
  };
}

/** Whether the stack's rule matches an object: in the input bucket, under `inbox/`. */
export function matchesInboxRule(created: ObjectCreated, inputBucket: string): boolean {
  return created.bucket === inputBucket && created.key.startsWith(INBOX_PREFIX);
}

export interface EventRelayOptions {
  readonly inputBucket: string;
  readonly region: string;
  /** Puts a message with this body into the queue. */
  readonly send: (body: string) => void;
  /** @default the system's clock */
  readonly now?: () => Date;
}

/** Returns the listener that the S3 server calls for each new object in any bucket. */
export function eventRelay({ inputBucket, region, send, now = () => new Date() }: EventRelayOptions) {
  return (created: ObjectCreated): void => {
    if (!matchesInboxRule(created, inputBucket)) return;
    const requestId = randomBytes(8).toString('hex').toUpperCase();
    send(
      JSON.stringify(objectCreatedEvent(created, { region, time: now(), eventId: randomUUID(), requestId })),
    );
  };
}
