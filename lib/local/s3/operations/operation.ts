/** Input and output of operations: the interface between the server and the operations. */

import type { BodyReader } from '../http/body/request-body.ts';
import type { S3Request } from '../http/request.ts';
import type { Bucket, StoredVersion } from '../storage/catalog.ts';
import type { Storage } from '../storage/storage.ts';

/** The operation that created an object, as named in S3's events. */
export type CreationReason = 'PutObject' | 'CompleteMultipartUpload' | 'CopyObject' | 'PostObject';

/** Settings of the server that affect responses. */
export interface OperationSettings {
  readonly region: string;
  /** Whether the caller may do something; a policy denies the rest. @param resource ARN */
  readonly isAllowed: (action: string, resource: string) => boolean;
  /** Whether an object is a report, which browsers show in a sandbox. */
  readonly isReport: (bucket: string, key: string) => boolean;
  /** Whether a bucket sends its events to EventBridge. */
  readonly sendsEvents: (bucket: string) => boolean;
}

/** One request with a verified signature. */
export interface OperationCall {
  readonly request: S3Request;
  /** Empty for the operations of the service. */
  readonly bucketName: string;
  /** Empty for the operations of a bucket. */
  readonly key: string;
  readonly body: BodyReader;
  readonly storage: Storage;
  readonly settings: OperationSettings;
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
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An XML document, or bytes with their number in `content-length`. */
  readonly body?: string | HeldBytes;
}
