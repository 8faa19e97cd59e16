/** Errors of AWS and of the network as one line each, with advice. */

import { isChecksumMismatch } from '../../aws/resuming-body.ts';
import { RestartError, RetriesExhaustedError } from '../../aws/retries.ts';
import { ForeignAnswerError, isForeignAnswer } from '../../aws/transient-errors.ts';
import { PartsLeftError } from '../../aws/upload-object.ts';
import { ChecksumError } from '../../batch/delivery/result-set.ts';
import { CommandError } from '../exit.ts';
import { secondsText } from '../terminal/quantity-text.ts';

/** An error of a stack or of the network. */
export class RemoteError extends CommandError {
  /** Whether the same command may succeed later. */
  readonly isTemporary: boolean;

  constructor(message: string, cause: unknown, isTemporary = false) {
    super(message, { cause });
    this.isTemporary = isTemporary;
  }
}

/** Whether an error may not occur again if the work is repeated. */
export function isTemporary(error: unknown): boolean {
  return error instanceof RemoteError && error.isTemporary;
}

/** Advice by the names of errors of the SDK, and by the codes of errors of Node. */
const ADVICE: readonly (readonly [name: RegExp, advice: string])[] = [
  [
    /^CredentialsProviderError$/,
    'no AWS credentials found: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with aws sso login',
  ],
  [
    /^(ExpiredToken|ExpiredTokenException|RequestExpired|TokenRefreshRequired|TokenProviderError)$/,
    'the AWS credentials have expired: sign in again (aws sso login), or set new ones',
  ],
  [
    /^(InvalidAccessKeyId|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidToken|InvalidSignatureException|IncompleteSignature|MissingAuthenticationToken)$/,
    'AWS does not accept the credentials: check AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    /^(RequestTimeTooSkewed|RequestInTheFuture)$/,
    'the clock of this machine is wrong: correct it and try again',
  ],
  [
    /^(AccessDenied|AccessDeniedException|StorePermissionError|Forbidden|AllAccessDisabled)$/,
    'access denied: these credentials lack the permission; use credentials of the account of the stack',
  ],
  [/^NoSuchBucket$/, 'the bucket does not exist: check --stack, --bucket, and the region (AWS_REGION)'],
  [
    /^(QueueDoesNotExist|AWS\.SimpleQueueService\.NonExistentQueue)$/,
    'the queue does not exist: check --stack or --endpoint, and the region (AWS_REGION)',
  ],
  [
    /^StateMachineDoesNotExist$/,
    'the state machine does not exist: check --stack or --endpoint, and the region (AWS_REGION)',
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'the bucket is in another region: set AWS_REGION to that region',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'the name of the server was not found: check --endpoint, the region and the network',
  ],
  [
    /^(EPROTO|ERR_SSL_.*)$/,
    'the server does not speak TLS here: check --endpoint, whose scheme may have to be http://',
  ],
  [/^HPE_/, 'the server does not speak HTTP here: check --endpoint, its scheme and its port'],
  [
    /^(CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    'the certificate of the server is not trusted: check --endpoint and the clock; NODE_EXTRA_CA_CERTS names further authorities',
  ],
];

const UNREACHABLE = ['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETDOWN'];
const BROKEN = ['ETIMEDOUT', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

const CHECK = 'check --endpoint and the network';

interface RemoteFailure extends Error {
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Record<string, string> };
}

/**
 * Converts an error of AWS or of the network into one line, and returns every other error unchanged.
 *
 * @param doing the failed action, such as `uploading a.txt`
 */
export function remoteError(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error;
  if (error instanceof RetriesExhaustedError) {
    const times = error.tries === 1 ? '' : ` (${error.tries} tries in ${secondsText(error.seconds)})`;
    const reason = reasonOf(error.cause as RemoteFailure) ?? error.message;
    return new RemoteError(`${doing}: ${reason}${times}`, error, true);
  }
  if (error instanceof PartsLeftError || error instanceof RestartError)
    return remoteError(error.cause, doing);
  if (error instanceof ChecksumError || isChecksumMismatch(error)) {
    return new RemoteError(`${doing}: the data arrived damaged: ${CHECK}`, error, true);
  }
  const reason = reasonOf(error);
  return reason === undefined ? error : new RemoteError(`${doing}: ${reason}`, error, isBroken(error));
}

/** Reports that a request fails and is repeated. */
export function outageText(error: unknown, leftSeconds: number): string {
  const failure = error as RemoteFailure;
  const reason = (reasonOf(failure) ?? failure.message).replace(/: check .*/, '');
  return `${reason}; trying again for ${secondsText(leftSeconds)} (--retry-for)`;
}

function reasonOf(error: RemoteFailure): string | undefined {
  const { name, message } = error;
  const { code } = error;
  if (name === 'ValidationError' && message.includes('does not exist')) {
    return 'no such stack in this region and account: give its name with --stack and its region with AWS_REGION';
  }
  if (/region is missing/i.test(message)) return 'no region is set: set AWS_REGION';
  const region = regionOfBucket(error);
  if (region !== undefined) return `the bucket is in another region: set AWS_REGION=${region}`;
  // The store says which permission is missing; its cause may be another reason, such as expired credentials.
  const names = error.name === 'StorePermissionError' ? [(error.cause as Error).name, name] : [name];
  const adviceOn = (each: string) => ADVICE.find(([pattern]) => pattern.test(each))?.[1];
  const advice = names.map(adviceOn).find(Boolean);
  if (advice !== undefined) return advice;
  if (typeof code === 'string') {
    if (UNREACHABLE.includes(code)) return `no answer (${code}): ${CHECK}`;
    const found = adviceOn(code);
    if (found !== undefined) return `${found} (${code})`;
  }
  if (isBroken(error))
    return `the connection broke, or no answer came in time: check --endpoint, and the network`;
  return answerText(error);
}

/** Whether the connection broke or timed out. The SDK gives broken connections the name of timeouts. */
function isBroken({ name, code }: RemoteFailure): boolean {
  return name === 'TimeoutError' || (typeof code === 'string' && BROKEN.includes(code));
}

/** Describes an answer that has no advice of its own; undefined if the error is not one of an answer. */
function answerText(error: RemoteFailure): string | undefined {
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  if (error instanceof ForeignAnswerError) return `the server does not answer as S3 does: ${CHECK}`;
  if (status === undefined) {
    return error instanceof SyntaxError ? `the answer is not one of a stack: ${CHECK}` : undefined;
  }
  const known = /^(\d+|Error|UnknownError|Unknown)$/.test(error.name) ? '' : ` ${error.name}`;
  if (status === 429 || status >= 500) return `the service is overloaded or fails (${status}${known})`;
  if (isForeignAnswer(error)) return `the server answered ${status}, but not as S3 does: check --endpoint`;
  const text = /^(UnknownError|Unknown)?$/.test(error.message) ? '' : `, ${error.message}`;
  return `the server answered ${status}${known}${text}: check --endpoint, the bucket and the credentials`;
}

/** The region of a bucket that was requested in the wrong region. Read from a header, because HEAD has no body. */
function regionOfBucket({ $metadata, $response }: RemoteFailure): string | undefined {
  const status = $metadata?.httpStatusCode;
  return status === 301 || status === 400 ? $response?.headers?.['x-amz-bucket-region'] : undefined;
}
