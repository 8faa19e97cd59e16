/** S3 clients: from the environment, or for a given endpoint. */
import { S3 } from '@aws-sdk/client-s3';
import { S3Handler } from './s3-handler.ts';
import { TIMEOUTS } from './timeouts.ts';

/** An S3 endpoint other than AWS, with its credentials. */
export interface S3Endpoint {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string;
}

export type S3Client = S3;

/** A client for AWS, with region and credentials from the environment. */
export function s3Client(timeouts = TIMEOUTS): S3Client {
  return new S3({ requestHandler: new S3Handler(timeouts) });
}

/** A client for a given endpoint, with bucket names in the path. */
export function s3ClientFor({ endpoint, region, ...signer }: S3Endpoint, timeouts = TIMEOUTS): S3 {
  const { accessKeyId, secretAccessKey, sessionToken } = signer;
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  const requestHandler = new S3Handler(timeouts);
  return new S3({ endpoint, region, forcePathStyle: true, credentials, requestHandler });
}
