/**
 * Plans the versions of a bulk run in slices, before any of them is sent:
 *
 *     prefixes      a sweep of two listings: versions without a done marker
 *     a manifest    the newest versions of keys that a user lists
 *     a rerun       the versions of another run that were not solved
 *     rejected      the newest versions of uploads that were rejected
 */
import type { DoneMarker, RejectDocument } from '../delivery/status-document.ts';
import { inParallel } from '../in-parallel.ts';
import { REJECTS_PREFIX } from '../names.ts';
import type { ObjectVersion } from '../ports.ts';
import { type JsonLine, readJsonLines, readLines } from '../storage/json-lines.ts';
import { readJson } from '../storage/read-json.ts';
import { hold, type OtherHolds, withKey } from './holds.ts';
import type { PlannedVersion } from './planned-version.ts';
import type { UnsolvedVersion } from './report/run-report.ts';
import { runKeys, sliceKey } from './run-keys.ts';
import { isCancelled, writeRunStatus } from './run-status.ts';
import { slice, storedSlice } from './slices.ts';
import {
  type PlanCounts,
  READS_AT_ONCE,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  stepTime,
  ZERO_COUNTS,
} from './steps.ts';
import { BEGINNING, type SweepState, sweep, sweptPrefixes } from './sweep/sweep.ts';
import { markersOf, UNVERSIONED } from './sweep/version-markers.ts';

/** The place at which a slice ended. */
export interface PlanState {
  readonly counts: PlanCounts;
  readonly ended: boolean;
  /** Of a sweep. */
  readonly sweep?: SweepState;
  /** Of a file: the offset of the next line. */
  readonly fromByte?: number;
  /** Of a listing: its last key. */
  readonly after?: string;
  /** Ids of runs that hold prefixes or keys which are left out. */
  readonly heldBy: readonly string[];
  /** Of a list: the prefixes of its keys, which the run holds as soon as it is planned. */
  readonly prefixes: readonly string[];
}

/** Keys of rejected uploads that are kept, to plan each once. */
const MAX_SEEN = 10_000;

type Plan = (version: PlannedVersion) => Promise<void>;
type Source = (
  from: PlanState,
  input: PlanInput,
  dependencies: PlanDependencies,
  plan: Plan,
) => Promise<Omit<PlanState, 'prefixes'>>;

/** What a plan is made of. */
export interface PlanInput extends Pick<RunStepInput, 'run' | 'startedAt'> {
  /** What other runs hold. */
  readonly others: OtherHolds;
  /** The keys of a manifest, from an offset in its file. */
  keys(fromByte: number | undefined): AsyncIterable<JsonLine<string>>;
}

export type PlanDependencies = Pick<
  RunDependencies,
  'store' | 'inputBucket' | 'resultsBucket' | 'hashing' | 'uploadPrefixes' | 'graceMinutes' | 'remainingMs'
>;

/** Plans one slice. */
export async function planRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { run } = input;
  const { slice: index = 0 } = (input.cursor ?? {}) as { readonly slice?: number };
  const prefixes = prefixesOf(run, dependencies);
  const others = await hold(run.runId, prefixes, dependencies);
  const from =
    index === 0
      ? beginning(prefixes, others)
      : (await storedSlice<PlanState>(run.runId, 'plan', index - 1, dependencies)).state;
  const file = sliceKey(run.runId, 'plan', index).replace('.json', `-${dependencies.ids.next()}.jsonl`);
  const { store, resultsBucket } = dependencies;
  const keys = (fromByte?: number) => readLines(store, resultsBucket, runKeys(run.runId).manifest, fromByte);
  const { state } = await slice<PlanState>(run.runId, 'plan', index, file, dependencies, (add) =>
    planFrom(from, { ...input, others, keys }, dependencies, add),
  );
  const { counts, ended, heldBy } = state;
  await writeRunStatus(input, dependencies, { state: 'planning', ...counts, heldBy });
  const isLast = ended || (await isCancelled(run.runId, dependencies));
  const plan = { counts, heldBy, prefixes: state.prefixes, slices: index + 1 };
  // A list holds what it has planned before another run can plan it.
  if (isLast) await hold(run.runId, state.prefixes, dependencies);
  if (isLast) return { next: 'follow', cursor: { plan, slice: 0 }, waitSeconds: 1 };
  return { next: 'plan', cursor: { slice: index + 1 }, waitSeconds: 1 };
}

