/** What AWS refuses most often, in one line that says what to do. */
import { CommandError } from '../exit.ts';

/** Advice by the names of the SDK's errors. */
const ADVICE: readonly (readonly [name: RegExp, advice: string])[] = [
  [
    /^CredentialsProviderError$/,
    'there are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with aws sso login',
  ],
  [
    /^(ExpiredToken|ExpiredTokenException|TokenProviderError)$/,
    'the AWS credentials have expired: sign in again (aws sso login), or set new ones',
  ],
  [
    /^(InvalidAccessKeyId|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch)$/,
    'the AWS credentials are not accepted: check AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    /^(AccessDenied|AccessDeniedException|StorePermissionError|Forbidden)$/,
    'access is denied: these credentials may not do that; use those of the account that the stack is in',
  ],
  [/^NoSuchBucket$/, 'there is no such bucket: check --stack, --bucket, and the region (AWS_REGION)'],
  [/^QueueDoesNotExist$/, 'there is no such queue: check --stack or --endpoint, and the region (AWS_REGION)'],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed)$/,
    'the bucket is in another region: set AWS_REGION to it',
  ],
  [/^RequestTimeTooSkewed$/, 'the clock of this machine is wrong: set it, and try again'],
];

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'];

/** Where a bucket is, if S3 says that it is not where it was asked for; also in answers to HEAD, which have no body. */
function regionOfBucket(error: Error): string | undefined {
  const { $metadata, $response } = error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { headers?: Record<string, string> };
  };
  const status = $metadata?.httpStatusCode;
  return status === 301 || status === 400 ? $response?.headers?.['x-amz-bucket-region'] : undefined;
}

/** One clear line for an error of AWS that the user can mend; every other error as it is. */
export function remoteError(error: unknown, doing: string): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const code = (error as NodeJS.ErrnoException).code;
  if (name === 'ValidationError' && message.includes('does not exist')) {
    return new CommandError(
      `${doing}: there is no such stack in this region and account: give its name with --stack, and its region with AWS_REGION`,
      { cause: error },
    );
  }
  if (/region is missing/i.test(message)) {
    return new CommandError(`${doing}: no region is set: set AWS_REGION`, { cause: error });
  }
  const region = regionOfBucket(error);
  if (region !== undefined) {
    return new CommandError(
      `${doing}: the bucket is in the region ${region}, and another one was asked: set AWS_REGION=${region}`,
      { cause: error },
    );
  }
  if (code !== undefined && UNREACHABLE.includes(code)) {
    return new CommandError(`${doing}: nobody answers (${code}): check --endpoint, and the network`, {
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
