/** One step of a bulk run, by its name. */
import { lookAtRun } from './look.ts';
import { planRun } from './plan-run.ts';
import { reportRun } from './report-run.ts';
import { sendPlan } from './send-plan.ts';
import type { RunMachinery, RunStepInput, RunStepName, RunStepOutput } from './steps.ts';

const STEPS: Readonly<
  Record<RunStepName, (input: RunStepInput, machinery: RunMachinery) => Promise<RunStepOutput>>
> = { plan: planRun, send: sendPlan, look: lookAtRun, report: reportRun };

/** @throws Error on infrastructure trouble: the step is then tried again with the same input */
export function runStep(input: RunStepInput, machinery: RunMachinery): Promise<RunStepOutput> {
  return STEPS[input.step](input, machinery);
}
