/** How a bulk run begins: as an execution of its own name, so that whoever starts it twice starts it once. */
import * as z from 'zod';
import type { Executions } from '../delivery/executions.ts';
import { runIdAt } from './run-keys.ts';
import type { BulkRun } from './steps.ts';

/** What the schedule says: the time at which it was to fire, whenever it did. */
const scheduleEvent = z.object({ scheduledTime: z.string() });

/**
 * The run that a schedule's event asks for: the same for every delivery of it.
 *
 * @throws Error where it is no such event
 */
export function scheduledRun(event: unknown): BulkRun {
  const parsed = scheduleEvent.safeParse(event);
  if (!parsed.success) {
    throw new Error(
      `the event is none of the schedule: expected {"scheduledTime":"2026-11-21T02:00:00Z"}, found ${JSON.stringify(event).slice(0, 200)}`,
    );
  }
  return { runId: runIdAt(parsed.data.scheduledTime) };
}

/** @returns whether the run is on its way; not where it has ended, or another one has its id */
export function startRun(executions: Executions, run: BulkRun): Promise<boolean> {
  return executions.start(run.runId, JSON.stringify(run));
}
