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
import { finishCommitted, type StoredJob, storedJob, writeStatus } from '../delivery/commit.ts';
import { jobIdOf } from '../delivery/job-id.ts';
import type { StatusDocument } from '../delivery/status-document.ts';
import { sampleCost } from '../estimate/cost-sample.ts';
import { shardBytesFor, tooManyParts, tooManyShards } from '../estimate/shard-size.ts';
import { goneError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import { FileRejection } from '../job/input.ts';
import { RecordSource } from '../job/record-source.ts';
import { rejectionOf } from '../job/rejection.ts';
import { MISSING_UPLOAD_SECONDS } from '../limits.ts';
import { optionsFromCanonical } from '../options.ts';
import { FunctionTime } from '../storage/function-time.ts';
import { JsonLinesFile } from '../storage/json-lines.ts';
import { type ObjectSource, openSource } from '../storage/object-source.ts';
import { readAllJson, readJson } from '../storage/read-json.ts';
import { step } from '../storage/step.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { putIfAbsent } from '../storage/write-json.ts';
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
import { SCAN_START, type ScanSlice, scan } from './scan.ts';
import { shardsOf } from './segments.ts';
import type { CursorInput, PlanOutput, ShardItem } from './steps.ts';

/** Formats with one puzzle per line: such a file can be cut anywhere. */
const LINE_FORMATS: readonly string[] = ['line', 'expected', 'bank', 'csv'];

/** A job reads as stalled after this time: as long as its execution can be redriven. */
const DEADLINE_MS = 14 * 86_400_000;

/** If this many ranges give a single shard, their cuts were not found, and the file is scanned. */
const MIN_UNCUT_RANGES = 2;

const END: PlanOutput = { next: 'end', cursor: null, items: '', work: '' };

/** Plans, and returns the next step of the job. */
export async function planShards(input: CursorInput, dependencies: LargeDependencies): Promise<PlanOutput> {
  const { store, hashing } = dependencies;
  const { bucket, key, versionId, options } = input.job;
  // In a bucket without versions, `versionId` is made from the ETag.
  const version = versionId.startsWith('etag-') ? undefined : versionId;
  const info = await store.head(bucket, key, version);
  const identity = { bucket, key, versionId, bytes: info?.size, etag: info?.etag.replaceAll('"', '') };
  const job = storedJob(jobIdOf(input.job, hashing), identity, hashing);
  const stored = info && { bucket, key, versionId: version, bytes: info.size };
  try {
    return await nextStep(input, job, stored, workKeys(job.jobId, input.attempt), dependencies);
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection === undefined) throw error;
    await rejectLarge(job, options, rejection, dependencies);
    return END;
  }
}

/** @param stored the upload; undefined if there is none @throws FileRejection */
async function nextStep(
  input: CursorInput,
  job: StoredJob,
  stored: ObjectSource | undefined,
  keys: WorkKeys,
  dependencies: LargeDependencies,
): Promise<PlanOutput> {
  const { store } = dependencies;
  const { cursor } = input;

  if (cursor === null) {
    if ((await finishCommitted(job, dependencies)) !== undefined) return END;
    const plan = (await findPlan(dependencies, keys)) ?? (await newPlan());
    if (isCoverPlan(plan)) return slice(plan, 0);
    const { format, settings } = plan.detection;
    if (!LINE_FORMATS.includes(format) || settings.regionMaps !== undefined) return slice(plan, 0);
    await putLines(keys.ranges, ranges(plan.source.bytes, plan.shardBytes));
    return { next: 'count', cursor: {}, items: keys.ranges, work: keys.map };
  }

  const { plan } = await readPlan(input, dependencies);
  if (cursor.step !== undefined) return slice(plan, cursor.step);
  // After counting: makes shards if the counts agree at every cut, else reads the file in slices.
  const { source, shardBytes } = plan as ShardPlan;
  const { length } = ranges(source.bytes, shardBytes);
  const shards = shardsOfCounts(await readAll<RangeCount>(length, keys.count));
  const isCut = shards !== undefined && (shards.length > 1 || length < MIN_UNCUT_RANGES);
  return isCut ? solveAll(shards) : slice(plan, 0);

  /** If two attempts of this step run at once, both continue with the plan that is stored first. */
  async function newPlan(): Promise<LargePlan> {
    if (stored === undefined) {
      await requireOldStatus(job, dependencies);
      throw new FileRejection(goneError(input.job.key));
    }
    await writeStatus(job, dependencies, { state: 'running', attempt: input.attempt }, DEADLINE_MS);
    const made = await makePlan(input, job, stored, keys, dependencies);
    return putIfAbsent(dependencies, keys.plan, made);
  }

  /** Reads one slice of the file, until the time is short. */
  async function slice(plan: LargePlan, number: number): Promise<PlanOutput> {
    const again: PlanOutput = { next: 'plan', cursor: { step: number + 1 }, items: '', work: '' };
    if (!isCoverPlan(plan)) {
      const beginning: ScanSlice = { segments: [], next: SCAN_START };
      const { next } = await step(dependencies, keys.scan, number, beginning, (before, time) =>
        scan(before.next!, plan, store, time),
      );
      if (next !== undefined) return again;
      const slices = await readAll<ScanSlice>(number + 1, keys.scan);
      return solveAll(shardsOf(slices.flatMap(({ segments }) => segments))!);
    }
    const beginning: CoverSlice = { problems: [], next: 1 };
    const { next } = await step(dependencies, keys.scan, number, beginning, (before, time) =>
      coverSlice(plan, before.next!, dependencies, time),
    );
    if (next !== undefined) return again;
    const slices = await readAll<CoverSlice>(number + 1, keys.scan);
    const problems = slices.flatMap((each) => each.problems);
    if (problems.length === 0) throw new FileRejection(notSplit(slices));
    return solveAll(coverRanges(problems));
  }

  async function solveAll(shards: readonly ShardItem[]): Promise<PlanOutput> {
    await putLines(keys.shards, shards);
    return { next: 'solve', cursor: null, items: keys.shards, work: keys.map };
  }

  /** The documents of earlier steps, in their order. */
  function readAll<Document>(length: number, keyOf: (index: number) => string): Promise<Document[]> {
    return readAllJson(
      dependencies,
      Array.from({ length }, (_, k) => keyOf(k)),
    );
  }

  async function putLines(key: string, items: readonly object[]): Promise<void> {
    const file = new JsonLinesFile(dependencies, key);
    await writeWhole(file, async () => {
      for (const item of items) await file.add(item);
    });
  }
}

