/**
 * Plans a large job and makes every decision between its maps.
 *
 *     begin -> plain (UTF-8) -> ranges -> count -> index -+-> solve
 *                                  \                      | reading depends on earlier bytes
 *                                   \-> slices <----------+
 *                                        `-> (again) -> solve
 *
 * Files of lines are cut without reading them: planning an 82 GB file reads its first MiB. Other files are read once from
 * the beginning, in slices of one function each: files of puzzles to find segments (scan.ts), exact-cover files to find long
 * searches (covers.ts). Decisions are stored in `plan.json`, and a retry uses them.
 */
import { createEngine } from '../../sudoku/engines.ts';
import {
  findManifest,
  finishCommit,
  type StoredJob,
  storedJob,
  UNLESS_DONE,
  writeStatus,
} from '../delivery/commit.ts';
import { jobIdOf } from '../delivery/job-id.ts';
import type { StatusDocument } from '../delivery/status-document.ts';
import { sampleCost } from '../estimate/cost-sample.ts';
import { shardBytesFor, tooManyParts, tooManyShards } from '../estimate/shard-size.ts';
import { inParallel } from '../in-parallel.ts';
import { goneError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import { FileRejection, type InputProgress, plainBytes } from '../job/input.ts';
import { RecordSource } from '../job/record-source.ts';
import { rejectionOf } from '../job/rejection.ts';
import { MISSING_UPLOAD_SECONDS } from '../limits.ts';
import { optionsFromCanonical } from '../options.ts';
import type { ObjectInfo } from '../ports.ts';
import { FunctionTime } from '../storage/function-time.ts';
import { JsonLinesFile } from '../storage/json-lines.ts';
import { type ObjectSource, openSource } from '../storage/object-source.ts';
import { readJson, readWrittenJson } from '../storage/read-json.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { putIfAbsent, storedOnce } from '../storage/write-json.ts';
import { PROGRAM_VERSION } from '../version.ts';
import { type RangeCount, shardsOfCounts } from './count-range.ts';
import { type CoverSlice, coverRanges, coverSlice, notSplit } from './covers.ts';
import { type WorkKeys, workKeys } from './keys.ts';
import {
  findPlan,
  isCoverPlan,
  type LargeDependencies,
  type LargePlan,
  ranges,
  readPlan,
  rejectLarge,
  type ShardPlan,
} from './large-job.ts';
import { SCAN_START, type ScanPlace, type ScanSlice, scan } from './scan.ts';
import { shardsOf } from './segments.ts';
import type { PlanInput, PlanOutput, ShardItem } from './steps.ts';

/** Formats with one puzzle per line: such a file can be cut anywhere. */
const LINE_FORMATS: readonly string[] = ['line', 'expected', 'bank', 'csv'];

/** A job reads as stalled after this time: as long as its execution can be redriven. */
const DEADLINE_MS = 14 * 86_400_000;

const READS_AT_ONCE = 32;

/** If this many ranges give a single shard, their cuts were not found, and the file is scanned. */
const MIN_UNCUT_RANGES = 2;

/** The counts are indexed next, or a slice of the file is read. */
type PlanCursor =
  | { readonly phase: 'index' }
  | { readonly phase: 'slice'; readonly slice: number; readonly from: ScanPlace | number };

const END: PlanOutput = { next: 'end', cursor: null, items: '', work: '' };

/** Plans, and returns the next step of the job. */
export async function planShards(input: PlanInput, dependencies: LargeDependencies): Promise<PlanOutput> {
  const { store, hashing } = dependencies;
  const { bucket, key, versionId, options } = input.job;
  const cursor = input.cursor as PlanCursor | null;
  // In a bucket without versions, `versionId` is made from the ETag.
  const version = versionId.startsWith('etag-') ? undefined : versionId;
  const info = await store.head(bucket, key, version);
  const identity = { bucket, key, versionId, bytes: info?.size, etag: info?.etag.replaceAll('"', '') };
  const job = storedJob(jobIdOf(input.job, hashing), identity, hashing);
  const step = new PlanStep(input, job, dependencies);
  try {
    if (cursor === null) return await step.begin(info, version);
    return cursor.phase === 'index' ? await step.index() : await step.slice(cursor.slice, cursor.from);
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection === undefined) throw error;
    await rejectLarge(job, options, rejection, dependencies);
    return END;
  }
}

class PlanStep {
  readonly #input: PlanInput;
  readonly #job: StoredJob;
  readonly #dependencies: LargeDependencies;
  readonly #keys: WorkKeys;

