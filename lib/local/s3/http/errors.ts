/** S3's errors: a code for clients, an HTTP status, and a human-readable message. */

import { element, errorDocument } from './xml.ts';

const STATUS_OF_CODE = {
  AccessControlListNotSupported: 400,
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  ConditionalRequestConflict: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketAclWithObjectOwnership: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartNumber: 416,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MalformedXML: 400,
  MaxMessageLengthExceeded: 400,
  MaxPostPreDataLengthExceeded: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MisdirectedRequest: 421,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NotImplemented: 501,
  NotModified: 304,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const;

/** The message of S3 for a header that it does not implement either. */
export const UNSUPPORTED_HEADER = 'A header you provided implies functionality that is not implemented';

export type S3ErrorCode = keyof typeof STATUS_OF_CODE;

/** Optional parts of an error response. */
export interface S3ErrorDetails {
  /** Further elements of the error document, such as `{ Key: 'a' }`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Headers of the response, such as `x-amz-delete-marker`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that S3 would reject; any other error is a defect of this server (500). */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3ErrorCode, message: string, details: S3ErrorDetails = {}) {
    super(message);
    this.name = 'S3Error';
    this.code = code;
    this.status = STATUS_OF_CODE[code];
    this.fields = details.fields ?? {};
    this.headers = details.headers ?? {};
  }
}

/** The error of a parameter, header or field with an invalid value. */
export function invalidArgument(message: string, name: string, value: string): S3Error {
  return new S3Error('InvalidArgument', message, { fields: { ArgumentName: name, ArgumentValue: value } });
}

/** The XML document of an error; `resource` is the requested path. */
export function s3ErrorDocument(error: S3Error, resource: string, requestId: string): string {
  return errorDocument([
    element('Code', error.code),
    element('Message', error.message),
    ...Object.entries(error.fields).map(([name, value]) => element(name, value)),
    element('Resource', resource),
    element('RequestId', requestId),
  ]);
}