/** Prefixes that a run sweeps; a list has none. */
function prefixesOf(run: PlanInput['run'], { uploadPrefixes }: Pick<PlanDependencies, 'uploadPrefixes'>) {
  return isList(run) ? [] : sweptPrefixes(run, uploadPrefixes);
}

function beginning(prefixes: readonly string[], others: OtherHolds): PlanState {
  return { counts: ZERO_COUNTS, ended: false, heldBy: others.runsWith(prefixes), prefixes };
}

/** The whole plan that a run would make now. @param plan called for each version to solve */
export async function previewPlan(
  input: PlanInput,
  dependencies: Omit<PlanDependencies, 'remainingMs'>,
  plan: Plan,
): Promise<Pick<PlanState, 'counts' | 'heldBy'>> {
  const from = beginning(prefixesOf(input.run, dependencies), input.others);
  const forever = { remainingMs: () => Number.POSITIVE_INFINITY };
  return planFrom(from, input, { ...dependencies, ...forever }, plan);
}

/** Plans from a place, until the plan ends or the time is short. */
async function planFrom(
  from: PlanState,
  input: PlanInput,
  dependencies: PlanDependencies,
  plan: Plan,
): Promise<PlanState> {
  let { prefixes } = from;
  let [planned, plannedBytes] = [from.counts.planned, from.counts.plannedBytes];
  const found = await sourceOf(input)(from, input, dependencies, async (version) => {
    planned++;
    plannedBytes += version.bytes;
    if (isList(input.run)) prefixes = withKey(prefixes, version.key);
    await plan(version);
  });
  return { ...found, counts: { ...found.counts, planned, plannedBytes }, prefixes };
}

/** Whether a run has a list of versions, and no prefix. */
function isList({ manifest, rerunOf }: PlanInput['run']): boolean {
  return manifest === true || rerunOf !== undefined;
}

function sourceOf({ run }: PlanInput): Source {
  if (run.manifest === true) return listedVersions;
  if (run.rerunOf !== undefined) return unsolvedVersions;
  return run.rejected === undefined ? unfinishedVersions : rejectedVersions;
}

const unfinishedVersions: Source = async (from, { run, startedAt, others }, dependencies, plan) => {
  const { uploadPrefixes } = dependencies;
  const time = stepTime(dependencies);
  const graceMs = (run.graceMinutes ?? dependencies.graceMinutes) * 60_000;
  const scope = {
    prefixes: sweptPrefixes(run, uploadPrefixes),
    scheduledPrefix: uploadPrefixes?.scheduled,
    writtenBefore: new Date(Date.parse(startedAt) - graceMs).toISOString(),
    others,
  };
  const counts = { ...from.counts };
  const state = await sweep(
    scope,
    from.sweep ?? BEGINNING,
    dependencies,
    () => time.isShort,
    async (outcome, version) => {
      counts.found++;
      if (outcome === 'planned') await plan(version);
      else counts[outcome]++;
    },
  );
  return { counts, ended: state.ended, sweep: state, heldBy: from.heldBy };
};

/** Versions of another run that were not solved. */
const unsolvedVersions: Source = (from, { run }, dependencies, plan) =>
  eachLine(
    readJsonLines<UnsolvedVersion>(
      dependencies.store,
      dependencies.resultsBucket,
      runKeys(run.rerunOf!).unsolved,
      from.fromByte,
    ),
    from,
    dependencies,
    async (unsolved) => {
      const { outcome, jobId: _, message: __, ...version } = unsolved;
      await plan({ ...version, why: outcome === 'missing' ? 'listed' : outcome });
      return 'planned';
    },
  );

/** The newest versions of the keys of a manifest. */
const listedVersions: Source = (from, { others, keys }, dependencies, plan) => {
  const { store, resultsBucket, hashing } = dependencies;
  return eachLine(keys(from.fromByte), from, dependencies, async (line) => {
    const key = line.trim();
    if (key === '') return 'none';
    const held = others.of(key);
    if (held !== undefined) return held;
    const version = await latestVersion(dependencies, key);
    if (version === undefined) {
      await plan({ key, versionId: '', bytes: 0, etag: '', lastModified: '', latest: true, why: 'listed' });
      return 'planned';
    }
    for (const marker of markersOf(version, hashing)) {
      if ((await store.head(resultsBucket, marker)) !== undefined) return 'alreadyDone';
    }
    await plan({ ...version, why: 'listed' });
    return 'planned';
  });
};

