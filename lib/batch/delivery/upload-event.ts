/**
 * Parses queue messages about uploads: EventBridge's "Object Created" event, or a plain S3 notification.
 *
 * EventBridge's events contain keys verbatim; plain notifications form-encode them (`+` is a space).
 */
import * as z from 'zod';

/** One uploaded object version. */
export interface Upload {
  readonly bucket: string;
  /** Decoded. */
  readonly key: string;
  /** Omitted for a bucket without versions. */
  readonly versionId?: string;
  readonly bytes?: number;
  readonly etag?: string;
  /** Hexadecimal; orders the events of one key. */
  readonly sequencer?: string;
  /** When the object was created, as the event says. */
  readonly createdAt?: string;
  /** The bulk run that sent the message, if one did. */
  readonly runId?: string;
}

const eventBridgeEvent = z.object({
  source: z.literal('aws.s3'),
  'detail-type': z.string(),
  time: z.string().optional(),
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({
      key: z.string(),
      size: z.number().optional(),
      etag: z.string().optional(),
      'version-id': z.string().optional(),
      sequencer: z.string().optional(),
    }),
  }),
  runId: z.string().optional(),
});

const s3Notification = z.object({
  Records: z.array(
    z.object({
      eventName: z.string(),
      eventTime: z.string().optional(),
      s3: z.object({
        bucket: z.object({ name: z.string() }),
        object: z.object({
          key: z.string(),
          size: z.number().optional(),
          eTag: z.string().optional(),
          versionId: z.string().optional(),
          sequencer: z.string().optional(),
        }),
      }),
    }),
  ),
});

const testEvent = z.object({ Service: z.literal('Amazon S3'), Event: z.literal('s3:TestEvent') });

/** The message is not an event about an upload; it is delivered again, and ends in the dead-letter queue. */
export class UnknownMessageError extends Error {
  override readonly name = 'UnknownMessageError';
}

/** @throws UnknownMessageError if a message's body is not JSON */
export function parseMessage(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new UnknownMessageError(`the message is not JSON: found ${body.slice(0, 200)}`, { cause: error });
  }
}

/**
 * The uploads in a message; none for S3's test event and for other events of objects.
 *
 * @throws UnknownMessageError if it is neither event
 */
export function uploadsInMessage(message: unknown): Upload[] {
  const event = eventBridgeEvent.safeParse(message);
  if (event.success) {
    if (event.data['detail-type'] !== 'Object Created') return [];
    const { bucket, object } = event.data.detail;
    const { key, size, etag, sequencer } = object;
    const versionId = object['version-id'];
    const { time: createdAt, runId } = event.data;
    return [{ bucket: bucket.name, key, versionId, bytes: size, etag, sequencer, createdAt, runId }];
  }
  const notification = s3Notification.safeParse(message);
  if (notification.success) {
    return notification.data.Records.filter(({ eventName }) => /^(s3:)?ObjectCreated:/.test(eventName)).map(
      ({ eventTime, s3: { bucket, object } }) => ({
        bucket: bucket.name,
        key: decodeKey(object.key),
        versionId: object.versionId,
        bytes: object.size,
        etag: object.eTag,
        sequencer: object.sequencer,
        createdAt: eventTime,
      }),
    );
  }
  if (testEvent.safeParse(message).success) return [];
  throw new UnknownMessageError(
    `the message is not an upload event: expected EventBridge's "Object Created" of aws.s3, or an S3 notification with Records; found ${JSON.stringify(message).slice(0, 200)}`,
  );
}

/** @throws UnknownMessageError if a key is not form-encoded UTF-8 */
function decodeKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new UnknownMessageError(
      `the notification has a key that is not encoded: found ${encoded.slice(0, 200)}`,
      { cause: error },
    );
  }
}
