/** Runs one step of a bulk run by its name. */
import { followRun } from './follow-run.ts';
import { planRun } from './plan-run.ts';
import { reportRun } from './report/report-run.ts';
import { executionName } from './run-status.ts';
import type {
  BulkRun,
  RunCursor,
  RunDependencies,
  RunStepInput,
  RunStepName,
  RunStepOutput,
} from './steps.ts';

const STEPS: Readonly<
  Record<RunStepName, (input: RunStepInput, dependencies: RunDependencies) => Promise<RunStepOutput>>
> = { plan: planRun, follow: followRun, report: reportRun };

/** Steps of an execution: each has about seven events, and retries have more; 25,000 end an execution. */
const MAX_STEPS = 1500;

/** A cursor with the number of steps of its execution. */
type CountedCursor = { readonly steps: number; readonly own: RunCursor } | null;

/** @throws Error on an infrastructure failure; the state machine then retries the step with the same input */
export async function runStep(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { run } = input;
  const counted = input.cursor as CountedCursor;
  // A new execution begins with a plan, as every one does, and goes on where the last one has stopped.
  const { step, cursor } = counted === null && run.continues !== undefined ? run.continues : input;
  const own = step === input.step && cursor === input.cursor ? (counted?.own ?? null) : cursor;
  const steps = (counted?.steps ?? 0) + 1;
  const answer = await STEPS[step]({ ...input, step, cursor: own }, dependencies);
  if (steps < MAX_STEPS || answer.next === 'end')
    return { ...answer, cursor: { steps, own: answer.cursor } satisfies CountedCursor };
  await continueRun(input, answer, dependencies);
  return { next: 'end', cursor: null, waitSeconds: 1 };
}

/** Starts the next execution of a run; again without effect. */
async function continueRun(
  { run: { continues, ...run }, startedAt }: RunStepInput,
  { next, cursor }: RunStepOutput,
  { executions }: RunDependencies,
): Promise<void> {
  const execution = (continues?.execution ?? 1) + 1;
  const more: BulkRun = {
    ...run,
    continues: {
      step: next as RunStepName,
      cursor,
      startedAt: continues?.startedAt ?? startedAt,
      execution,
    },
  };
  await executions.start(executionName(run.runId, execution), JSON.stringify(more));
}
