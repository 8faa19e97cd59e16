/** The most frequent AWS errors as one line each, with advice. */
import { CommandError } from '../exit.ts';

/** Advice by the SDK's error names. */
const ADVICE: readonly (readonly [name: RegExp, advice: string])[] = [
  [
    /^CredentialsProviderError$/,
    'no AWS credentials found: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with aws sso login',
  ],
  [
    /^(ExpiredToken|ExpiredTokenException|TokenProviderError)$/,
    'the AWS credentials have expired: sign in again (aws sso login), or set new ones',
  ],
  [
    /^(InvalidAccessKeyId|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch)$/,
    'AWS does not accept the credentials: check AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    /^(AccessDenied|AccessDeniedException|StorePermissionError|Forbidden)$/,
    'access denied: these credentials lack the permission; use credentials of the account of the stack',
  ],
  [/^NoSuchBucket$/, 'the bucket does not exist: check --stack, --bucket, and the region (AWS_REGION)'],
  [
    /^QueueDoesNotExist$/,
    'the queue does not exist: check --stack or --endpoint, and the region (AWS_REGION)',
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed)$/,
    'the bucket is in another region: set AWS_REGION to that region',
  ],
  [/^RequestTimeTooSkewed$/, 'the clock of this machine is wrong: correct it and try again'],
];

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'];

/** The region of a bucket that was requested in the wrong region. Read from a header, because HEAD has no body. */
function regionOfBucket(error: Error): string | undefined {
  const { $metadata, $response } = error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { headers?: Record<string, string> };
  };
  const status = $metadata?.httpStatusCode;
  return status === 301 || status === 400 ? $response?.headers?.['x-amz-bucket-region'] : undefined;
}

/**
 * Converts an AWS error that the user can fix into a CommandError of one line, and returns every other error unchanged.
 *
 * @param doing the failed action, such as `uploading a.txt`
 */
export function remoteError(error: unknown, doing: string): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const code = (error as NodeJS.ErrnoException).code;
  if (name === 'ValidationError' && message.includes('does not exist')) {
    return new CommandError(
      `${doing}: no such stack in this region and account: give its name with --stack and its region with AWS_REGION`,
      { cause: error },
    );
  }
  if (/region is missing/i.test(message)) {
    return new CommandError(`${doing}: no region is set: set AWS_REGION`, { cause: error });
  }
  const region = regionOfBucket(error);
  if (region !== undefined) {
    return new CommandError(`${doing}: the bucket is in another region: set AWS_REGION=${region}`, {
      cause: error,
    });
  }
  if (code !== undefined && UNREACHABLE.includes(code)) {
    return new CommandError(`${doing}: no answer (${code}): check --endpoint and the network`, {
      cause: error,
    });
  }
  // The SDK gives broken connections the same name.
  if (name === 'TimeoutError') {
    return new CommandError(
      `${doing}: the connection broke, or no answer came in time: check --endpoint, and the network`,
      { cause: error },
    );
  }
  const advice = ADVICE.find(([pattern]) => pattern.test(name))?.[1];
  return advice === undefined ? error : new CommandError(`${doing}: ${advice}`, { cause: error });
}
