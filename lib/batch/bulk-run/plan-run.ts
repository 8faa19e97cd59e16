/**
 * Plans a bulk run before anything is sent: sweeps the listings in slices, then concatenates the lines of all slices into
 * `plan.jsonl`, which does not change any more.
 */
import { readJsonLines } from '../storage/json-lines.ts';
import type { PlannedVersion } from './planned-version.ts';
import type { UnsolvedVersion } from './report/run-report.ts';
import { runKeys } from './run-keys.ts';
import { writeRunStatus } from './run-status.ts';
import { Slices } from './slices.ts';
import {
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  stepTime,
  ZERO_COUNTS,
} from './steps.ts';
import { PlansUnderWay } from './sweep/plans-under-way.ts';
import { type SweepState, sweep, sweptPrefixes } from './sweep/sweep.ts';

/** The next slice to sweep, or the last slice of a finished sweep whose plan is frozen next. */
type PlanCursor = { readonly sweep: number } | { readonly freeze: number };

const BEGINNING: SweepState = { prefix: 0, waiting: [], counts: ZERO_COUNTS, ended: false };

/** Sweeps one slice, or freezes the plan. */
export async function planRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const cursor = (input.cursor as PlanCursor | null) ?? { sweep: 0 };
  const slices = new Slices<SweepState>(input.run.runId, 'plan', dependencies);
  if ('freeze' in cursor) return freeze(cursor.freeze, slices, input, dependencies);
  const { sweep: index } = cursor;
  const from = index === 0 ? BEGINNING : await slices.stateOf(index - 1);
  const { rerunOf } = input.run;
  const state = await slices.run(index, (plan) =>
    rerunOf === undefined
      ? sweepSlice(from, input, dependencies, plan)
      : planUnsolved(rerunOf, dependencies, plan),
  );
  await writeRunStatus(input, dependencies, { state: 'planning', ...state.counts });
  const next: PlanCursor = state.ended ? { freeze: index } : { sweep: index + 1 };
  return { next: 'plan', cursor: next, waitSeconds: 1 };
}

type Plan = (version: PlannedVersion) => Promise<void>;

async function sweepSlice(
  from: SweepState,
  { run, startedAt }: RunStepInput,
  dependencies: RunDependencies,
  plan: Plan,
): Promise<SweepState> {
  const { store, resultsBucket, hashing, clock, uploadPrefixes } = dependencies;
  const time = stepTime(dependencies);
  const graceMs = (run.graceMinutes ?? dependencies.graceMinutes) * 60_000;
  const scope = {
    prefixes: sweptPrefixes(run.prefix, uploadPrefixes),
    scheduledPrefix: uploadPrefixes?.scheduled,
    writtenBefore: new Date(Date.parse(startedAt) - graceMs).toISOString(),
    underWay: await PlansUnderWay.open(store, resultsBucket, hashing, clock.timeOfDay(), run.runId),
  };
  return sweep(scope, from, dependencies, () => time.isShort, plan);
}

/** Plans the unsolved versions of another run. */
async function planUnsolved(
  rerunOf: string,
  { store, resultsBucket }: RunDependencies,
  plan: Plan,
): Promise<SweepState> {
  const counts = { ...ZERO_COUNTS };
  const { unsolved } = runKeys(rerunOf);
  for await (const { document } of readJsonLines<UnsolvedVersion>(store, resultsBucket, unsolved)) {
    const { outcome: why, jobId: _, message: __, ...version } = document;
    counts.found++;
    counts.planned++;
    counts.plannedBytes += version.bytes;
    await plan({ ...version, why });
  }
  return { ...BEGINNING, counts, ended: true };
}

async function freeze(
  last: number,
  slices: Slices<SweepState>,
  input: RunStepInput,
  dependencies: RunDependencies,
): Promise<RunStepOutput> {
  const { counts } = await slices.stateOf(last);
  const { plan } = runKeys(input.run.runId);
  // An earlier attempt may have frozen the plan: it must not change, because its messages may be sent.
  if ((await dependencies.store.head(dependencies.resultsBucket, plan)) === undefined) {
    await slices.join(last, plan);
  }
  await writeRunStatus(input, dependencies, { state: 'sending', ...counts });
  const next = counts.planned === 0 ? 'report' : 'send';
  return { next, cursor: { counts }, waitSeconds: 1 };
}
