/**
 * Joins the files of parts, and merges their statistics.
 *
 *     shard 0, part 0    shard 1, part 0    shard 1, part 1
 *     solutions.txt     + solutions.txt     + solutions.txt        with the writer's separator between two
 *     exceptions.jsonl  + exceptions.jsonl  + exceptions.jsonl
 */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { openWriter, tableColumns } from '../../formats/formats.ts';
import type { WriterState } from '../../formats/reader.ts';
import { attemptFiles, commitResults, type StoredJob } from '../delivery/commit.ts';
import { sha256Hex } from '../delivery/job-id.ts';
import type { FilePart, ManifestFile } from '../delivery/manifest.ts';
import { FileRejection } from '../job/input.ts';
import { DEFAULT_JOB_LIMITS, jobLimitError } from '../job-limits.ts';
import { optionsFromCanonical } from '../options.ts';
import { storeDocuments } from '../report/job-documents.ts';
import { Throughput } from '../report/throughput.ts';
import { JSON_LINES_TYPE } from '../results/content-types.ts';
import { addCounts } from '../results/counts.ts';
import type { JobRecord } from '../results/job-record.ts';
import { RecordSample } from '../results/record-sample.ts';
import { EXCEPTIONS_FILE } from '../results/result-files.ts';
import { JobStatistics, type JobStats } from '../results/statistics.ts';
import { FunctionTime } from '../storage/function-time.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import type { ResultStorage } from '../storage/read-json.ts';
import { type FileToJoin, type JoinInput, joinFile } from './join.ts';
import type { WorkKeys } from './keys.ts';
import type { LargeDependencies, Shard, ShardPlan } from './large-job.ts';
import { listParts, readParts, readShards, requireAll, usedResources } from './parts.ts';
import type { RecordsPart } from './records.ts';
import { type CursorInput, DONE, type StepProgress } from './steps.ts';

/** A part that has results. */
type SolvedPart = RecordsPart & Required<Pick<RecordsPart, 'results'>>;

/** A file of the result set and its parts. */
interface JoinedFile extends FileToJoin {
  readonly name: string;
  /** For the manifest: the checksum of the only part, or one for each part. */
  readonly checksum: Pick<ManifestFile, 'sha256' | 'parts'>;
}

/**
 * @param cursor where the function before has stopped
 * @throws FileRejection; Error that names the records that no part has
 */
export async function mergeRecords(
  plan: ShardPlan,
  keys: WorkKeys,
  job: StoredJob,
  cursor: CursorInput['cursor'],
  dependencies: LargeDependencies,
): Promise<StepProgress> {
  const time = new FunctionTime(dependencies);
  const parts = await readParts<RecordsPart>(await listParts(keys, dependencies), dependencies);
  const solved = parts.filter((part): part is SolvedPart => part.results !== undefined);
  const joined = joinedFiles(plan, keys, solved, dependencies);
  // First: a shard ends at a limit of the file, and its other parts are missing then.
  requireWithinLimits(plan, solved, joined, dependencies);
  requireAll(
    await readShards<Shard>(keys, dependencies),
    parts,
    false,
    ({ records }) => records,
    ({ shard, firstIndex }, begin, end) =>
      begin === end
        ? `end of shard ${shard}`
        : `records ${firstIndex + begin} to ${firstIndex + end - 1} (shard ${shard})`,
  );
  const { file: first = 0, ...begun } = cursor ?? {};
  for (const [k, file] of joined.slice(first).entries()) {
    const key = `${job.keys.attempt(plan.attempt)}${file.name}`;
    const progress = await joinFile(file, key, k === 0 ? begun : {}, time, dependencies);
    if (progress !== undefined) return { done: false, cursor: { file: first + k, ...progress } };
  }
  await commit();
  return DONE;

  async function commit(): Promise<void> {
    const { hashing, clock, runtime } = dependencies;
    const statistics = new JobStatistics();
    statistics.table = tableColumns(plan.detection);
    const throughput = new Throughput();
    // Times of reading and writing are sums over all functions, the wall time begins with the plan.
    const times = { wallMs: sinceMs(plan, clock.timeOfDay()), readMs: 0, parseMs: 0, writeMs: 0 };
    const sample = new RecordSample();
    for (const { count, results } of solved) {
      statistics.merge(results.statistics);
      const { wallMs, ...phases } = results.times;
      addCounts(times, phases);
      sample.merge(results.sample);
      const startMs = sinceMs(plan, results.startedAt);
      throughput.add(count, startMs, startMs + wallMs);
    }
    const { engine } = solved.at(-1)!.results;
    const measured = statistics.stats(times, engine, runtime, sample, 'header');
    const stats: JobStats = { ...measured, used: usedResources(parts) };
    await keepExceptions(sample, solved, keys, dependencies);
    const data = {
      inputName: plan.input.key,
      finishedAt: clock.timeOfDay(),
      canonicalOptions: plan.options,
      stats,
      hardest: statistics.hardestRecords(),
      sample,
      throughput,
    };
    // A repeated step writes the same files again.
    const files = attemptFiles(job, plan.attempt, dependencies, false);
    const documents = await storeDocuments(data, true, files, hashing);
    const merged = joined.map(({ name, bytes, checksum }) => ({ name, bytes, ...checksum }));
    await commitResults(job, plan.attempt, plan.options, stats, [...merged, ...documents], dependencies);
  }
}

