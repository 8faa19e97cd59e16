/**
 * The plan of a bulk run, frozen before anything is sent: the listings are swept in stretches, and when they have ended,
 * the lines of all stretches become `plan.jsonl`.
 */
import { readJsonLines } from '../storage/json-lines.ts';
import type { PlannedVersion } from './planned-version.ts';
import type { UnsolvedVersion } from './report/run-report.ts';
import { runKeys } from './run-keys.ts';
import { writeRunStatus } from './run-status.ts';
import { Slices } from './slices.ts';
import {
  deadlineCheck,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
  ZERO_COUNTS,
} from './steps.ts';
import { PlansUnderWay } from './sweep/plans-under-way.ts';
import { type SweepState, sweep, sweptPrefixes } from './sweep/sweep.ts';

/** A stretch that is to be swept, or the last one, whose lines and all before it are to be frozen. */
type PlanCursor = { readonly sweep: number } | { readonly freeze: number };

const BEGINNING: SweepState = { prefix: 0, waiting: [], counts: ZERO_COUNTS, ended: false };

/** Sweeps a stretch, or freezes the plan. */
export async function planRun(input: RunStepInput, machinery: RunDependencies): Promise<RunStepOutput> {
  const cursor = (input.cursor as PlanCursor | null) ?? { sweep: 0 };
  const { runId, rerunOf } = input.run;
  const stretches = new Slices<SweepState>(runId, 'plan', machinery);
  if ('freeze' in cursor) return freeze(cursor.freeze, stretches, input, machinery);
  const index = cursor.sweep;
  const state =
    rerunOf === undefined
      ? await sweepStretch(index, stretches, input, machinery)
      : await stretches.write(0, (plan) => takeUnsolved(rerunOf, machinery, plan));
  await writeRunStatus(input, machinery, { state: 'planning', ...state.counts });
  const next: PlanCursor = state.ended ? { freeze: index } : { sweep: index + 1 };
  return { next: 'plan', cursor: next, waitSeconds: 1 };
}

async function sweepStretch(
  index: number,
  stretches: Slices<SweepState>,
  { run, startedAt }: RunStepInput,
  machinery: RunDependencies,
): Promise<SweepState> {
  const from = index === 0 ? BEGINNING : await stretches.stateOf(index - 1);
  const { store, resultsBucket, hashing, clock } = machinery;
  const graceMs = (run.graceMinutes ?? machinery.graceMinutes) * 60_000;
  const scope = {
    prefixes: sweptPrefixes(run.prefix),
    writtenBefore: new Date(Date.parse(startedAt) - graceMs).toISOString(),
    underWay: await PlansUnderWay.open(store, resultsBucket, hashing, clock.timeOfDay(), run.runId),
  };
  return stretches.write(index, (plan) => sweep(scope, from, machinery, deadlineCheck(machinery), plan));
}

/** Plans again what another run could not get solved. */
async function takeUnsolved(
  rerunOf: string,
  { store, resultsBucket }: RunDependencies,
  plan: (version: PlannedVersion) => Promise<void>,
): Promise<SweepState> {
  const counts = { ...ZERO_COUNTS };
  const unsolved = runKeys(rerunOf).unsolved;
  for await (const { document } of readJsonLines<UnsolvedVersion>(store, resultsBucket, unsolved)) {
    const { outcome, jobId: _, message: __, ...version } = document;
    counts.found++;
    counts.planned++;
    counts.plannedBytes += version.bytes;
    await plan({ ...version, why: outcome });
  }
  return { prefix: 0, waiting: [], counts, ended: true };
}

async function freeze(
  last: number,
  stretches: Slices<SweepState>,
  input: RunStepInput,
  machinery: RunDependencies,
): Promise<RunStepOutput> {
  const { counts } = await stretches.stateOf(last);
  const { plan } = runKeys(input.run.runId);
  // What is there is what is sent: a second try must not change it.
  if ((await machinery.store.head(machinery.resultsBucket, plan)) === undefined) {
    await stretches.join(last, plan);
  }
  return afterPlan(counts, input, machinery);
}

async function afterPlan(
  counts: SweepCounts,
  input: RunStepInput,
  machinery: RunDependencies,
): Promise<RunStepOutput> {
  await writeRunStatus(input, machinery, { state: 'sending', ...counts });
  const next = counts.planned === 0 ? 'report' : 'send';
  return { next, cursor: { counts }, waitSeconds: 1 };
}
