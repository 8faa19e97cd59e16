/**
 * The way of an upload to the queue: S3 tells EventBridge, a rule picks the objects in the inbox, and its target is
 * the queue. The message is the very event that EventBridge delivers in the cloud, so the function cannot tell
 * the difference. (Amazon S3 User Guide, "EventBridge event message structure".)
 *
 * Keys stand in these events as they are; it is only plain S3 notifications that form-encode them.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { S3ObjectCreatedNotificationEvent } from 'aws-lambda';
import { INBOX_PREFIX } from '../../batch/names.ts';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import type { ObjectCreated } from '../s3/http/server.ts';

/** What an event says besides what happened. */
export interface EventMetadata {
  readonly region: string;
  readonly time: Date;
  /** A UUID of this event. */
  readonly eventId: string;
  /** 16 capital letters and digits, as S3 gives each request. */
  readonly requestId: string;
}

/** An event whose version is told too, as S3 does now; the published types do not know that field yet. */
type ObjectCreatedEvent = S3ObjectCreatedNotificationEvent & { detail: { 'event-version': string } };

/** The event, its fields in the order in which EventBridge writes them. */
export function objectCreatedEvent(created: ObjectCreated, at: EventMetadata): ObjectCreatedEvent {
  return {
    version: '0',
    id: at.eventId,
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: LOCAL_ACCOUNT,
    // Whole seconds, as there.
    time: `${at.time.toISOString().slice(0, 19)}Z`,
    region: at.region,
    resources: [`arn:aws:s3:::${created.bucket}`],
    detail: {
      version: '0',
      'event-version': '1.0',
      bucket: { name: created.bucket },
      object: {
        key: created.key,
        size: created.size,
        etag: created.etag,
        // JSON leaves out what is undefined.
        'version-id': created.versionId as string,
        sequencer: created.sequencer,
      },
      'request-id': at.requestId,
      requester: LOCAL_ACCOUNT,
      'source-ip-address': '127.0.0.1',
      reason: created.reason === 'PostObject' ? 'POST Object' : created.reason,
    },
  };
}

/** Whether the stack's rule sends an object on: it is in the input bucket, under `inbox/`. */
export function matchesInboxRule(created: ObjectCreated, inputBucket: string): boolean {
  return created.bucket === inputBucket && created.key.startsWith(INBOX_PREFIX);
}

export interface EventRelayOptions {
  readonly inputBucket: string;
  readonly region: string;
  /** Puts a message with this body into the queue. */
  readonly send: (body: string) => void;
  /** @default the machine's */
  readonly now?: () => Date;
}

/** Makes the listener that the S3 server calls for each new object in any bucket. */
export function eventRelay({ inputBucket, region, send, now = () => new Date() }: EventRelayOptions) {
  return (created: ObjectCreated): void => {
    if (!matchesInboxRule(created, inputBucket)) return;
    const requestId = randomBytes(8).toString('hex').toUpperCase();
    send(
      JSON.stringify(objectCreatedEvent(created, { region, time: now(), eventId: randomUUID(), requestId })),
    );
  };
}
