/** Results of function invocations, and the errors that Lambda itself reports, with Lambda's types and wording. */

/** An error in the Runtime API's format. */
export interface FunctionError {
  /** Error name: the function's own (`TypeError`), or one of Lambda's (`Runtime.OutOfMemory`). */
  readonly errorType: string;
  readonly errorMessage: string;
  /** Stack trace, if the function itself threw. */
  readonly trace?: readonly string[];
}

interface InvocationFacts {
  readonly requestId: string;
  /** From receiving the event to the response; 0 if the function never received it. */
  readonly durationMs: number;
  /** Whether the child process was started for this invocation. */
  readonly coldStart: boolean;
  /** Peak resident memory of the child so far, in bytes; 0 if it never ran. */
  readonly maxMemoryBytes: number;
}

/** The function's payload, or an error: thrown by the function, or reported about it. */
export type InvocationResult = InvocationFacts &
  ({ readonly ok: true; readonly payload: unknown } | { readonly ok: false; readonly error: FunctionError });

/** Largest event in bytes, inclusive, as for a synchronous invocation. */
export const MAX_REQUEST_BYTES = 6_291_456;

/** Largest response in bytes, inclusive: Lambda allows it 100 bytes more than the event. */
export const MAX_RESPONSE_BYTES = 6_291_556;

/** The error of an event over {@link MAX_REQUEST_BYTES}; the function never sees it. */
export function requestTooLarge(bytes: number): FunctionError {
  return {
    errorType: 'RequestTooLargeException',
    errorMessage: `Request must be smaller than ${MAX_REQUEST_BYTES} bytes for the InvokeFunction operation; this one has ${bytes} bytes`,
  };
}

export function responseTooLarge(bytes: number): FunctionError {
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
  };
}

/** The error of a response that is not JSON; a runtime that serialises its responses cannot cause it. */
export function responseUnreadable(reason: string): FunctionError {
  return { errorType: 'Runtime.InvalidResponse', errorMessage: `The response is not JSON: ${reason}` };
}

export function timedOut(requestId: string, timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  };
}

export function initTimedOut(timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Error: Init timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  };
}

export function outOfMemory(memoryMb: number, residentBytes: number): FunctionError {
  return {
    errorType: 'Runtime.OutOfMemory',
    errorMessage: `Error: Runtime exited with error: signal: killed. It used ${Math.ceil(residentBytes / 2 ** 20)} MB of memory; its limit is ${memoryMb} MB`,
  };
}

/** The error of a child that exited or was ended by a signal that the host did not send. */
export function runtimeExited(code: number | null, signal: string | null): FunctionError {
  let how = 'Runtime exited without providing a reason';
  if (signal !== null) how = `Runtime exited with error: signal: ${signal}`;
  else if (code !== 0) how = `Runtime exited with error: exit status ${code}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `Error: ${how}` };
}

/** The error of an invocation that was waiting or running when the host was closed. Not one of Lambda's. */
export function hostClosed(): FunctionError {
  return {
    errorType: 'Host.Closed',
    errorMessage: 'The function host was closed before the function answered',
  };
}