/** Reads lines until the time is short; what they are is found in parallel. */
async function eachLine<Line>(
  lines: AsyncIterable<{ readonly document: Line; readonly endByte: number }>,
  from: PlanState,
  dependencies: PlanDependencies,
  read: (line: Line) => Promise<'planned' | 'alreadyDone' | 'none' | { readonly runId: string }>,
): Promise<Omit<PlanState, 'prefixes'>> {
  const time = stepTime(dependencies);
  const counts = { ...from.counts };
  const heldBy = new Set(from.heldBy);
  let { fromByte = 0 } = from;
  const chunk: Line[] = [];
  const readChunk = async () => {
    const found = await inParallel(chunk.splice(0), READS_AT_ONCE, read);
    for (const each of found) {
      if (each !== 'none') counts.found++;
      if (each === 'alreadyDone') counts.alreadyDone++;
      if (typeof each === 'object') heldBy.add(each.runId);
    }
  };
  for await (const { document, endByte } of lines) {
    chunk.push(document);
    fromByte = endByte;
    if (chunk.length < READS_AT_ONCE) continue;
    await readChunk();
    if (time.isShort) return { counts, ended: false, fromByte, heldBy: [...heldBy] };
  }
  await readChunk();
  return { counts, ended: true, fromByte, heldBy: [...heldBy] };
}

/** The newest version of a key; undefined if it has none, or was deleted. */
async function latestVersion(
  { store, inputBucket }: PlanDependencies,
  key: string,
): Promise<ObjectVersion | undefined> {
  for await (const version of store.listVersions(inputBucket, key)) {
    // Other keys with this prefix follow it.
    return version.key === key && version.latest ? version : undefined;
  }
  return undefined;
}

/** The newest versions of uploads that were rejected, with the code that the run names. */
const rejectedVersions: Source = async (from, { run, others }, dependencies, plan) => {
  const { store, resultsBucket, uploadPrefixes } = dependencies;
  const time = stepTime(dependencies);
  const counts = { ...from.counts };
  const seen = new Set<string>();
  const chunk: string[] = [];
  const readChunk = () =>
    inParallel(chunk.splice(0), READS_AT_ONCE, async (rejectKey) => {
      const reject = (await readJson<RejectDocument>(store, resultsBucket, rejectKey))?.document;
      if (reject === undefined || others.of(reject.input.key) !== undefined) return;
      const { code } = run.rejected!;
      if (code !== undefined && reject.error.code !== code) return;
      const version = await latestVersion(dependencies, reject.input.key);
      if (version === undefined || !isOf(version, reject.input) || seen.has(version.key)) return;
      // Several jobs may have rejected it: their keys are close to each other, and a version that is sent twice is one job.
      if (seen.size === MAX_SEEN) seen.clear();
      seen.add(version.key);
      counts.found++;
      // A job with other options or of a later version of the program may have solved it.
      if (await isSolved(version, dependencies)) counts.alreadyDone++;
      else await plan({ ...version, why: 'rejected' });
    });
  let { after } = from;
  for (const prefix of sweptPrefixes(run, uploadPrefixes)) {
    const folder = REJECTS_PREFIX + prefix;
    if (after !== undefined && !after.startsWith(folder) && after > folder) continue;
    for await (const key of store.list(resultsBucket, folder, after)) {
      chunk.push(key);
      after = key;
      if (chunk.length < READS_AT_ONCE) continue;
      await readChunk();
      if (time.isShort) return { counts, ended: false, after, heldBy: from.heldBy };
    }
  }
  await readChunk();
  return { counts, ended: true, heldBy: from.heldBy };
};

/** Whether some job has solved a version. */
async function isSolved(
  version: ObjectVersion,
  { store, resultsBucket, hashing }: PlanDependencies,
): Promise<boolean> {
  for (const key of markersOf(version, hashing)) {
    const marker = await readJson<DoneMarker>(store, resultsBucket, key);
    if (marker?.document.outcome === 'completed') return true;
  }
  return false;
}

/** Whether a version is that of a job, which names one without an id by its bytes. */
function isOf({ versionId, etag }: ObjectVersion, input: RejectDocument['input']): boolean {
  return input.versionId === versionId || (versionId === UNVERSIONED && input.versionId === `etag-${etag}`);
}
