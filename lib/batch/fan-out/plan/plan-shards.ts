/**
 * Plans a large job and makes every decision between its maps.
 *
 *     begin -> plain (UTF-8) -> ranges -> count -> index -+-> solve
 *                                  \                      | reading depends on earlier bytes
 *                                   \-> scan <------------+
 *                                        `-> (again, in slices) -> solve
 *
 *     begin -> plain -> covers -> (again, in slices) -> solve          an exact-cover file: plan-covers.ts
 *
 * Files of lines are cut without reading them: planning an 82 GB file reads its first MiB. Other files are read once from
 * the beginning. Decisions are stored in `plan.json`, and a retry uses them.
 */

import type { SplitRule } from '../../../exact-cover/split/split-search.ts';
import { detectFormat } from '../../../formats/formats.ts';
import { type Detection, HEAD_BYTES } from '../../../formats/reader.ts';
import type { Engine } from '../../../sudoku/engine.ts';
import {
  findManifest,
  finishCommit,
  type JobStorage,
  type StoredJob,
  storedJob,
  UNLESS_DONE,
  writeStatus,
} from '../../delivery/commit.ts';
import { type InputIdentity, jsonBytes } from '../../delivery/manifest.ts';
import type { StatusDocument } from '../../delivery/status-document.ts';
import { sampleCost } from '../../estimate/cost-sample.ts';
import { shardBytesFor, tooManyParts, tooManyShards } from '../../estimate/shard-size.ts';
import { inParallel } from '../../in-parallel.ts';
import { type FileError, goneError } from '../../job/file-error.ts';
import { formatHints } from '../../job/format-hints.ts';
import { FileRejection } from '../../job/input.ts';
import { rejectionOf } from '../../job/rejection.ts';
import { deadlineReserveMs, MISSING_UPLOAD_SECONDS } from '../../limits.ts';
import { optionsFromCanonical, type SolveOptions } from '../../options.ts';
import type { Hashing, ObjectInfo } from '../../ports.ts';
import { JSON_LINES_TYPE, JSON_TYPE } from '../../results/content-types.ts';
import type { ObjectSource } from '../../storage/object-source.ts';
import { putIfAbsent } from '../../storage/put-if-absent.ts';
import { readJson, readWrittenJson } from '../../storage/read-json.ts';
import { PROGRAM_VERSION } from '../../version.ts';
import { coverRanges } from '../covers/cover-ranges.ts';
import { findPlan, readPlan, stepKeys } from '../read-plan.ts';
import { rejectPlanned } from '../reject-planned.ts';
import {
  type CoverPlan,
  isCoverPlan,
  type LargePlan,
  ranges,
  type ShardPlan,
  shardPlanOf,
} from '../shard-plan.ts';
import type { LargeJob, PlanInput, PlanOutput, ShardItem } from '../steps.ts';

import type { WorkKeys } from '../work-keys.ts';
import type { RangeCount } from './count-range.ts';
import { indexCounts } from './index-counts.ts';
import { plainCopy, plainSource, type UnpackDependencies } from './plain-source.ts';
import { type CoverSlice, notSplit, planCoverSlice } from './plan-covers.ts';
import { SCAN_START, type ScanSlice, type ScanState, scan } from './scan.ts';

export interface PlanDependencies extends JobStorage, UnpackDependencies {
  readonly hashing: Hashing;
  openEngine(options: SolveOptions): Engine;
  /** Bytes of a shard. @default chosen by the cost of a sample */
  readonly shardBytes?: number;
  /** A file that takes one function more seconds than this is large. @default `LARGE_JOB_SECONDS` */
  readonly largeSeconds?: number;
  /** When the search of an exact cover is split: for tests. */
  readonly splitRule?: SplitRule;
  /** Called when the file is rejected; the execution itself succeeds, so nothing else reports it. */
  onReject?(error: FileError): void;
}

/** Formats with one puzzle per line: such a file can be cut anywhere. */
const LINE_FORMATS: readonly string[] = ['line', 'expected', 'bank', 'csv'];

/** A job reads as stalled after this time: as long as its execution can be redriven. */
const DEADLINE_DAYS = 14;
const DAY_MS = 86_400_000;

const READS_AT_ONCE = 32;

