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
import type { FunctionTime } from '../storage/function-time.ts';
import { type JsonLine, readJsonLines, readLines } from '../storage/json-lines.ts';
import { readJson } from '../storage/read-json.ts';
import { hold, holderOf, type OtherHolds, runsWith, withKey } from './holds.ts';
import type { PlannedVersion } from './planned-version.ts';
import type { UnsolvedVersion } from './report/run-report.ts';
import { runKeys } from './run-keys.ts';
import { isCancelled, writeRunStatus } from './run-status.ts';
import { slice } from './slices.ts';
import {
  type PlanCounts,
  READS_AT_ONCE,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
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
  readonly endByte?: number;
  /** Of a listing: its last key. */
  readonly after?: string;
  /** Ids of runs that hold prefixes or keys which are left out. */
  readonly heldBy: readonly string[];
  /** What the run holds; the prefixes of the keys of a list, as soon as it is planned. */
  readonly prefixes: readonly string[];
}

/** Keys of rejected uploads that are kept, to plan each once. */
const MAX_SEEN = 10_000;

type Plan = (version: PlannedVersion) => Promise<void>;

/** What a plan is made of. */
export interface PlanInput extends Pick<RunStepInput, 'run' | 'startedAt'> {
  /** What other runs hold. */
  readonly others: OtherHolds;
  /** The keys of a manifest, from an offset in its file. */
  keys(fromByte: number | undefined): AsyncIterable<JsonLine<string>>;
}

type PlanDependencies = Pick<
  RunDependencies,
  'store' | 'inputBucket' | 'resultsBucket' | 'hashing' | 'uploadPrefixes' | 'graceMinutes'
>;

/** Plans one slice. */
export async function planRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { run } = input;
  const { runId } = run;
  const { slice: index = 0 } = (input.cursor ?? {}) as { readonly slice?: number };
  const prefixes = isList(run) ? [] : sweptPrefixes(run, dependencies.uploadPrefixes);
  const others = await hold(runId, prefixes, dependencies);
  const { plan: keyOf, manifest } = runKeys(runId);
  const file = keyOf(index).replace('.json', `-${dependencies.ids.next()}.jsonl`);
  const keys = (fromByte?: number) => readLines(dependencies, manifest, fromByte);
  const start = beginning(run, others, dependencies);
  const state = await slice(keyOf, index, start, file, dependencies, (before, time, add) =>
    planFrom(before.state, time, { ...input, others, keys }, dependencies, add),
  );
  const { counts, ended, heldBy } = state;
  await writeRunStatus(input, dependencies, { state: 'planning', ...counts, heldBy });
  if (!ended && !(await isCancelled(runId, dependencies))) {
    return { next: 'plan', cursor: { slice: index + 1 }, waitSeconds: 1 };
  }
  // A list holds what it has planned before another run can plan it.
  await hold(runId, state.prefixes, dependencies);
  const plan = { counts, heldBy, prefixes: state.prefixes, slices: index + 1 };
  return { next: 'follow', cursor: { plan, slice: 0 }, waitSeconds: 1 };
}

/** Whether a run has a list of versions, and no prefix. */
function isList({ manifest, rerunOf }: PlanInput['run']): boolean {
  return manifest === true || rerunOf !== undefined;
}

function beginning(
  run: PlanInput['run'],
  others: OtherHolds,
  { uploadPrefixes }: Pick<PlanDependencies, 'uploadPrefixes'>,
): PlanState {
  const prefixes = isList(run) ? [] : sweptPrefixes(run, uploadPrefixes);
  return { counts: ZERO_COUNTS, ended: false, heldBy: runsWith(others, prefixes), prefixes };
}

/** The whole plan that a run would make now. @param plan called for each version to solve */
export async function previewPlan(
  input: PlanInput,
  dependencies: PlanDependencies,
  plan: Plan,
): Promise<Pick<PlanState, 'counts' | 'heldBy'>> {
  const from = beginning(input.run, input.others, dependencies);
  return planFrom(from, { isShort: false }, input, dependencies, plan);
}

