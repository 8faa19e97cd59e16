/**
 * Presigned uploads: a URL to which one file is PUT, for a limited time, under one key and with one set of metadata. The
 * signature covers `content-length`, so the file has the size that was announced. Source: "Authenticating Requests: Using
 * Query Parameters (AWS Signature Version 4)", Amazon S3 API Reference.
 */
import { PutObjectCommand, S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Largest object that S3 accepts in one request, in bytes, inclusive. */
export const MAX_PUT_BYTES = 5 * 1024 ** 3;

/** The upload that a URL allows. */
export interface UploadPermission {
  readonly bucket: string;
  readonly key: string;
  /** User metadata, names without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The size of the file, at most `MAX_PUT_BYTES`. */
  readonly bytes: number;
}

/**
 * A URL for one upload. It does not reveal the secret key.
 *
 * @param lifetimeSeconds from 1 up; an upload that has begun by then may end later
 */
export async function presignedUpload(
  s3: S3,
  { bucket, key, metadata, bytes }: UploadPermission,
  lifetimeSeconds: number,
  now: Date = new Date(),
): Promise<string> {
  // By default the SDK would sign the checksum of an empty body.
  const { region, credentials, endpoint, forcePathStyle, requestHandler } = s3.config;
  const signer = new S3({
    region,
    credentials,
    endpoint,
    forcePathStyle,
    requestHandler,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Metadata: metadata,
    ContentLength: bytes,
  });
  return getSignedUrl(signer, command, { expiresIn: lifetimeSeconds, signingDate: now });
}
