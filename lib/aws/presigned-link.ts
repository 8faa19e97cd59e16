/** Presigned links: they grant read access to one object for a limited time. */
import { GetObjectCommand, type S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Longest lifetime of a link in seconds: seven days, a limit of Signature Version 4. */
export const MAX_LINK_SECONDS = 604_800;

export interface PresignedLink {
  readonly url: string;
  /** Expiry, by the clock of this machine. */
  readonly expiresAt: Date;
  /**
   * The limit of its lifetime: the requested `lifetime`, or the temporary `credentials` that sign it if they expire
   * earlier; `unknown` for temporary credentials without an expiry date.
   */
  readonly endsBy: 'lifetime' | 'credentials' | 'unknown';
}

/**
 * A link to an object's newest version.
 *
 * @param lifetimeSeconds from 1 to `MAX_LINK_SECONDS`
 */
export async function presignedLink(
  s3: S3,
  bucket: string,
  key: string,
  lifetimeSeconds: number,
  now: Date = new Date(),
): Promise<PresignedLink> {
  const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket: bucket, Key: key }), {
    expiresIn: lifetimeSeconds,
    signingDate: now,
  });
  const { expiration, sessionToken } = await s3.config.credentials();
  const requested = new Date(now.getTime() + lifetimeSeconds * 1000);
  if (expiration !== undefined && expiration < requested) {
    return { url, expiresAt: expiration, endsBy: 'credentials' };
  }
  const isKnown = sessionToken === undefined || expiration !== undefined;
  return { url, expiresAt: requested, endsBy: isKnown ? 'lifetime' : 'unknown' };
}
