/**
 * Plans the versions of a bulk run in slices, before any of them is sent:
 *
 *     prefixes      a sweep of two listings: versions without a done marker
 *     a manifest    the newest versions of keys that a user lists
 *     a rerun       the versions of another run that were not solved
 *     rejected      the newest versions of uploads that were rejected
 */
import type { RejectDocument } from '../delivery/status-document.ts';
import { inParallel } from '../in-parallel.ts';
import { REJECTS_PREFIX } from '../names.ts';
import type { ObjectVersion } from '../ports.ts';
import { readJsonLines, readLines } from '../storage/json-lines.ts';
import { readJson } from '../storage/read-json.ts';
import { hold, type OtherHolds } from './holds.ts';
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
  /** Ids of runs that hold prefixes which are left out. */
  readonly heldBy: readonly string[];
}

type Plan = (version: PlannedVersion) => Promise<void>;
type Source = (
  from: PlanState,
  input: RunStepInput,
  dependencies: RunDependencies,
  others: OtherHolds,
  plan: Plan,
) => Promise<Omit<PlanState, 'heldBy'>>;

/** Plans one slice. */
export async function planRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { run } = input;
  const { slice: index = 0 } = (input.cursor ?? {}) as { readonly slice?: number };
  const prefixes =
    run.manifest === true || run.rerunOf !== undefined
      ? []
      : sweptPrefixes(run.prefix, dependencies.uploadPrefixes);
  const others = await hold(run.runId, prefixes, dependencies);
  const from =
    index === 0
      ? { counts: ZERO_COUNTS, ended: false, heldBy: others.runsWith(prefixes) }
      : (await storedSlice<PlanState>(run.runId, 'plan', index - 1, dependencies)).state;
  const file = sliceKey(run.runId, 'plan', index).replace('.json', `-${dependencies.ids.next()}.jsonl`);
  const source = sourceOf(input);
  const { state } = await slice<PlanState>(run.runId, 'plan', index, file, dependencies, async (add) => {
    let [planned, bytes] = [0, 0];
    const found = await source(from, input, dependencies, others, async (version) => {
      planned++;
      bytes += version.bytes;
      await add(version);
    });
    const { counts } = found;
    const all = { ...counts, planned: counts.planned + planned, plannedBytes: counts.plannedBytes + bytes };
    return { ...found, counts: all, heldBy: from.heldBy };
  });
  const { counts, ended, heldBy } = state;
  await writeRunStatus(input, dependencies, { state: 'planning', ...counts, heldBy });
  const isLast = ended || (await isCancelled(run.runId, dependencies));
  const plan = { counts, heldBy, slices: index + 1 };
  if (isLast) return { next: 'follow', cursor: { plan, slice: 0 }, waitSeconds: 1 };
  return { next: 'plan', cursor: { slice: index + 1 }, waitSeconds: 1 };
}

function sourceOf({ run }: RunStepInput): Source {
  if (run.manifest === true) return listedVersions;
  if (run.rerunOf !== undefined) return unsolvedVersions;
  return run.rejected === undefined ? unfinishedVersions : rejectedVersions;
}

const unfinishedVersions: Source = async (from, { run, startedAt }, dependencies, others, plan) => {
  const { uploadPrefixes } = dependencies;
  const time = stepTime(dependencies);
  const graceMs = (run.graceMinutes ?? dependencies.graceMinutes) * 60_000;
  const scope = {
    prefixes: sweptPrefixes(run.prefix, uploadPrefixes),
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
  return { counts, ended: state.ended, sweep: state };
};

/** Versions of another run that were not solved. */
const unsolvedVersions: Source = (from, { run }, dependencies, _, plan) =>
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
const listedVersions: Source = (from, { run }, dependencies, others, plan) => {
  const { store, resultsBucket, hashing } = dependencies;
  return eachLine(
    readLines(store, resultsBucket, runKeys(run.runId).manifest, from.fromByte),
    from,
    dependencies,
    async (line) => {
      const key = line.trim();
      if (key === '' || others.of(key) !== undefined) return 'none';
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
    },
  );
};

/** Reads lines until the time is short; what they are is found in parallel. */
async function eachLine<Line>(
  lines: AsyncIterable<{ readonly document: Line; readonly endByte: number }>,
  from: PlanState,
  dependencies: RunDependencies,
  read: (line: Line) => Promise<'planned' | 'alreadyDone' | 'none'>,
): Promise<Omit<PlanState, 'heldBy'>> {
  const time = stepTime(dependencies);
  const counts = { ...from.counts };
  let { fromByte = 0 } = from;
  const chunk: Line[] = [];
  const readChunk = async () => {
    const found = await inParallel(chunk.splice(0), READS_AT_ONCE, read);
    for (const each of found) {
      if (each !== 'none') counts.found++;
      if (each === 'alreadyDone') counts.alreadyDone++;
    }
  };
  for await (const { document, endByte } of lines) {
    chunk.push(document);
    fromByte = endByte;
    if (chunk.length < READS_AT_ONCE) continue;
    await readChunk();
    if (time.isShort) return { counts, ended: false, fromByte };
  }
  await readChunk();
  return { counts, ended: true, fromByte };
}

/** The newest version of a key; undefined if it has none, or was deleted. */
async function latestVersion(
  { store, inputBucket }: RunDependencies,
  key: string,
): Promise<ObjectVersion | undefined> {
  for await (const version of store.listVersions(inputBucket, key)) {
    // Other keys with this prefix follow it.
    return version.key === key && version.latest ? version : undefined;
  }
  return undefined;
}

/** The newest versions of uploads that were rejected, with the code that the run names. */
const rejectedVersions: Source = async (from, { run }, dependencies, others, plan) => {
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
      // Several jobs may have rejected it.
      seen.add(version.key);
      counts.found++;
      await plan({ ...version, why: 'rejected' });
    });
  let { after } = from;
  for (const prefix of sweptPrefixes(run.prefix, uploadPrefixes)) {
    const folder = REJECTS_PREFIX + prefix;
    if (after !== undefined && !after.startsWith(folder) && after > folder) continue;
    for await (const key of store.list(resultsBucket, folder, after)) {
      chunk.push(key);
      after = key;
      if (chunk.length < READS_AT_ONCE) continue;
      await readChunk();
      if (time.isShort) return { counts, ended: false, after };
    }
  }
  await readChunk();
  return { counts, ended: true };
};

/** Whether a version is that of a job, which names one without an id by its bytes. */
function isOf({ versionId, etag }: ObjectVersion, input: RejectDocument['input']): boolean {
  return input.versionId === versionId || (versionId === UNVERSIONED && input.versionId === `etag-${etag}`);
}
