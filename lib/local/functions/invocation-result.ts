/**
 * What one invocation of a function came to, and the errors that Lambda itself reports: their types and
 * wordings are Lambda's, so that whatever reads them (queue, command line, tests) sees what it would see there.
 */

/** An error as the Runtime API carries it. */
export interface FunctionError {
  /** Name of the error: the function's own (`TypeError`), or one of Lambda's (`Runtime.OutOfMemory`). */
  readonly errorType: string;
  readonly errorMessage: string;
  /** Lines of the stack, where the function itself threw. */
  readonly trace?: readonly string[];
}

interface InvocationFacts {
  readonly requestId: string;
  /** From handing the event over to the answer; 0 where the function never got the event. */
  readonly durationMs: number;
  /** Whether the child process was started for this invocation. */
  readonly coldStart: boolean;
  /** Largest resident memory of the child so far, in bytes; 0 where it never ran. */
  readonly maxMemoryBytes: number;
}

/** An answer, or an error: thrown by the function, or reported about it. */
export type InvocationResult = InvocationFacts &
  ({ readonly ok: true; readonly payload: unknown } | { readonly ok: false; readonly error: FunctionError });

/** Largest event in bytes, inclusive, as for a synchronous invocation. */
export const MAX_REQUEST_BYTES = 6_291_456;

/** Largest answer in bytes, inclusive: Lambda grants it 100 bytes more than the event. */
export const MAX_RESPONSE_BYTES = 6_291_556;

/** The error of an event over {@link MAX_REQUEST_BYTES}; the function never sees it. */
export function requestTooLarge(bytes: number): FunctionError {
  return {
    errorType: 'RequestTooLargeException',
    errorMessage: `Request must be smaller than ${MAX_REQUEST_BYTES} bytes for the InvokeFunction operation, and this one has ${bytes}`,
  };
}

/** The error of an answer over {@link MAX_RESPONSE_BYTES}. */
export function responseTooLarge(bytes: number): FunctionError {
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
  };
}

/** The error of an answer that is not JSON; a runtime that serialises its answers cannot cause it. */
export function responseUnreadable(reason: string): FunctionError {
  return { errorType: 'Runtime.InvalidResponse', errorMessage: `The answer is not JSON: ${reason}` };
}

/** The error of a handler that was killed because its time was up. */
export function timedOut(requestId: string, timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  };
}

/** The error of a child that was killed because it did not get ready in time. */
export function initTimedOut(timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Error: Init timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  };
}

/** The error of a child that was killed because it took more memory than it has. */
export function outOfMemory(memoryMb: number, residentBytes: number): FunctionError {
  return {
    errorType: 'Runtime.OutOfMemory',
    errorMessage: `Error: Runtime exited with error: signal: killed. It held ${Math.ceil(residentBytes / 2 ** 20)} MB of memory and has ${memoryMb} MB`,
  };
}

/** The error of a child that ended by itself, by its exit code or the signal that ended it. */
export function runtimeExited(code: number | null, signal: string | null): FunctionError {
  let how = 'Runtime exited without providing a reason';
  if (signal !== null) how = `Runtime exited with error: signal: ${signal}`;
  else if (code !== 0) how = `Runtime exited with error: exit status ${code}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `Error: ${how}` };
}

/** The error of an invocation that was still waiting or running when the host was closed. Not one of Lambda's. */
export function hostClosed(): FunctionError {
  return {
    errorType: 'Host.Closed',
    errorMessage: 'The function host was closed before the function answered',
  };
}
