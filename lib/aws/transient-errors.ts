/** Errors of requests that are likely to pass: broken connections, time-outs, overload. */

const NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'RequestTimeout',
  'RequestTimeoutException',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'KMSThrottlingException',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
  'ConditionalRequestConflict',
  'IncompleteBody',
]);

const CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** 501 and 505 say that the server does not support the request. */
const PERMANENT_SERVER_STATUSES: readonly number[] = [501, 505];

interface RequestError extends Error {
  readonly code?: unknown;
  readonly $metadata?: {
    readonly httpStatusCode?: number;
    readonly requestId?: string;
    readonly clockSkewCorrected?: boolean;
  };
  readonly $response?: unknown;
}

/** Whether a repeated request may succeed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'AbortError') return false;
  const { name, code, $metadata: { httpStatusCode: status = 0 } = {} } = error as RequestError;
  if (status === 408 || status === 429) return true;
  if (status >= 500 && !PERMANENT_SERVER_STATUSES.includes(status)) return true;
  return NAMES.has(name) || (typeof code === 'string' && CODES.has(code));
}

/** Whether an object changed between the requests that read it. */
export function isChangedObject(error: unknown): boolean {
  const { httpStatusCode: status = 0 } = (error as Partial<RequestError>).$metadata ?? {};
  return status === 412 || status === 416;
}

/** Whether the clock of this machine was wrong. The SDK signs the next request by the clock of the service. */
export function isClockCorrected(error: unknown): boolean {
  return (error as Partial<RequestError>).$metadata?.clockSkewCorrected === true;
}

/** An answer that is not one of the service. */
export class ForeignAnswerError extends Error {
  override readonly name = 'ForeignAnswerError';
}

/** Whether the answer was not one of the service: no HTTP, no TLS, or a page of another server. */
export function isForeignAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ForeignAnswerError || /XML parse error|Deserialization error/.test(error.message))
    return true;
  const {
    code,
    $metadata: { httpStatusCode: status = 0, requestId } = {},
    $response,
  } = error as RequestError;
  // S3 names its redirects to another region; others lead to the sign-in page of a network.
  if ([301, 302, 303, 307, 308].includes(status) && requestId === undefined) return true;
  if (typeof code === 'string' && /^(HPE_|ERR_SSL_|EPROTO$)/.test(code)) return true;
  const isRead = status === 0 && $response !== undefined;
  return error instanceof SyntaxError || isRead || (status >= 200 && status < 300);
}