/** If this many ranges give a single shard, their cuts were not found, and the file is scanned. */
const MIN_UNCUT_RANGES = 2;

type PlanCursor =
  | { readonly phase: 'index' }
  | { readonly phase: 'scan'; readonly slice: number; readonly from: ScanState }
  | { readonly phase: 'covers'; readonly slice: number; readonly from: number };

const END: PlanOutput = { next: 'end', cursor: null, items: '', work: '' };

/** Plans, and returns the next step of the job. */
export async function planShards(input: PlanInput, dependencies: PlanDependencies): Promise<PlanOutput> {
  const step = new PlanStep(input, dependencies);
  const cursor = input.cursor as PlanCursor | null;
  if (cursor === null) return step.begin();
  if (cursor.phase === 'index') return step.index();
  return cursor.phase === 'scan'
    ? step.scan(cursor.slice, cursor.from)
    : step.covers(cursor.slice, cursor.from);
}

/** The version id for S3; undefined in a bucket without versions, where `versionId` is made from the ETag. */
function storedVersion({ versionId }: Pick<LargeJob, 'versionId'>): string | undefined {
  return versionId.startsWith('etag-') ? undefined : versionId;
}

class PlanStep {
  readonly #input: PlanInput;
  readonly #dependencies: PlanDependencies;
  readonly #jobId: string;
  readonly #keys: WorkKeys;
  readonly #options: SolveOptions;

  constructor(input: PlanInput, dependencies: PlanDependencies) {
    const { jobId, keys } = stepKeys(input, dependencies.hashing);
    this.#input = input;
    this.#dependencies = dependencies;
    this.#jobId = jobId;
    this.#keys = keys;
    this.#options = optionsFromCanonical(input.job.options);
  }