  constructor(input: PlanInput, job: StoredJob, dependencies: LargeDependencies) {
    this.#input = input;
    this.#job = job;
    this.#dependencies = dependencies;
    this.#keys = workKeys(job.jobId, input.attempt);
  }

  /** @throws FileRejection */
  async begin(info: ObjectInfo | undefined, version: string | undefined): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#dependencies;
    const committed = await findManifest(this.#job, this.#dependencies);
    if (committed !== undefined) {
      await finishCommit(this.#job, committed, this.#dependencies);
      return END;
    }
    let plan = await findPlan(this.#dependencies, this.#keys);
    if (plan === undefined) {
      if (info === undefined) {
        await this.#requireOldStatus();
        throw new FileRejection(goneError(this.#input.job.key));
      }
      await this.#reportRunning();
      const made = await this.#makePlan(info, version);
      // If two attempts of this step run at once, both continue with the plan that is stored first.
      plan = await putIfAbsent(store, resultsBucket, this.#keys.plan, made);
    }
    if (isCoverPlan(plan)) return this.slice(0, 1);
    const { format, settings } = plan.detection;
    if (!LINE_FORMATS.includes(format) || settings.regionMaps !== undefined) return this.slice(0, SCAN_START);
    await this.#putLines(this.#keys.ranges, ranges(plan.source.bytes, plan.shardBytes));
    return { next: 'count', cursor: { phase: 'index' }, items: this.#keys.ranges, work: this.#keys.map };
  }

  /** After counting: makes shards if the counts agree at every cut, else reads the file in slices. */
  async index(): Promise<PlanOutput> {
    const { source, shardBytes } = (await this.#plan()) as ShardPlan;
    const { length } = ranges(source.bytes, shardBytes);
    const shards = shardsOfCounts(await this.#readAll<RangeCount>(length, this.#keys.count));
    const isCut = shards !== undefined && (shards.length > 1 || length < MIN_UNCUT_RANGES);
    return isCut ? this.#solve(shards) : this.slice(0, SCAN_START);
  }

  /**
   * Reads one slice of the file, until the time is short. Where it ends depends on time: the first attempt that stores it
   * decides.
   *
   * @throws FileRejection
   */
  async slice(slice: number, from: ScanPlace | number): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#dependencies;
    const plan = await this.#plan();
    const time = new FunctionTime(this.#dependencies);
    const hasTime = () => !time.isShort;
    const { next } = await storedOnce<ScanSlice | CoverSlice>(
      store,
      resultsBucket,
      this.#keys.scan(slice),
      () =>
        isCoverPlan(plan)
          ? coverSlice(plan, from as number, this.#dependencies, hasTime)
          : scan(from as ScanPlace, plan, store, hasTime),
    );
    if (next !== undefined) {
      const cursor: PlanCursor = { phase: 'slice', slice: slice + 1, from: next };
      return { next: 'plan', cursor, items: '', work: '' };
    }
    if (!isCoverPlan(plan)) {
      const slices = await this.#readAll<ScanSlice>(slice + 1, this.#keys.scan);
      return this.#solve(shardsOf(slices.flatMap(({ segments }) => segments))!);
    }
    const slices = await this.#readAll<CoverSlice>(slice + 1, this.#keys.scan);
    const problems = slices.flatMap((each) => each.problems);
    if (problems.length === 0) throw new FileRejection(notSplit(slices));
    return this.#solve(coverRanges(problems));
  }

  /** The stored plan. */
  async #plan(): Promise<LargePlan> {
    return (await readPlan(this.#input, this.#dependencies)).plan;
  }

  async #makePlan(info: ObjectInfo, versionId: string | undefined): Promise<LargePlan> {
    const { store, clock, unpacking, jobLimits, shardBytes: setBytes, largeSeconds } = this.#dependencies;
    const { job, attempt } = this.#input;
    const options = optionsFromCanonical(job.options);
    const plan = {
      schema: 'dlx-batch/plan@1',
      jobId: this.#job.jobId,
      attempt,
      program: PROGRAM_VERSION,
      startedAt: clock.timeOfDay(),
      input: this.#job.input,
      options: job.options,
    } as const;
    const stored = { bucket: job.bucket, key: job.key, versionId, bytes: info.size };
    const { body } = await openSource(store, stored, 0, stored.bytes);
    const hints = { ...formatHints(options), fileName: job.key };
    const limits = { maxBytes: jobLimits?.unpackedBytes, storedBytes: stored.bytes };
    const file = new RecordSource(body, hints, unpacking, clock, false, limits);
    const detection = await file.detect().finally(() => file.close());
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    if (detection.kind === 'empty') {
      throw new FileRejection({
        code: 'too_large',
        message:
          'a file without puzzles cannot be split across functions, and this one exceeds the time of one function: ' +
          'solve it with the command-line tool',
      });
    }
    // Compressed data cannot be cut, readers take UTF-8, and Merge, which reads exact covers, may not read uploads.
    const isCopied = detection.kind === 'exact-cover' || !file.knowsSize;
    const source = isCopied ? await this.#plainCopy(stored) : stored;
    if (detection.kind === 'exact-cover') return { ...plan, source, detection };
    const engine = createEngine(options.engine);
    const sample = sampleCost({ source: file, detection, hints, options, engine, clock });
    const shardBytes = setBytes ?? shardBytesFor(source.bytes, sample.usPerByte, largeSeconds);
    const tooMany = tooManyParts(source.bytes, sample.usPerByte) ?? tooManyShards(source.bytes, shardBytes);
    if (tooMany !== undefined) throw new FileRejection({ code: 'too_large', message: tooMany });
    return { ...plan, source, detection, shardBytes, sample };
  }

  /** Stores a plain copy of the upload. @throws FileRejection if that takes too long */
  async #plainCopy(stored: ObjectSource): Promise<ObjectSource> {
    const { store, resultsBucket, unpacking, jobLimits } = this.#dependencies;
    const progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
    const { body } = await openSource(store, stored, 0, stored.bytes);
    const time = new FunctionTime(this.#dependencies);
    const key = this.#keys.plain;
    const writer = store.writer(resultsBucket, key, 'application/octet-stream');
    await writeWhole(writer, async () => {
      const limits = { maxBytes: jobLimits?.unpackedBytes, storedBytes: stored.bytes };
      for await (const bytes of plainBytes(body, unpacking, progress, {}, limits)) {
        await writer.write(bytes);
        if (!time.isShort) continue;
        throw new FileRejection({
          code: 'too_large',
          message:
            `unpacking the file exceeds the time of one function: ${progress.storedBytes} of ${stored.bytes} bytes were unpacked; ` +
            'upload it as plain UTF-8 text, or split it',
        });
      }
    });
    return { bucket: resultsBucket, key, bytes: progress.plainBytes };
  }

  async #solve(shards: readonly ShardItem[]): Promise<PlanOutput> {
    await this.#putLines(this.#keys.shards, shards);
    return { next: 'solve', cursor: null, items: this.#keys.shards, work: this.#keys.map };
  }

  /**
   * An upload that a function has just read, and handed over, may be missing for a while: see MISSING_UPLOAD_SECONDS. The
   * step is repeated then; if the upload stays missing, the failure of the execution rejects the job.
   *
   * @throws Error if the status of the job is young
   */
  async #requireOldStatus(): Promise<void> {
    const { store, resultsBucket, clock } = this.#dependencies;
    const { input, keys } = this.#job;
    const status = (await readJson<StatusDocument>(store, resultsBucket, keys.status))?.document;
    if (status?.state !== 'running') return;
    const ageMs = Date.parse(clock.timeOfDay()) - Date.parse(status.updatedAt);
    if (ageMs < MISSING_UPLOAD_SECONDS * 1000) {
      throw new Error(`s3://${input.bucket}/${input.key} is missing, though its job has just begun`);
    }
  }

  async #reportRunning(): Promise<void> {
    const updatedAt = this.#dependencies.clock.timeOfDay();
    const deadline = new Date(Date.parse(updatedAt) + DEADLINE_MS).toISOString();
    const status = { state: 'running', attempt: this.#input.attempt, updatedAt, deadline } as const;
    await writeStatus(this.#job, this.#dependencies, status, UNLESS_DONE);
  }

  /** The documents of earlier steps, in their order. */
  #readAll<Document>(length: number, keyOf: (index: number) => string): Promise<Document[]> {
    const { store, resultsBucket } = this.#dependencies;
    return inParallel(
      Array.from({ length }, (_, index) => keyOf(index)),
      READS_AT_ONCE,
      (key) =>
        readWrittenJson<Document>(store, resultsBucket, key, 'its step has not run, or it was deleted'),
    );
  }

  async #putLines(key: string, items: readonly object[]): Promise<void> {
    const { store, resultsBucket } = this.#dependencies;
    const file = new JsonLinesFile(store, resultsBucket, key);
    await writeWhole(file, async () => {
      for (const item of items) await file.add(item);
    });
  }
}
