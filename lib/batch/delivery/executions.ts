/** The state machine for large jobs, behind a port; and how a job is handed to it exactly once. */

/** An execution, as the state machine's service shows it. */
export interface ExecutionState {
  readonly status: 'running' | 'succeeded' | 'failed';
  /** Whether it can go on from where it failed. */
  readonly redrivable: boolean;
}

/** Executions of one state machine. */
export interface Executions {
  /**
   * @returns whether it is on its way, now or since an earlier start with the same input; not where one of that name has
   *   ended, or had another input
   */
  start(name: string, input: string): Promise<boolean>;
  /** Undefined where there is none of that name. */
  describe(name: string): Promise<ExecutionState | undefined>;
  /** @returns whether it goes on; not where somebody else has redriven it, or it is too late */
  redrive(name: string): Promise<boolean>;
}

export interface HandOverResult {
  /** Name of the execution that has the job. */
  readonly execution: string;
  /** `started`: by this delivery, or an earlier one. `ended`: it is over, and left nothing to do. */
  readonly how: 'started' | 'running' | 'redriven' | 'ended';
}

/** Executions of one job; that many have failed for good only where something is badly wrong. */
const MAX_EXECUTIONS = 100;

/**
 * Hands a job to the state machine, whatever became of earlier deliveries: an execution that runs keeps it, one that
 * failed goes on, and where that is too late another one begins.
 *
 * @param isOver whether the job's outcome stands: an execution that ended well may have lost it since
 * @throws Error where no execution can be had
 */
export async function handOver(
  executions: Executions,
  jobId: string,
  input: string,
  isOver: () => Promise<boolean>,
): Promise<HandOverResult> {
  for (let number = 1; number <= MAX_EXECUTIONS; number++) {
    const execution = number === 1 ? jobId : `${jobId}-${number}`;
    if (await executions.start(execution, input)) return { execution, how: 'started' };
    const state = await executions.describe(execution);
    if (state?.status === 'running') return { execution, how: 'running' };
    if (state?.status === 'succeeded' && (await isOver())) return { execution, how: 'ended' };
    if (state?.status === 'failed' && state.redrivable && (await executions.redrive(execution))) {
      return { execution, how: 'redriven' };
    }
  }
  throw new Error(`job ${jobId} had ${MAX_EXECUTIONS} executions, and none of them can be had again`);
}
