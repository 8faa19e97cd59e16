/**
 * Joins the files of parts, and merges their statistics.
 *
 *     shard 0, part 0    shard 1, part 0    shard 1, part 1
 *     solutions.txt     + solutions.txt     + solutions.txt        with the writer's separator between two
 *     exceptions.jsonl  + exceptions.jsonl  + exceptions.jsonl
 */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { openWriter, tableColumns } from '../../formats/formats.ts';
import { attemptFiles, commitResults, type StoredJob } from '../delivery/commit.ts';
import { sha256Hex } from '../delivery/job-id.ts';
import type { FilePart, ManifestFile } from '../delivery/manifest.ts';
import { FileRejection } from '../job/input.ts';
import { DEFAULT_JOB_LIMITS, jobLimitError } from '../job-limits.ts';
import { optionsFromCanonical } from '../options.ts';
import { reportPage } from '../report/report-page.ts';
import { samplesOfIntervals } from '../report/throughput.ts';
import { HTML_TYPE, JSON_LINES_TYPE, JSON_TYPE } from '../results/content-types.ts';
import { type ExceptionRecord, ExceptionSample } from '../results/exception-sample.ts';
import { EXCEPTIONS_FILE, storeText } from '../results/result-files.ts';
import { JobStatistics, type JobStats } from '../results/statistics.ts';
import { readRange } from '../storage/object-source.ts';
import { type FileToJoin, type JoinInput, type JoinProgress, joinFile } from './join.ts';
import type { WorkKeys } from './keys.ts';
import type { LargeDependencies, LargeStorage, Shard, ShardPlan } from './large-job.ts';
import { listParts, readParts, readShards, requireAll, usedResources } from './parts.ts';
import type { RecordsPart } from './records.ts';
import type { Cursor, StepProgress } from './steps.ts';

/** A file of the result set and its parts. */
interface JoinedFile extends FileToJoin {
  readonly name: string;
  /** For the manifest: the checksum of the only part, or one for each part. */
  readonly checksum: Pick<ManifestFile, 'sha256' | 'parts'>;
}

/** The place at which the next invocation continues. */
interface MergeCursor extends JoinProgress {
  /** Index of the file being joined. */
  readonly file: number;
}

const NO_BYTES = new Uint8Array(0);
/** Bytes read of the exceptions of a part: hundreds of ordinary ones, or a few of the largest. */
const HEAD_BYTES = 1024 * 1024;

/** @throws FileRejection; Error that names the records that no part has */
export async function mergeRecords(
  plan: ShardPlan,
  keys: WorkKeys,
  job: StoredJob,
  from: Cursor,
  dependencies: LargeDependencies,
): Promise<StepProgress> {
  const parts = await readParts<RecordsPart>(await listParts(keys, dependencies), dependencies);
  // If one has rejected the file, others may be missing.
  const rejected = parts.find((part) => part.rejected !== undefined)?.rejected;
  if (rejected !== undefined) throw new FileRejection(rejected);
  requireAll(
    await readShards<Shard>(keys, dependencies),
    parts,
    ({ records }) => records,
    ({ shard, firstIndex }, begin, end) =>
      begin === end
        ? `end of shard ${shard}`
        : `records ${firstIndex + begin} to ${firstIndex + end - 1} (shard ${shard})`,
  );
  const joined = joinedFiles(plan, keys, parts, dependencies);
  requireWithinLimits(plan, parts, joined, dependencies);
  const cursor = from as MergeCursor | null;
  const files: ManifestFile[] = [];
  for (const [index, file] of joined.entries()) {
    const key = `${job.keys.attempt(plan.attempt)}${file.name}`;
    const begin = cursor?.file === index ? cursor : undefined;
    const progress = await joinFile(file, key, begin, dependencies);
    if (progress !== undefined) return { done: false, cursor: { file: index, ...progress } };
    files.push({ name: file.name, bytes: file.bytes, ...file.checksum });
  }
  await commitMerged(plan, keys, job, parts, files, dependencies);
  return { done: true, cursor: null };
}

/** @param parts all of the job, in the order of the file; they have the same files */
function joinedFiles(
  plan: ShardPlan,
  keys: WorkKeys,
  parts: readonly RecordsPart[],
  { hashing }: LargeDependencies,
): JoinedFile[] {
  const options = optionsFromCanonical(plan.options);
  const writer = openWriter(options.output, plan.detection, options);
  const names = parts[0]?.files.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const inputs: JoinInput[] = [];
    const checksums: FilePart[] = [];
    let previous: RecordsPart['writer'];
    for (const part of parts) {
      // The separator between the first solution of a part and the previous solution in any part.
      if (name.startsWith('solutions.') && part.writer !== undefined) {
        const out = new ByteBuffer(16);
        if (previous !== undefined) writer.writeSeparator(out, previous.last, part.writer.first);
        const separator = out.length === 0 ? NO_BYTES : out.take().slice();
        if (separator.length > 0) {
          inputs.push(separator);
          checksums.push({ bytes: separator.length, sha256: sha256Hex(separator, hashing) });
        }
        previous = part.writer;
      }
      const { bytes, sha256 } = part.files.find((file) => file.name === name)!;
      if (bytes === 0) continue;
      inputs.push({ key: keys.partFile(part, name), bytes });
      checksums.push({ bytes, sha256 });
    }
    return {
      name,
      contentType: name.endsWith('.jsonl') ? JSON_LINES_TYPE : writer.contentType,
      inputs,
      bytes: checksums.reduce((sum, { bytes }) => sum + bytes, 0),
      checksum: checksums.length === 1 ? { sha256: checksums[0]!.sha256 } : { parts: checksums },
    };
  });
}

