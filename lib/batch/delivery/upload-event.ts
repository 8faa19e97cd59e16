/** Parses queue messages about uploads: EventBridge's "Object Created" event, which contains the key verbatim. */
import * as z from 'zod';
import type { InputIdentity } from './manifest.ts';

/** One uploaded object version. */
export interface Upload extends Omit<InputIdentity, 'versionId'> {
  /** Omitted for a bucket without versions. */
  readonly versionId?: string;
  /** When the object was created, as the event says. */
  readonly createdAt?: string;
  /** The bulk run that sent the message, if one did. */
  readonly runId?: string;
}

const objectEvent = z.object({
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
 * The upload that a message reports; undefined for other events of objects.
 *
 * @throws UnknownMessageError if it is no event of an object
 */
export function uploadInMessage(message: unknown): Upload | undefined {
  const event = objectEvent.safeParse(message);
  if (!event.success) {
    throw new UnknownMessageError(
      `the message is not an upload event: expected EventBridge's "Object Created" of aws.s3; ` +
        `found ${JSON.stringify(message).slice(0, 200)}. A bucket that notifies the queue itself must send its events to EventBridge instead`,
    );
  }
  const { 'detail-type': type, time: createdAt, detail, runId } = event.data;
  if (type !== 'Object Created') return undefined;
  const { key, size: bytes, etag, 'version-id': versionId, sequencer } = detail.object;
  return { bucket: detail.bucket.name, key, versionId, bytes, etag, sequencer, createdAt, runId };
}