/** Plans from a place, until the plan ends or the time is short. */
async function planFrom(
  from: PlanState,
  time: Pick<FunctionTime, 'isShort'>,
  input: PlanInput,
  dependencies: PlanDependencies,
  add: Plan,
): Promise<PlanState> {
  const { run, others, keys } = input;
  const { store, inputBucket, resultsBucket, hashing, uploadPrefixes } = dependencies;
  const counts = { ...from.counts };
  const heldBy = new Set(from.heldBy);
  let { prefixes } = from;

  const plan: Plan = async (version) => {
    counts.planned++;
    counts.plannedBytes += version.bytes;
    if (isList(run)) prefixes = withKey(prefixes, version.key);
    await add(version);
  };

  const stateAt = (place: Pick<PlanState, 'ended' | 'sweep' | 'endByte' | 'after'>): PlanState => {
    return { counts, heldBy: [...heldBy], prefixes, ...place };
  };

  /** Reads items until the time is short; what they are is found in parallel. */
  const planEach = async <Item, Place extends Pick<PlanState, 'endByte' | 'after'>>(
    items: AsyncIterable<Place & { readonly document: Item }>,
    read: (item: Item) => Promise<'planned' | 'alreadyDone' | 'none'>,
  ): Promise<PlanState> => {
    let place: Pick<PlanState, 'endByte' | 'after'> = {};
    const chunk: Item[] = [];
    const readChunk = async () => {
      for (const found of await inParallel(chunk.splice(0), READS_AT_ONCE, read)) {
        if (found !== 'none') counts.found++;
        if (found === 'alreadyDone') counts.alreadyDone++;
      }
    };
    for await (const { document, ...at } of items) {
      chunk.push(document);
      place = at;
      if (chunk.length < READS_AT_ONCE) continue;
      await readChunk();
      if (time.isShort) return stateAt({ ended: false, ...place });
    }
    await readChunk();
    return stateAt({ ended: true, ...place });
  };

  /** The newest version of a key; undefined if it has none, or was deleted. */
  const latestVersion = async (key: string): Promise<ObjectVersion | undefined> => {
    for await (const version of store.listVersions(inputBucket, key)) {
      // Other keys with this prefix follow it.
      return version.key === key && version.latest ? version : undefined;
    }
    return undefined;
  };

  /** The outcomes of the jobs of a version. */
  const outcomesOf = async (version: ObjectVersion): Promise<DoneMarker['outcome'][]> => {
    const markers = await inParallel(markersOf(version, hashing), 1, (key) =>
      readJson<DoneMarker>(dependencies, key),
    );
    return markers.flatMap((marker) => marker?.outcome ?? []);
  };

  if (run.manifest === true) {
    return planEach(keys(from.endByte), async (line) => {
      const key = line.trim();
      if (key === '') return 'none';
      const held = holderOf(others, key);
      if (held !== undefined) {
        heldBy.add(held.runId);
        counts.found++;
        return 'none';
      }
      const version = await latestVersion(key);
      if (version !== undefined && (await outcomesOf(version)).length > 0) return 'alreadyDone';
      const missing = { key, versionId: '', bytes: 0, etag: '', lastModified: '', latest: true };
      await plan({ ...(version ?? missing), why: 'listed' });
      return 'planned';
    });
  }

  if (run.rerunOf !== undefined) {
    const { unsolved } = runKeys(run.rerunOf);
    const lines = readJsonLines<UnsolvedVersion>(dependencies, unsolved, from.endByte);
    return planEach(lines, async ({ outcome, jobId: _, message: __, ...version }) => {
      await plan({ ...version, why: outcome === 'missing' ? 'listed' : outcome });
      return 'planned';
    });
  }

  if (run.rejected !== undefined) {
    const { code } = run.rejected;
    const seen = new Set<string>();
    return planEach(rejectKeys(sweptPrefixes(run, uploadPrefixes), from.after), async (rejectKey) => {
      const reject = await readJson<RejectDocument>(dependencies, rejectKey);
      if (reject === undefined || holderOf(others, reject.input.key) !== undefined) return 'none';
      if (code !== undefined && reject.error.code !== code) return 'none';
      const version = await latestVersion(reject.input.key);
      if (version === undefined || !isOf(version, reject.input) || seen.has(version.key)) return 'none';
      // Several jobs may have rejected it: their keys are close to each other, and a version that is sent twice is one job.
      if (seen.size === MAX_SEEN) seen.clear();
      seen.add(version.key);
      // A job with other options or of a later version of the program may have solved it.
      if ((await outcomesOf(version)).includes('completed')) return 'alreadyDone';
      await plan({ ...version, why: 'rejected' });
      return 'planned';
    });
  }

  const graceMs = (run.graceMinutes ?? dependencies.graceMinutes) * 60_000;
  const scope = {
    prefixes: sweptPrefixes(run, uploadPrefixes),
    scheduledPrefix: uploadPrefixes?.scheduled,
    writtenBefore: new Date(Date.parse(input.startedAt) - graceMs).toISOString(),
    others,
  };
  const swept = await sweep(
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
  return stateAt({ ended: swept.ended, sweep: swept });

  async function* rejectKeys(prefixes: readonly string[], after: string | undefined) {
    for (const prefix of prefixes) {
      const folder = REJECTS_PREFIX + prefix;
      if (after !== undefined && !after.startsWith(folder) && after > folder) continue;
      for await (const key of store.list(resultsBucket, folder, after)) yield { document: key, after: key };
    }
  }
}

/** Whether a version is that of a job, which names one without an id by its bytes. */
function isOf({ versionId, etag }: ObjectVersion, input: RejectDocument['input']): boolean {
  return input.versionId === versionId || (versionId === UNVERSIONED && input.versionId === `etag-${etag}`);
}
