/** Runs one step of a bulk run by its name. */

import { planRun } from './plan-run.ts';
import { pollRun } from './poll-run.ts';
import { reportRun } from './report/report-run.ts';
import { sendPlan } from './send-plan.ts';
import type { RunDependencies, RunStepInput, RunStepName, RunStepOutput } from './steps.ts';

const STEPS: Readonly<
  Record<RunStepName, (input: RunStepInput, dependencies: RunDependencies) => Promise<RunStepOutput>>
> = { plan: planRun, send: sendPlan, poll: pollRun, report: reportRun };

/** @throws Error on an infrastructure failure; the state machine then retries the step with the same input */
export function runStep(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  return STEPS[input.step](input, dependencies);
}
