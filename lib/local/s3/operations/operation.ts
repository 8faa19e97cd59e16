/** What an operation gets and gives: the terms between the server and the operations. */

import type { BodyReader } from '../http/body/request-body.ts';
import type { S3Request } from '../http/request.ts';
import type { Bucket, StoredVersion } from '../storage/catalog.ts';
import type { Storage } from '../storage/storage.ts';

/** Which kind of request made an object, in the words of S3's events. */
export type CreationReason = 'PutObject' | 'CompleteMultipartUpload' | 'CopyObject' | 'PostObject';

/** How the server answers, beyond what its data says. */
export interface OperationSettings {
  readonly region: string;
  /** Answer 403 for a missing key, as S3 does to a caller without `s3:ListBucket`. */
  readonly missingKeyIsForbidden: boolean;
}

/** One request whose signature was found right. */
export interface OperationCall {
  readonly request: S3Request;
  /** Empty for the operations of the service. */
  readonly bucketName: string;
  /** Empty for the operations of a bucket. */
  readonly key: string;
  readonly body: BodyReader;
  readonly storage: Storage;
  readonly settings: OperationSettings;
  /** To be called once an object is there, before the answer. */
  readonly onCreated: (bucket: Bucket, key: string, version: StoredVersion, reason: CreationReason) => void;
}

/** Stored bytes on their way out. */
export interface HeldBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** To be called once, when no more of them is read. */
  readonly release: () => void;
}

/** An answer; the body of a HEAD request's answer is left out by the server. */
export interface S3Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An XML document, or bytes whose number stands in `content-length`. */
  readonly body?: string | HeldBytes;
}
