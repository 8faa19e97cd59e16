/** Executions of a small machine, with a journal in memory. */

import { loadDefinition } from '../../lib/local/states/definition.ts';
import { type JournalEntry, LocalExecutions } from '../../lib/local/states/executions.ts';
import { ManualClock } from './manual-clock.ts';
import { task } from './states/scripted-run.ts';

export const ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:Solve';
export const FACTS = { requestId: 'r' };

/** A journal in memory that throws while the disk is full. */
export class FullDisk {
  isFull = false;
  readonly entries: JournalEntry[] = [];

  replay(apply: (entry: JournalEntry, place: number) => void): number {
    this.entries.forEach(apply);
    return this.entries.length;
  }

  close(): void {}

  append(entry: object): number {
    if (this.isFull) {
      const message = 'ENOSPC: no space left on device, write';
      throw Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write' });
    }
    return this.entries.push(entry as JournalEntry);
  }
}

/** Executions of a machine with two tasks, which end at once. @param onCall gets the number of the call */
export function twoTasks(disk: FullDisk, onCall: (call: number) => Promise<void> | void = () => {}) {
  const clock = new ManualClock();
  const faults: unknown[] = [];
  let calls = 0;
  const machine = loadDefinition(
    JSON.stringify({
      StartAt: 'First',
      States: {
        First: task({ ResultPath: null, Next: 'Second' }),
        Second: task({ ResultPath: null, End: true }),
      },
      TimeoutSeconds: 60,
    }),
  );
  const executions = new LocalExecutions({
    journal: disk,
    machineArns: [ARN],
    load: () => ({ deployment: 'd', machine, isAllowed: () => true }),
    onFault: (error) => faults.push(error),
    dependencies: {
      invoke: async () => {
        await onCall(++calls);
        return { ok: true, payload: {}, ...FACTS };
      },
      readText: async () => undefined,
      clock,
      random: () => 1,
      newId: () => 'run',
      concurrency: 1,
    },
  });
  return { executions, clock, faults, calls: () => calls };
}
