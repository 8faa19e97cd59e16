/**
 * Presigned forms: they allow the upload of one object for a limited time, by Signature Version 4 over a policy instead
 * of a request.
 *
 *     { "expiration": "2025-03-01T12:10:00.000Z",
 *       "conditions": [ {"bucket":"in"}, {"key":"inbox/a.txt"}, {"x-amz-meta-dlx-engine":"bitboard"}, ...,
 *                       ["content-length-range",0,1000000] ] }
 *
 * The policy allows exactly this key and these fields with these values. Source: "Authenticating Requests in
 * Browser-Based Uploads Using POST", Amazon S3 API Reference.
 */
import { createHmac } from 'node:crypto';
import type { S3 } from '@aws-sdk/client-s3';

/** Largest file that S3 accepts from a form, in bytes, inclusive. */
export const MAX_POST_BYTES = 5 * 1024 ** 3;

/** The upload that a form allows. */
export interface PostPermission {
  readonly bucket: string;
  readonly key: string;
  /** User metadata, names without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Largest file, in bytes, inclusive; at most `MAX_POST_BYTES`. */
  readonly maxBytes: number;
}

export interface PresignedPost {
  /** All fields of the form except `file`, which must follow them. */
  readonly fields: Readonly<Record<string, string>>;
  /** Expiry, by the clock of this machine; an upload that has begun by then may end later. */
  readonly expiresAt: Date;
}

/**
 * A form for one object. It does not reveal the secret key.
 *
 * @param lifetimeSeconds from 1 up
 */
export async function presignedPost(
  s3: S3,
  { bucket, key, metadata, maxBytes }: PostPermission,
  lifetimeSeconds: number,
  now: Date = new Date(),
): Promise<PresignedPost> {
  const { accessKeyId, secretAccessKey, sessionToken } = await s3.config.credentials();
  const timestamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = [timestamp.slice(0, 8), await s3.config.region(), 's3', 'aws4_request'];
  const signed: Record<string, string> = {
    key,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': [accessKeyId, ...scope].join('/'),
    'x-amz-date': timestamp,
  };
  if (sessionToken !== undefined) signed['x-amz-security-token'] = sessionToken;
  for (const [name, value] of Object.entries(metadata)) signed[`x-amz-meta-${name}`] = value;
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000);
  const document = {
    expiration: expiresAt.toISOString(),
    conditions: [
      { bucket },
      ...Object.entries(signed).map(([name, value]) => ({ [name]: value })),
      ['content-length-range', 0, maxBytes],
    ],
  };
  const policy = Buffer.from(JSON.stringify(document)).toString('base64');
  const signature = createHmac('sha256', deriveSigningKey(secretAccessKey, scope.join('/')))
    .update(policy)
    .digest('hex');
  return { fields: { ...signed, policy, 'x-amz-signature': signature }, expiresAt };
}

/** The key of Signature Version 4 for a day, region and service. @param scope `20250301/us-east-1/s3/aws4_request` */
export function deriveSigningKey(secretAccessKey: string, scope: string): Buffer {
  return scope
    .split('/')
    .reduce<Buffer>(
      (key, step) => createHmac('sha256', key).update(step).digest(),
      Buffer.from(`AWS4${secretAccessKey}`),
    );
}
