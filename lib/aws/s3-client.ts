/** S3 clients: from the environment, or for a given endpoint. */
import { S3, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { Retries } from './retries.ts';
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

/**
 * A client for AWS, with region and credentials from the environment.
 *
 * @param retries instead of those of the SDK
 */
export function s3Client(timeouts = TIMEOUTS, retries?: Retries): S3Client {
  return withRetries({ requestHandler: new S3Handler(timeouts) }, retries);
}

/** A client for a given endpoint, with bucket names in the path. @param retries instead of those of the SDK */
export function s3ClientFor(
  { endpoint, region, ...signer }: S3Endpoint,
  timeouts = TIMEOUTS,
  retries?: Retries,
): S3 {
  const { accessKeyId, secretAccessKey, sessionToken } = signer;
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  const requestHandler = new S3Handler(timeouts);
  return withRetries({ endpoint, region, forcePathStyle: true, credentials, requestHandler }, retries);
}

type Send = (
  command: Parameters<S3['send']>[0],
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<unknown>;

/** Requests with these names are not repeated here: `upload-object.ts` repeats them with care. */
const SENT_ONCE: readonly string[] = [
  'PutObjectCommand',
  'CreateMultipartUploadCommand',
  'AbortMultipartUploadCommand',
];

function withRetries(config: S3ClientConfig, retries: Retries | undefined): S3 {
  if (retries === undefined) return new S3(config);
  const s3 = new S3({ ...config, maxAttempts: 1 });
  const send = s3.send.bind(s3) as Send;
  const repeated: Send = (command, options) => {
    if (SENT_ONCE.includes(command.constructor.name)) return send(command, options);
    return retries.request(() => send(command, { abortSignal: retries.signal, ...options }));
  };
  return Object.assign(s3, { send: repeated });
}