  async begin(): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#dependencies;
    const { bucket, key } = this.#input.job;
    const info = await store.head(bucket, key, storedVersion(this.#input.job));
    const job = this.#storedJob(info);
    const committed = await findManifest(job, this.#dependencies);
    if (committed !== undefined) {
      await finishCommit(job, committed, this.#dependencies);
      return END;
    }
    const existing = await findPlan(store, resultsBucket, this.#keys);
    if (existing !== undefined) return this.#afterPlan(existing);
    if (info === undefined) {
      await this.#requireOldStatus(job);
      return this.#reject(job, goneError(key));
    }
    await this.#reportRunning(job);
    try {
      return await this.#plan(job, info);
    } catch (error) {
      const rejection = rejectionOf(error);
      if (rejection === undefined) throw error;
      return this.#reject(job, rejection);
    }
  }

  /** After counting: makes shards if the counts agree at every cut, else scans the file. */
  async index(): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#dependencies;
    const plan = shardPlanOf(await this.#existingPlan());
    const { length } = ranges(plan.source.bytes, plan.shardBytes);
    const counts = await inParallel(Array.from({ length }), READS_AT_ONCE, (_, shard) => {
      const reason = `range ${shard} was not counted`;
      return readWrittenJson<RangeCount>(store, resultsBucket, this.#keys.count(shard), reason);
    });
    const indexed = indexCounts(counts);
    if (indexed.kind === 'unclear' || (indexed.shards.length === 1 && length >= MIN_UNCUT_RANGES)) {
      return this.scan(0, SCAN_START);
    }
    return this.#solve(indexed.shards);
  }

  /** Scans one slice of the file, until the time is short. */
  async scan(slice: number, from: ScanState): Promise<PlanOutput> {
    const { store, resultsBucket, hashing } = this.#dependencies;
    const plan = shardPlanOf(await this.#existingPlan());
    const key = this.#keys.scan(slice);
    let found: ScanSlice;
    try {
      const stored = await readJson<ScanSlice>(store, resultsBucket, key);
      // The end of a slice depends on time: the first attempt that stores it decides.
      found =
        stored?.document ?? (await putIfAbsent(store, resultsBucket, key, await this.#scanSlice(plan, from)));
    } catch (error) {
      const rejection = rejectionOf(error);
      if (rejection === undefined) throw error;
      return this.#reject(storedJob(plan.jobId, plan.input, hashing), rejection);
    }
    if (found.next !== undefined) {
      const cursor = { phase: 'scan', slice: slice + 1, from: found.next };
      return { next: 'plan', cursor, items: '', work: '' };
    }
    const earlier = await this.#slicesBefore<ScanSlice>(slice);
    return this.#solve([...earlier, found].flatMap(({ shards }) => shards));
  }

  /** Finds the long searches of an exact-cover file in one slice of the file, until the time is short. */
  async covers(slice: number, from: number): Promise<PlanOutput> {
    const plan = await this.#existingPlan();
    if (!isCoverPlan(plan)) throw new Error(`job ${plan.jobId} is planned as a file of puzzles`);
    try {
      return await this.#planCovers(plan, slice, from);
    } catch (error) {
      const rejection = rejectionOf(error);
      if (rejection === undefined) throw error;
      return this.#reject(storedJob(plan.jobId, plan.input, this.#dependencies.hashing), rejection);
    }
  }

  async #planCovers(plan: CoverPlan, slice: number, from: number): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#dependencies;
    const key = this.#keys.scan(slice);
    const stored = await readJson<CoverSlice>(store, resultsBucket, key);
    const found =
      stored?.document ?? (await putIfAbsent(store, resultsBucket, key, await this.#coverSlice(plan, from)));
    if (found.next !== undefined) {
      const cursor = { phase: 'covers', slice: slice + 1, from: found.next };
      return { next: 'plan', cursor, items: '', work: '' };
    }
    const slices = [...(await this.#slicesBefore<CoverSlice>(slice)), found];
    const problems = slices.flatMap((each) => each.problems);
    if (problems.length === 0) throw new FileRejection(notSplit(slices));
    return this.#solve(coverRanges(problems));
  }

  #coverSlice(plan: CoverPlan, from: number): Promise<CoverSlice> {
    return planCoverSlice(plan, from, this.#dependencies, this.#hasTime());
  }

  #scanSlice(plan: ShardPlan, from: ScanState): Promise<ScanSlice> {
    return scan(from, plan, formatHints(this.#options), this.#dependencies.store, this.#hasTime());
  }

  #hasTime(): () => boolean {
    const { remainingMs } = this.#dependencies;
    const reserveMs = deadlineReserveMs(remainingMs());
    return () => remainingMs() > reserveMs;
  }

  #slicesBefore<Slice>(slice: number): Promise<Slice[]> {
    const { store, resultsBucket } = this.#dependencies;
    const reason = 'it was deleted while its job ran';
    return inParallel(Array.from({ length: slice }), READS_AT_ONCE, (_, k) =>
      readWrittenJson<Slice>(store, resultsBucket, this.#keys.scan(k), reason),
    );
  }

  async #plan(job: StoredJob, info: ObjectInfo): Promise<PlanOutput> {
    const { clock, openEngine } = this.#dependencies;
    const { job: large } = this.#input;
    const stored: ObjectSource = {
      bucket: large.bucket,
      key: large.key,
      versionId: storedVersion(large),
      bytes: info.size,
    };
    const { source, head } = await plainSource(stored, this.#keys.plain, this.#dependencies);
    const complete = source.bytes <= HEAD_BYTES;
    const hints = { ...formatHints(this.#options), fileName: large.key };
    const detection = detectFormat(head, complete, hints);
    if (detection.kind === 'exact-cover') {
      // Merge may not read uploads.
      const copy = source === stored ? await plainCopy(stored, this.#keys.plain, this.#dependencies) : source;
      return this.#storePlan({ ...this.#jobPlan(job), source: copy, detection });
    }
    if (detection.kind !== 'puzzles') throw new FileRejection(notInShards(detection));
    const engine = openEngine(this.#options);
    const sample = sampleCost(head, complete, detection, hints, this.#options, engine, clock);
    const { largeSeconds } = this.#dependencies;
    const chosenBytes = shardBytesFor(source.bytes, sample.usPerByte, largeSeconds);
    const shardBytes = this.#dependencies.shardBytes ?? chosenBytes;
    const tooMany = tooManyParts(source.bytes, sample.usPerByte) ?? tooManyShards(source.bytes, shardBytes);
    if (tooMany !== undefined) throw new FileRejection({ code: 'too_large', message: tooMany });
    return this.#storePlan({ ...this.#jobPlan(job), source, detection, shardBytes, sample });
  }

  #jobPlan(job: StoredJob) {
    const { job: large, attempt } = this.#input;
    return {
      schema: 'dlx-batch/plan@1',
      jobId: this.#jobId,
      attempt,
      program: PROGRAM_VERSION,
      startedAt: this.#dependencies.clock.timeOfDay(),
      input: job.input,
      options: large.options,
    } as const;
  }

  async #storePlan(plan: LargePlan): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#dependencies;
    const put = await store.putIf(resultsBucket, this.#keys.plan, jsonBytes(plan), JSON_TYPE, {
      ifAbsent: true,
    });
    // If two attempts of this step run at once, both continue with the plan that is stored first.
    return this.#afterPlan(put.written ? plan : await this.#existingPlan());
  }

  #afterPlan(plan: LargePlan): Promise<PlanOutput> {
    return isCoverPlan(plan) ? this.covers(0, 1) : this.#cutOrScan(plan);
  }

  async #cutOrScan(plan: ShardPlan): Promise<PlanOutput> {
    const { format, settings } = plan.detection;
    if (!LINE_FORMATS.includes(format) || settings.regionMaps !== undefined) return this.scan(0, SCAN_START);
    await this.#putLines(this.#keys.ranges, ranges(plan.source.bytes, plan.shardBytes));
    return { next: 'count', cursor: { phase: 'index' }, items: this.#keys.ranges, work: this.#keys.map };
  }

  async #solve(shards: readonly ShardItem[]): Promise<PlanOutput> {
    await this.#putLines(this.#keys.shards, shards);
    return { next: 'solve', cursor: null, items: this.#keys.shards, work: this.#keys.map };
  }

  async #existingPlan(): Promise<LargePlan> {
    return (await readPlan(this.#input, this.#dependencies)).plan;
  }

  async #reject(job: StoredJob, error: FileError): Promise<PlanOutput> {
    await rejectPlanned(job, this.#input.job.options, error, this.#dependencies);
    return END;
  }

  /**
   * An upload that a function has just read, and handed over, may be missing for a while: see MISSING_UPLOAD_SECONDS. The
   * step is repeated then; if the upload stays missing, the failure of the execution rejects the job.
   *
   * @throws Error if the status of the job is young
   */
  async #requireOldStatus({ input, keys }: StoredJob): Promise<void> {
    const { store, resultsBucket, clock } = this.#dependencies;
    const status = await readJson<StatusDocument>(store, resultsBucket, keys.status);
    if (status?.document.state !== 'running') return;
    const ageMs = Date.parse(clock.timeOfDay()) - Date.parse(status.document.updatedAt);
    if (ageMs < MISSING_UPLOAD_SECONDS * 1000) {
      throw new Error(`s3://${input.bucket}/${input.key} is missing, though its job has just begun`);
    }
  }

  async #reportRunning(job: StoredJob): Promise<void> {
    const now = this.#dependencies.clock.timeOfDay();
    const deadline = new Date(Date.parse(now) + DEADLINE_DAYS * DAY_MS).toISOString();
    const { attempt } = this.#input;
    const status = { state: 'running', attempt, updatedAt: now, deadline } as const;
    await writeStatus(job, this.#dependencies, status, UNLESS_DONE);
  }

  #storedJob(info: ObjectInfo | undefined): StoredJob {
    const { bucket, key, versionId } = this.#input.job;
    const input: InputIdentity = {
      bucket,
      key,
      versionId,
      bytes: info?.size,
      etag: info?.etag.replaceAll('"', ''),
    };
    return storedJob(this.#jobId, input, this.#dependencies.hashing);
  }

  async #putLines(key: string, items: readonly object[]): Promise<void> {
    const { store, resultsBucket } = this.#dependencies;
    const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    await store.put(resultsBucket, key, new TextEncoder().encode(text), JSON_LINES_TYPE);
  }
}

function notInShards(detection: Exclude<Detection, { kind: 'puzzles' | 'exact-cover' }>): FileError {
  if (detection.kind === 'unreadable') return detection.error;
  return {
    code: 'too_large',
    message:
      'a file without puzzles cannot be split across functions, and this one exceeds the time of one function: ' +
      'solve it with the command-line tool',
  };
}
