/** Results of function invocations, and errors that Lambda itself reports, with Lambda's types and wording. */

/** An error in the Runtime API's format. */
export interface FunctionError {
  /** Error name: the function's own (`TypeError`), or one of Lambda's (`Runtime.OutOfMemory`). */
  readonly errorType: string;
  readonly errorMessage: string;
  /** Stack trace, if the function itself threw. */
  readonly trace?: readonly string[];
}

/** The function's payload, or an error: thrown by the function, or reported about it. */
export type InvocationOutcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: FunctionError };

export type InvocationResult = { readonly requestId: string } & InvocationOutcome;

export function timedOut(requestId: string, timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
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
export const HOST_CLOSED: FunctionError = {
  errorType: 'Host.Closed',
  errorMessage: 'The function host was closed before the function answered',
};
