/** The port to the state machine for large jobs; hands a job to it exactly once. */

export interface ExecutionState {
  readonly status: 'running' | 'succeeded' | 'failed';
  /** Whether it can continue from the step that failed. */
  readonly redrivable: boolean;
  /** As given to `start`. */
  readonly input?: string;
  /** Of a failed execution: its error and cause, if it has any. */
  readonly cause?: string;
}

/** The error of an execution and its cause, as one text; either may be missing. */
export function failureText(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter((text) => text !== undefined && text !== null && text !== '').join(': ');
}

/** Executions of one state machine. */
export interface Executions {
  /**
   * @returns whether the execution runs, started now or earlier with the same input; false if one of that name has ended
   *   or has another input
   */
  start(name: string, input: string): Promise<boolean>;
  /** Undefined if there is no execution of that name. */
  describe(name: string): Promise<ExecutionState | undefined>;
  /** @returns whether this call has redriven it; false if another call has, or if it can no longer be redriven */
  redrive(name: string): Promise<boolean>;
}

export interface HandOverResult {
  /** Name of the execution of the job. */
  readonly execution: string;
  /** `started`: by this delivery or an earlier one. `ended`: it has succeeded, nothing is left to do. */
  readonly how: 'started' | 'running' | 'redriven' | 'ended';
}

/** Maximum number of executions of one job, which only a defect can reach. */
const MAX_EXECUTIONS = 100;

/**
 * Hands a job to the state machine, also after earlier deliveries: a running execution continues, a failed one is
 * redriven, and if it can no longer be redriven, a new one starts.
 *
 * @param isFinished whether the job's outcome exists: that of a succeeded execution may have been deleted since
 * @throws Error if no execution can be started or redriven
 */
export async function handOver(
  executions: Executions,
  jobId: string,
  input: string,
  isFinished: () => Promise<boolean>,
): Promise<HandOverResult> {
  for (let number = 1; number <= MAX_EXECUTIONS; number++) {
    const execution = number === 1 ? jobId : `${jobId}-${number}`;
    if (await executions.start(execution, input)) return { execution, how: 'started' };
    const state = await executions.describe(execution);
    if (state?.status === 'running') return { execution, how: 'running' };
    if (state?.status === 'succeeded' && (await isFinished())) return { execution, how: 'ended' };
    if (state?.status === 'failed' && state.redrivable && (await executions.redrive(execution))) {
      return { execution, how: 'redriven' };
    }
  }
  throw new Error(`job ${jobId} had ${MAX_EXECUTIONS} executions, and none of them can be redriven`);
}
