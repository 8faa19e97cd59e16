/** S3's errors: a status, a code for clients, and a message for people. */
import { document, element } from './xml.ts';

/** A request that S3 would reject; any other error is a defect of this server (500). */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  /** Of the response, such as `x-amz-delete-marker`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'S3Error';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function accessDenied(message = 'Access Denied'): S3Error {
  return new S3Error(403, 'AccessDenied', message);
}

export function invalidArgument(message: string): S3Error {
  return new S3Error(400, 'InvalidArgument', message);
}

export function invalidRequest(message: string): S3Error {
  return new S3Error(400, 'InvalidRequest', message);
}

export function malformedXml(message: string): S3Error {
  return new S3Error(400, 'MalformedXML', message);
}

/** @param what the feature that this server does not have */
export function notImplemented(what: string): S3Error {
  return new S3Error(501, 'NotImplemented', `This server does not implement ${what}`);
}

export function noSuchKey(headers?: Readonly<Record<string, string>>): S3Error {
  return new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', headers);
}

/** The XML document of an error; `resource` is the requested path. */
export function errorDocument({ code, message }: S3Error, resource: string, requestId: string): string {
  return document(
    element('Error', [
      element('Code', code),
      element('Message', message),
      element('Resource', resource),
      element('RequestId', requestId),
    ]),
  );
}
