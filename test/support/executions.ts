import type { ExecutionState, Executions } from '../../lib/batch/delivery/executions.ts';

/** Executions in memory, with the naming rules of Step Functions. */
export class MemoryExecutions implements Executions {
  readonly inputs = new Map<string, string>();
  readonly states = new Map<string, ExecutionState>();

  async start(name: string, input: string): Promise<boolean> {
    const state = this.states.get(name);
    if (state !== undefined) return state.status === 'running' && this.inputs.get(name) === input;
    this.inputs.set(name, input);
    this.states.set(name, { status: 'running', redrivable: false });
    return true;
  }

  async describe(name: string): Promise<ExecutionState | undefined> {
    return this.states.get(name);
  }

  async redrive(name: string): Promise<boolean> {
    if (this.states.get(name)?.redrivable !== true) return false;
    this.states.set(name, { status: 'running', redrivable: false });
    return true;
  }
}