async function makePlan(
  input: CursorInput,
  job: StoredJob,
  stored: ObjectSource,
  keys: WorkKeys,
  dependencies: LargeDependencies,
): Promise<LargePlan> {
  const { store, clock, unpacking, jobLimits, shardBytes: setBytes, largeSeconds } = dependencies;
  const { options: canonical } = input.job;
  const options = optionsFromCanonical(canonical);
  const plan = {
    schema: 'dlx-batch/plan@1',
    jobId: job.jobId,
    attempt: input.attempt,
    program: PROGRAM_VERSION,
    startedAt: clock.timeOfDay(),
    input: job.input,
    options: canonical,
  } as const;
  const body = await openSource(store, stored, 0, stored.bytes);
  const hints = { ...formatHints(options), fileName: stored.key };
  const limits = { maxBytes: jobLimits?.unpackedBytes, storedBytes: stored.bytes };
  const file = new RecordSource(body, hints, unpacking, clock, limits);
  try {
    const detection = await file.detectReadable();
    if (detection.kind === 'empty') {
      throw tooLarge(
        'a file without puzzles cannot be split across functions, and this one exceeds the time of one function: ' +
          'solve it with the command-line tool',
      );
    }
    // Compressed data cannot be cut, readers take UTF-8, and Merge, which reads exact covers, may not read uploads.
    const isCopied = detection.kind === 'exact-cover' || !file.isPlain;
    const source = isCopied ? await plainCopy(file, stored, keys, dependencies) : stored;
    if (detection.kind === 'exact-cover') return { ...plan, source, detection };
    const engine = createEngine(options.engine);
    const sample = sampleCost({ source: file, detection, options, engine, clock });
    const shardBytes = setBytes ?? shardBytesFor(source.bytes, sample.usPerByte, largeSeconds);
    const tooMany = tooManyParts(source.bytes, sample.usPerByte) ?? tooManyShards(source.bytes, shardBytes);
    if (tooMany !== undefined) throw tooLarge(tooMany);
    return { ...plan, source, detection, shardBytes };
  } finally {
    await file.close();
  }
}

function tooLarge(message: string): FileRejection {
  return new FileRejection({ code: 'too_large', message });
}

/** Stores the text of the upload. @throws FileRejection if that takes too long */
async function plainCopy(
  file: RecordSource,
  stored: ObjectSource,
  keys: WorkKeys,
  dependencies: LargeDependencies,
): Promise<ObjectSource> {
  const { store, resultsBucket } = dependencies;
  const { progress } = file;
  const time = new FunctionTime(dependencies);
  const writer = store.writer(resultsBucket, keys.plain, 'application/octet-stream');
  await writeWhole(writer, async () => {
    for await (const bytes of file.text()) {
      await writer.write(bytes);
      if (!time.isShort) continue;
      throw tooLarge(
        `unpacking the file exceeds the time of one function: ${progress.storedBytes} of ${stored.bytes} bytes were unpacked; ` +
          'upload it as plain UTF-8 text, or split it',
      );
    }
  });
  return { bucket: resultsBucket, key: keys.plain, bytes: progress.plainBytes };
}

/**
 * An upload that a function has just read, and handed over, may be missing for a while: see MISSING_UPLOAD_SECONDS. The
 * step is repeated then; if the upload stays missing, the failure of the execution rejects the job.
 *
 * @throws Error if the status of the job is young
 */
async function requireOldStatus({ input, keys }: StoredJob, dependencies: LargeDependencies): Promise<void> {
  const status = await readJson<StatusDocument>(dependencies, keys.status);
  if (status?.state !== 'running') return;
  const ageMs = Date.parse(dependencies.clock.timeOfDay()) - Date.parse(status.updatedAt);
  if (ageMs < MISSING_UPLOAD_SECONDS * 1000) {
    throw new Error(`s3://${input.bucket}/${input.key} is missing, though its job has just begun`);
  }
}