/** @param parts in the order of the file; they have the same files */
function joinedFiles(
  plan: ShardPlan,
  keys: WorkKeys,
  parts: readonly SolvedPart[],
  { hashing }: LargeDependencies,
): JoinedFile[] {
  const options = optionsFromCanonical(plan.options);
  const writer = openWriter(options.output, plan.detection, options);
  const names = parts[0]?.results.files.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const inputs: JoinInput[] = [];
    const checksums: FilePart[] = [];
    let previous: WriterState | undefined;
    for (const part of parts) {
      const { files, writer: state } = part.results;
      // The separator between the first solution of a part and the previous solution in any part.
      if (name.startsWith('solutions.') && state !== undefined) {
        const out = new ByteBuffer(16);
        if (previous !== undefined) writer.writeSeparator(out, previous.last, state.first);
        if (out.length > 0) {
          const separator = out.take().slice();
          inputs.push(separator);
          checksums.push({ bytes: separator.length, sha256: sha256Hex(separator, hashing) });
        }
        previous = state;
      }
      const { bytes, sha256 } = files.find((file) => file.name === name)!;
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

/** @throws FileRejection if the shards together exceed a limit */
function requireWithinLimits(
  { source }: ShardPlan,
  parts: readonly SolvedPart[],
  joined: readonly JoinedFile[],
  { jobLimits = DEFAULT_JOB_LIMITS }: LargeDependencies,
): void {
  const bytesOf = (file: string) => joined.find(({ name }) => name.startsWith(file))?.bytes ?? 0;
  const work = {
    nodes: parts.reduce((sum, { results }) => sum + results.nodes, 0),
    solutionBytes: bytesOf('solutions.'),
    exceptionBytes: bytesOf('exceptions.'),
  };
  const error = jobLimitError(work, source.bytes, jobLimits);
  if (error !== undefined) throw new FileRejection(error);
}

/** Milliseconds from the beginning of the plan to a time of day. */
function sinceMs({ startedAt }: ShardPlan, time: string): number {
  return Math.max(0, Date.parse(time) - Date.parse(startedAt));
}

/** Lists the first exceptions, from the beginnings of the parts. */
async function keepExceptions(
  sample: RecordSample,
  parts: readonly SolvedPart[],
  keys: WorkKeys,
  storage: ResultStorage,
): Promise<void> {
  for (const part of parts) {
    if (part.results.sample.total === 0) continue;
    const lines = readJsonLines<JobRecord>(storage, keys.partFile(part, EXCEPTIONS_FILE));
    for await (const { document } of lines) {
      if (sample.isFull) return;
      sample.keep(document);
    }
  }
}