/** @throws FileRejection if the shards together exceed a limit that none of them exceeds */
function requireWithinLimits(
  { source }: ShardPlan,
  parts: readonly RecordsPart[],
  joined: readonly JoinedFile[],
  { jobLimits = DEFAULT_JOB_LIMITS }: LargeDependencies,
): void {
  const bytesOf = (file: string) => joined.find(({ name }) => name.startsWith(file))?.bytes ?? 0;
  const work = {
    nodes: parts.reduce((sum, { statistics }) => sum + statistics.nodes, 0),
    solutionBytes: bytesOf('solutions.'),
    exceptionBytes: bytesOf('exceptions.'),
  };
  const error = jobLimitError(work, source.bytes, jobLimits);
  if (error !== undefined) throw new FileRejection(error);
}

/** @param joined the joined files, without statistics and report */
async function commitMerged(
  plan: ShardPlan,
  keys: WorkKeys,
  job: StoredJob,
  parts: readonly RecordsPart[],
  joined: readonly ManifestFile[],
  dependencies: LargeDependencies,
): Promise<void> {
  const { hashing, clock } = dependencies;
  const statistics = new JobStatistics();
  statistics.table = tableColumns(plan.detection);
  for (const part of parts) statistics.merge(part.statistics);
  const stats = mergedStats(statistics, plan, parts, dependencies);
  const report = reportPage({
    inputName: plan.input.key,
    finishedAt: clock.timeOfDay(),
    canonicalOptions: plan.options,
    stats,
    hardest: statistics.hardestRecords(),
    exceptions: { first: await firstExceptions(parts, keys, dependencies), total: stats.exceptions! },
    // Puzzles per second are the sum over all functions, placed by the time at which each started.
    throughput: samplesOfIntervals(
      parts.map(({ startedAt, wallMs, count }) => {
        const startMs = Math.max(0, Date.parse(startedAt) - Date.parse(plan.startedAt));
        return { startMs, durationMs: wallMs, puzzles: count };
      }),
    ),
  });
  // A repeated step writes the same files again.
  const files = attemptFiles(job, plan.attempt, dependencies, false);
  const statsText = `${JSON.stringify(stats, undefined, 2)}\n`;
  const documents = [
    await storeText('stats.json', JSON_TYPE, statsText, files, hashing),
    await storeText('report.html', HTML_TYPE, report, files, hashing),
  ];
  await commitResults(job, plan.attempt, plan.options, stats, [...joined, ...documents], dependencies);
}

/**
 * `stats.json` of a large job: times of reading and writing are sums over its functions, the wall time begins with its plan.
 */
function mergedStats(
  statistics: JobStatistics,
  plan: ShardPlan,
  parts: readonly RecordsPart[],
  { clock, runtime }: LargeDependencies,
): JobStats {
  const wallMs = Math.max(0, Date.parse(clock.timeOfDay()) - Date.parse(plan.startedAt));
  const times = { wallMs, readMs: 0, parseMs: 0, writeMs: 0 };
  const counts = { total: 0, unexpected: 0, cut: 0 };
  for (const part of parts) {
    times.readMs += part.times.readMs;
    times.parseMs += part.times.parseMs;
    times.writeMs += part.times.writeMs;
    counts.total += part.exceptions.total;
    counts.unexpected += part.exceptions.unexpected;
    counts.cut += part.exceptions.cut;
  }
  const stats = statistics.stats(times, parts.at(-1)!.engine, runtime, counts, 'header');
  return { ...stats, used: usedResources(parts) };
}

/** The first exceptions, from the beginnings of the parts. */
export async function firstExceptions(
  parts: readonly RecordsPart[],
  keys: WorkKeys,
  { store, resultsBucket: bucket }: LargeStorage,
): Promise<readonly ExceptionRecord[]> {
  const sample = new ExceptionSample();
  for (const part of parts) {
    const { bytes } = part.files.find(({ name }) => name === EXCEPTIONS_FILE)!;
    if (sample.full) break;
    if (bytes === 0) continue;
    const key = keys.partFile(part, EXCEPTIONS_FILE);
    const head = await readRange(store, { bucket, key, from: 0, to: Math.min(bytes, HEAD_BYTES) });
    const lines = new TextDecoder().decode(head).split('\n');
    // The text after the last line feed is empty or an incomplete line.
    for (const line of lines.slice(0, -1)) sample.add(JSON.parse(line) as ExceptionRecord);
    // The rest of this part is not read, so exceptions of later parts would not be the first ones.
    if (bytes > HEAD_BYTES) break;
  }
  return sample.first;
}
