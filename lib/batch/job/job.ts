/**
 * One job: turns a stream of bytes into a result set.
 *
 *     stored bytes -> plain bytes -> blocks of records -> solver -> solutions, exceptions, records -> stats
 *                     (input.ts)     (lib/formats)        (block-solver.ts)  (result-writer.ts)
 *
 * No step buffers a whole file: the first MiB decides the format; then blocks of a few hundred records pass through, as
 * many concurrently as the solver accepts. Results are written in input order.
 */
import type { Detection } from '../../formats/reader.ts';
import { canonicalOptions } from '../options.ts';
import { HTML_TYPE, JSON_TYPE } from '../results/content-types.ts';
import { storeText, type WrittenFile } from '../results/result-files.ts';
import type { JobStats } from '../results/statistics.ts';
import { OutOfTimeError } from '../solving/solve-block.ts';
import { CoverFile } from './cover-file.ts';
import type { FileError } from './file-error.ts';
import { FileRejection } from './input.ts';
import {
  type FileJob,
  type JobDependencies,
  type JobRequest,
  JobRun,
  type ReadableDetection,
} from './job-run.ts';
import { openPuzzleFile } from './puzzle-file.ts';
import { rejectionOf } from './rejection.ts';

export type JobOutcome =
  | {
      readonly kind: 'completed';
      readonly stats: JobStats;
      /** All files of the result set except the manifest. */
      readonly files: readonly WrittenFile[];
    }
  /** The whole file cannot be solved; its result files are removed. */
  | {
      readonly kind: 'rejected';
      readonly error: FileError;
      /** Whether the deadline is the only reason. */
      readonly outOfTime?: boolean;
    };

/**
 * Runs a job.
 *
 * An error of a puzzle is a value in the results; an error of the file is the outcome `rejected`. Storage failures and
 * defects throw. A rejected or failed job leaves no files.
 */
export async function runJob(request: JobRequest, dependencies: JobDependencies): Promise<JobOutcome> {
  const run = new JobRun(request, dependencies);
  let fileJob: FileJob | undefined;
  try {
    const detection = await run.source.detect();
    if (detection.kind !== 'unreadable') await checkHead(run, detection);
    fileJob = openFileJob(run, detection);
    await fileJob.solve();
    return await finish(run, fileJob);
  } catch (error) {
    await fileJob?.abort();
    if (error instanceof OutOfTimeError) return { kind: 'rejected', error: outOfTime(run), outOfTime: true };
    const rejection = rejectionOf(error);
    if (rejection !== undefined) return { kind: 'rejected', error: rejection };
    throw error;
  } finally {
    await run.source.close();
  }
}

async function checkHead({ request, source }: JobRun, detection: ReadableDetection): Promise<void> {
  const error = await request.checkHead?.(source, detection);
  if (error !== undefined) throw new FileRejection(error);
}

function openFileJob(run: JobRun, detection: Detection): FileJob {
  switch (detection.kind) {
    case 'unreadable':
      throw new FileRejection(detection.error);
    case 'exact-cover':
      return new CoverFile(run, detection);
    default:
      return openPuzzleFile(run, detection);
  }
}

function outOfTime({ elapsedMs, puzzles }: JobRun): FileError {
  return {
    code: 'too_large',
    message:
      `the file takes longer than the time limit of one function: ${puzzles} puzzles were solved in ` +
      `${Math.round(elapsedMs / 1000)} s; split the file, lower max-nodes, or use the command-line tool`,
  };
}

/** Stores the result files, then the statistics and the report, which contain the times of the former. */
async function finish(run: JobRun, fileJob: FileJob): Promise<JobOutcome> {
  const { request, dependencies, source } = run;
  const { engine, runtime, hashing } = dependencies;
  const startMs = run.elapsedMs;
  const files = await fileJob.close();
  const wallMs = run.elapsedMs;
  const { readMs, parseMs } = source;
  const times = { wallMs, readMs, parseMs, writeMs: fileJob.writeMs + wallMs - startMs };
  const info = { name: engine.name, version: engine.version, workers: fileJob.workers };
  const measured = fileJob.statistics.stats(times, info, runtime, fileJob.exceptions, source.noPuzzles);
  const stats: JobStats = { ...measured, random: request.random, used: request.before?.used };
  const statsText = `${JSON.stringify(stats, undefined, 2)}\n`;
  files.push(await storeText('stats.json', JSON_TYPE, statsText, request.files, hashing));
  if (request.report !== false) files.push(await writeReport(run, fileJob, stats));
  return { kind: 'completed', stats, files };
}

async function writeReport(run: JobRun, fileJob: FileJob, stats: JobStats): Promise<WrittenFile> {
  // Imported on demand: loading it would take most of the time of a small job.
  const { reportPage } = await import('../report/report-page.ts');
  const { fileName, options, files } = run.request;
  const { clock, hashing } = run.dependencies;
  const page = reportPage({
    inputName: fileName,
    finishedAt: clock.timeOfDay(),
    canonicalOptions: canonicalOptions(options),
    stats,
    hardest: fileJob.statistics.hardestRecords(),
    exceptions: fileJob.exceptions,
    throughput: run.throughput.samples(),
  });
  return storeText('report.html', HTML_TYPE, page, files, hashing);
}
