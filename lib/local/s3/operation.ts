/** Input and output of operations: the interface between the server and the operations. */
import type { RawBody } from './body.ts';
import type { Bucket, StoredVersion } from './catalog.ts';
import { accessDenied } from './errors.ts';
import type { Storage } from './storage.ts';

/** The operation that created an object, as named in S3's events. */
export type CreationReason = 'PutObject' | 'CompleteMultipartUpload' | 'CopyObject';

/** One request with a verified signature. */
export interface OperationCall extends RawBody {
  readonly storage: Storage;
  readonly region: string;
  /** Whether the caller may do something; a policy denies the rest. @param resource ARN */
  readonly isAllowed: (action: string, resource: string) => boolean;
  /** The content security policy of an object that browsers show; all others are saved. */
  readonly policyOf: (bucket: string, key: string) => string | undefined;
  /** To be called after an object is created, before the response. */
  readonly onCreated: (bucket: Bucket, key: string, version: StoredVersion, reason: CreationReason) => void;
}

/** Stored bytes that are held for a response. */
export interface HeldBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** To be called once, after the last read. */
  readonly release: () => void;
}

/** A response; the server omits the body for HEAD requests. */
export interface S3Response {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A document, or bytes with their number in `content-length`. */
  readonly body?: string | HeldBytes;
}

export function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}

export function objectArn(bucket: string, key: string): string {
  return `${bucketArn(bucket)}/${key}`;
}

/** Two actions have a name of their own for a version that is named. */
export function actionFor(action: string, versionId: string | undefined): string {
  const hasOwnAction = action === 's3:GetObject' || action === 's3:DeleteObject';
  return hasOwnAction && versionId !== undefined ? `${action}Version` : action;
}

/** @throws S3Error AccessDenied */
export function checkAllowed(
  { isAllowed }: Pick<OperationCall, 'isAllowed'>,
  action: string,
  resource: string,
): void {
  if (isAllowed(action, resource)) return;
  throw accessDenied(`The role of this function has no permission for ${action} on ${resource}`);
}
