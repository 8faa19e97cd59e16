/** Starts a bulk run as an execution named after it, so that a second start has no effect. */
import * as z from 'zod';
import type { Executions } from '../delivery/executions.ts';
import { runIdAt } from './run-keys.ts';
import type { BulkRun } from './steps.ts';

/** The planned time of the schedule, even if the event is late. */
const scheduleEvent = z.object({ scheduledTime: z.string() });

/**
 * Returns the run for an event of the schedule: the same for every delivery of the event.
 *
 * @throws Error if it is another event
 */
export function scheduledRun(event: unknown): BulkRun {
  const parsed = scheduleEvent.safeParse(event);
  if (!parsed.success) {
    throw new Error(
      `the event is not from the schedule: expected {"scheduledTime":"2026-11-21T02:00:00Z"}, found ${JSON.stringify(event).slice(0, 200)}`,
    );
  }
  return { runId: runIdAt(parsed.data.scheduledTime) };
}

/** @returns whether the run is in progress; false if it has ended, or a different run has its id */
export function startRun(executions: Executions, run: BulkRun): Promise<boolean> {
  return executions.start(run.runId, JSON.stringify(run));
}
