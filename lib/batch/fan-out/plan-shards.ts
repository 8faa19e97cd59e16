/**
 * Planning a large job, and every decision between its maps.
 *
 *     begin -> unpack (gzip) -> ranges -> count -> index -+-> solve
 *                                  \                      | it matters what came before
 *                                   \-> scan <------------+
 *                                        `-> (again, while its time is up) -> solve
 *
 * Files of lines are cut without being read: an 82 GB file costs its first MiB. Others are read once from the front. What
 * was decided once stands in `plan.json`, and a retry finds it there.
 */
import { detectFormat } from '../../formats/formats.ts';
import { type Detection, HEAD_BYTES } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import {
  findManifest,
  finishCommit,
  type JobStorage,
  rejectJob,
  type StoredJob,
  writeStatus,
} from '../delivery/commit.ts';
import { type InputIdentity, jsonBytes } from '../delivery/manifest.ts';
import { jobKeys } from '../delivery/result-keys.ts';
import { sampleCost } from '../estimate/cost-sample.ts';
import { inParallel } from '../in-parallel.ts';
import { type FileError, goneError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import { FileRejection } from '../job/input.ts';
import { deadlineReserveMs } from '../limits.ts';
import { optionsFromCanonical, type SolveOptions } from '../options.ts';
import { CorruptInputError, type Hashing, type ObjectInfo } from '../ports.ts';
import { JSON_LINES_TYPE, JSON_TYPE } from '../results/content-types.ts';
import { putFirst } from '../storage/put-first.ts';
import { readJson } from '../storage/read-json.ts';
import { PROGRAM_VERSION } from '../version.ts';
import type { RangeCount } from './count-range.ts';
import { indexCounts } from './index-counts.ts';
import { plainSource, type UnpackMachinery } from './plain-source.ts';
import {
  ranges,
  type Shard,
  type ShardPlan,
  type ShardSource,
  shardBytesFor,
  tooManyPieces,
  tooManyShards,
} from './plan.ts';
import { findPlan, readPlan, stepKeys } from './read-plan.ts';
import { SCAN_START, type ScanState, type ScanStretch, scan } from './scan.ts';
import type { LargeJob, PlanInput, PlanOutput } from './steps.ts';
import type { WorkKeys } from './work-keys.ts';

export interface PlanMachinery extends JobStorage, UnpackMachinery {
  readonly hashing: Hashing;
  openEngine(options: SolveOptions): Engine;
  /** Bytes of a shard, whatever a sample says. @default by the cost of a sample */
  readonly shardBytes?: number;
  /** Hears of a file that is rejected: the execution itself ends well, so nothing else tells. */
  onReject?(error: FileError): void;
}

/** Formats whose puzzles stand on a line each, so that a file of them can be cut anywhere. */
const LINE_FORMATS: readonly string[] = ['line', 'expected', 'bank', 'csv'];

/** How long a job may take before its status reads as stalled: as long as it can be redriven. */
const DEADLINE_DAYS = 14;
const DAY_MS = 86_400_000;

/** Counts that are read at one time. */
const READS_AT_ONCE = 32;

/** Ranges that came to a single shard say that their cuts were not found. */
const FEW_RANGES = 4;

type PlanCursor =
  | { readonly phase: 'index' }
  | { readonly phase: 'scan'; readonly stretch: number; readonly from: ScanState };

const END: PlanOutput = { next: 'end', cursor: null, items: '', work: '' };

/** The next step of a large job. */
export async function planShards(input: PlanInput, machinery: PlanMachinery): Promise<PlanOutput> {
  const step = new PlanStep(input, machinery);
  const cursor = input.cursor as PlanCursor | null;
  if (cursor === null) return step.begin();
  return cursor.phase === 'index' ? step.index() : step.scan(cursor.stretch, cursor.from);
}

/** The version that S3 knows; without versions, an identity is made from the object's ETag. */
function storedVersion({ versionId }: Pick<LargeJob, 'versionId'>): string | undefined {
  return versionId.startsWith('etag-') ? undefined : versionId;
}

class PlanStep {
  readonly #input: PlanInput;
  readonly #machinery: PlanMachinery;
  readonly #jobId: string;
  readonly #keys: WorkKeys;
  readonly #options: SolveOptions;

  constructor(input: PlanInput, machinery: PlanMachinery) {
    const { jobId, keys } = stepKeys(input, machinery.hashing);
    this.#input = input;
    this.#machinery = machinery;
    this.#jobId = jobId;
    this.#keys = keys;
    this.#options = optionsFromCanonical(input.job.options);
  }

  async begin(): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#machinery;
    const { bucket, key } = this.#input.job;
    const info = await store.head(bucket, key, storedVersion(this.#input.job));
    const job = this.#storedJob(info);
    const committed = await findManifest(job, this.#machinery);
    if (committed !== undefined) {
      await finishCommit(job, committed, this.#machinery);
      return END;
    }
    const existing = await findPlan(store, resultsBucket, this.#keys);
    if (existing !== undefined) return this.#cutOrScan(existing);
    if (info === undefined) return this.#reject(job, goneError(key));
    await this.#tell(job);
    try {
      return await this.#plan(job, info);
    } catch (error) {
      if (error instanceof FileRejection) return this.#reject(job, error.error);
      if (error instanceof CorruptInputError) {
        return this.#reject(job, { code: 'corrupt', message: error.message });
      }
      throw error;
    }
  }

  /** After the counting: shards, if the counts agree along the file. */
  async index(): Promise<PlanOutput> {
    const { store, resultsBucket } = this.#machinery;
    const plan = await this.#existingPlan();
    const { length } = ranges(plan.source.bytes, plan.shardBytes);
    const counts = await inParallel(Array.from({ length }), READS_AT_ONCE, async (_, shard) => {
      const key = this.#keys.count(shard);
      const found = await readJson<RangeCount>(store, resultsBucket, key);
      if (found === undefined) throw new Error(`${key} is not there: range ${shard} was not counted`);
      return found.document;
    });
    const indexed = indexCounts(counts);
    if (indexed.kind === 'unclear' || (indexed.shards.length === 1 && length >= FEW_RANGES)) {
      return this.scan(0, SCAN_START);
    }
    return this.#solve(indexed.shards);
  }

  /** Reads on from the front, as long as there is time. */
  async scan(stretch: number, from: ScanState): Promise<PlanOutput> {
    const { store, resultsBucket, remainingMs } = this.#machinery;
    const plan = await this.#existingPlan();
    const reserveMs = deadlineReserveMs(remainingMs());
    const hints = formatHints(this.#options);
    const key = this.#keys.scan(stretch);
    const stored = await readJson<ScanStretch>(store, resultsBucket, key);
    // Where a scan stops depends on time: the first one that is stored counts.
    const found =
      stored?.document ??
      (await putFirst(
        store,
        resultsBucket,
        key,
        await scan(from, plan, hints, store, () => remainingMs() > reserveMs),
      ));
    if (found.next !== undefined) {
      const cursor = { phase: 'scan', stretch: stretch + 1, from: found.next };
      return { next: 'plan', cursor, items: '', work: '' };
    }
    const earlier = await inParallel(Array.from({ length: stretch }), READS_AT_ONCE, async (_, k) => {
      const object = await readJson<ScanStretch>(store, resultsBucket, this.#keys.scan(k));
      if (object === undefined) throw new Error(`${this.#keys.scan(k)} is not there any more`);
      return object.document.shards;
    });
    return this.#solve([...earlier.flat(), ...found.shards]);
  }

  async #plan(job: StoredJob, info: ObjectInfo): Promise<PlanOutput> {
    const { store, resultsBucket, clock, openEngine } = this.#machinery;
    const { job: large, attempt } = this.#input;
    const stored: ShardSource = {
      bucket: large.bucket,
      key: large.key,
      versionId: storedVersion(large),
      bytes: info.size,
    };
    const { source, head } = await plainSource(stored, this.#keys.plain, this.#machinery);
    const complete = source.bytes <= HEAD_BYTES;
    const hints = { ...formatHints(this.#options), fileName: large.key };
    const detection = detectFormat(head, complete, hints);
    if (detection.kind !== 'puzzles') throw new FileRejection(notInShards(detection));
    const engine = openEngine(this.#options);
    const sample = sampleCost(head, complete, detection, hints, this.#options, engine, clock);
    const shardBytes = this.#machinery.shardBytes ?? shardBytesFor(source.bytes, sample.usPerByte);
    const tooMany = tooManyPieces(source.bytes, sample.usPerByte) ?? tooManyShards(source.bytes, shardBytes);
    if (tooMany !== undefined) throw new FileRejection({ code: 'too_large', message: tooMany });
    const plan: ShardPlan = {
      schema: 'dlx-batch/plan@1',
      jobId: this.#jobId,
      attempt,
      program: PROGRAM_VERSION,
      startedAt: clock.timeOfDay(),
      input: job.input,
      options: large.options,
      source,
      detection,
      shardBytes,
      sample,
    };
    const put = await store.putIf(resultsBucket, this.#keys.plan, jsonBytes(plan), JSON_TYPE, {
      ifAbsent: true,
    });
    // Two tries of this step may run at once: what the first one decided holds for both.
    return this.#cutOrScan(put.written ? plan : await this.#existingPlan());
  }

  async #cutOrScan(plan: ShardPlan): Promise<PlanOutput> {
    const { format, settings } = plan.detection;
    if (!LINE_FORMATS.includes(format) || settings.regionMaps === true) return this.scan(0, SCAN_START);
    await this.#putLines(this.#keys.ranges, ranges(plan.source.bytes, plan.shardBytes));
    return { next: 'count', cursor: { phase: 'index' }, items: this.#keys.ranges, work: this.#keys.map };
  }

  async #solve(shards: readonly Shard[]): Promise<PlanOutput> {
    await this.#putLines(this.#keys.shards, shards);
    return { next: 'solve', cursor: null, items: this.#keys.shards, work: this.#keys.map };
  }

  async #existingPlan(): Promise<ShardPlan> {
    return (await readPlan(this.#input, this.#machinery)).plan;
  }

  async #reject(job: StoredJob, error: FileError): Promise<PlanOutput> {
    const texts = JSON.parse(this.#input.job.options) as Record<string, unknown>;
    const options = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
    const standing = await rejectJob(job, error, options, this.#machinery);
    if (standing === undefined) this.#machinery.onReject?.(error);
    else await finishCommit(job, standing, this.#machinery);
    return END;
  }

  async #tell(job: StoredJob): Promise<void> {
    const now = this.#machinery.clock.timeOfDay();
    await writeStatus(job, this.#machinery, {
      state: 'running',
      attempt: this.#input.attempt,
      updatedAt: now,
      deadline: new Date(Date.parse(now) + DEADLINE_DAYS * DAY_MS).toISOString(),
    });
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
    return { jobId: this.#jobId, input, keys: jobKeys(key, versionId, this.#jobId, this.#machinery.hashing) };
  }

  async #putLines(key: string, items: readonly object[]): Promise<void> {
    const { store, resultsBucket } = this.#machinery;
    const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    await store.put(resultsBucket, key, new TextEncoder().encode(text), JSON_LINES_TYPE);
  }
}

function notInShards(detection: Exclude<Detection, { kind: 'puzzles' }>): FileError {
  if (detection.kind === 'unreadable') return detection.error;
  const what = detection.kind === 'empty' ? 'a file without puzzles' : 'an exact-cover file';
  return {
    code: 'too_large',
    message: `${what} cannot be parted among functions, and this one takes longer than one has: solve it with the command-line tool`,
  };
}
