/** S3 clients: from the environment, or for an endpoint of one's own. */
import { S3 } from '@aws-sdk/client-s3';

/** An S3 endpoint that is not AWS, and who signs there. */
export interface S3Endpoint {
  /** URL. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
}

export type S3Client = S3;

/** A client for AWS: region and credentials from the environment. */
export function s3Client(): S3Client {
  return new S3({});
}

/** A client for an endpoint of one's own, with bucket names in the path. */
export function s3ClientFor({ endpoint, region, ...signer }: S3Endpoint): S3 {
  const { accessKeyId, secretAccessKey, sessionToken } = signer;
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  return new S3({ endpoint, region, forcePathStyle: true, credentials });
}
