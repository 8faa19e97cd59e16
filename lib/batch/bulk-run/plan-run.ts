/**
 * The plan of a bulk run, frozen before anything is sent.
 *
 * A stretch of the sweep writes its lines and then its state; the next stretch, in this invocation or another, goes on
 * from that state. When the listings have ended, the lines of all stretches become `plan.jsonl`.
 */
import { jsonBytes } from '../manifest.ts';
import { readJson } from '../read-json.ts';
import { concatenate, JsonLinesWriter, readJsonLines } from './json-lines.ts';
import type { PlannedVersion } from './planned-version.ts';
import { PlansUnderWay } from './plans-under-way.ts';
import { type RunKeys, runKeys } from './run-keys.ts';
import type { UnsolvedVersion } from './run-report.ts';
import { writeRunStatus } from './run-status.ts';
import {
  NOTHING_COUNTED,
  type RunMachinery,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
  stopWatch,
} from './steps.ts';
import { type SweepState, sweep, sweptPrefixes } from './sweep.ts';

/** A stretch that is to be swept, or the last one, whose lines and all before it are to be frozen. */
type PlanCursor = { readonly sweep: number } | { readonly freeze: number };

const BEGINNING: SweepState = { prefix: 0, waiting: [], counts: NOTHING_COUNTED, ended: false };

/** Sweeps a stretch, or freezes the plan. */
export async function planRun(input: RunStepInput, machinery: RunMachinery): Promise<RunStepOutput> {
  const cursor = (input.cursor as PlanCursor | null) ?? { sweep: 0 };
  const keys = runKeys(input.run.runId);
  if ('freeze' in cursor) return freeze(cursor.freeze, keys, input, machinery);
  const index = cursor.sweep;
  const state =
    input.run.rerunOf === undefined
      ? await sweepStretch(index, keys, input, machinery)
      : await takeUnsolved(input.run.rerunOf, keys, machinery);
  await writeRunStatus(input, machinery, { state: 'planning', ...state.counts });
  const next: PlanCursor = state.ended ? { freeze: index } : { sweep: index + 1 };
  return { next: 'plan', cursor: next, waitSeconds: 1 };
}

async function sweepStretch(
  index: number,
  keys: RunKeys,
  { run, startedAt }: RunStepInput,
  machinery: RunMachinery,
): Promise<SweepState> {
  const from = index === 0 ? BEGINNING : await readState(index - 1, keys, machinery);
  const { store, resultsBucket, hashing, clock } = machinery;
  const graceMs = (run.graceMinutes ?? machinery.graceMinutes) * 60_000;
  const scope = {
    prefixes: sweptPrefixes(run.prefix),
    writtenBefore: new Date(Date.parse(startedAt) - graceMs).toISOString(),
    underWay: await PlansUnderWay.open(store, resultsBucket, hashing, clock.timeOfDay(), run.runId),
  };
  return writeStretch(index, keys, machinery, (plan) =>
    sweep(scope, from, machinery, stopWatch(machinery), plan),
  );
}

/** The plan of a run that takes again what another one could not get solved. */
function takeUnsolved(rerunOf: string, keys: RunKeys, machinery: RunMachinery): Promise<SweepState> {
  const { store, resultsBucket } = machinery;
  return writeStretch(0, keys, machinery, async (plan) => {
    const counts = { ...NOTHING_COUNTED };
    const unsolved = runKeys(rerunOf).unsolved;
    for await (const { document } of readJsonLines<UnsolvedVersion>(store, resultsBucket, unsolved)) {
      const { outcome, jobId: _, message: __, ...version } = document;
      counts.found++;
      counts.planned++;
      counts.plannedBytes += version.bytes;
      await plan({ ...version, why: outcome });
    }
    return { prefix: 0, waiting: [], counts, ended: true };
  });
}

async function writeStretch(
  index: number,
  keys: RunKeys,
  { store, resultsBucket }: RunMachinery,
  work: (plan: (version: PlannedVersion) => Promise<void>) => Promise<SweepState>,
): Promise<SweepState> {
  const { lines, state: stateKey } = keys.stretch('plan', index);
  const writer = new JsonLinesWriter(store, resultsBucket, lines);
  let state: SweepState;
  try {
    state = await work((version) => writer.add(version));
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
  await store.put(resultsBucket, stateKey, jsonBytes(state), 'application/json');
  return state;
}

async function readState(
  index: number,
  keys: RunKeys,
  { store, resultsBucket }: RunMachinery,
): Promise<SweepState> {
  const key = keys.stretch('plan', index).state;
  const found = await readJson<SweepState>(store, resultsBucket, key);
  if (found === undefined) throw new Error(`${key} is not there: stretch ${index} was never swept`);
  return found.document;
}

async function freeze(
  last: number,
  keys: RunKeys,
  input: RunStepInput,
  machinery: RunMachinery,
): Promise<RunStepOutput> {
  const { store, resultsBucket } = machinery;
  const { counts } = await readState(last, keys, machinery);
  // What is there is what is sent: a second try must not change it.
  if ((await store.head(resultsBucket, keys.plan)) === undefined) {
    const stretches = Array.from({ length: last + 1 }, (_, index) => keys.stretch('plan', index).lines);
    await concatenate(store, resultsBucket, stretches, keys.plan);
  }
  return afterPlan(counts, input, machinery);
}

async function afterPlan(
  counts: SweepCounts,
  input: RunStepInput,
  machinery: RunMachinery,
): Promise<RunStepOutput> {
  await writeRunStatus(input, machinery, { state: 'sending', ...counts });
  const next = counts.planned === 0 ? 'report' : 'send';
  return { next, cursor: { counts }, waitSeconds: 1 };
}
