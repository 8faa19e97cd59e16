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
  return withRetries(new S3({ requestHandler: new S3Handler(timeouts), ...triesOf(retries) }), retries);
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
  const settings = { endpoint, region, forcePathStyle: true, credentials, ...triesOf(retries) };
  return withRetries(new S3({ ...settings, requestHandler }), retries);
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

/** The SDK does not repeat requests if `retries` do. */
function triesOf(retries: Retries | undefined): Pick<S3ClientConfig, 'maxAttempts'> {
  return retries === undefined ? {} : { maxAttempts: 1 };
}

function withRetries(s3: S3, retries: Retries | undefined): S3 {
  if (retries === undefined) return s3;
  const send = s3.send.bind(s3) as Send;
  const repeated: Send = (command, options) => {
    if (SENT_ONCE.includes(command.constructor.name)) return send(command, options);
    const isPart = command.constructor.name === 'UploadPartCommand';
    const abortSignal = isPart ? retries.lateSignal : retries.signal;
    return retries.request(() => send(command, { abortSignal, ...options }));
  };
  return Object.assign(s3, { send: repeated });
}
