/**
 * One job: a stream of bytes becomes a result set.
 *
 *     stored bytes -> plain bytes -> blocks of records -> solver -> solutions, exceptions, records -> stats
 *                     (input.ts)     (lib/formats)        (block-solver.ts)  (result-writer.ts)
 *
 * Nothing holds a whole file: the first MiB decides the format, then blocks of a few hundred records pass through,
 * as many at once as the solver takes, written in input order.
 */
import type { Detection } from '../../formats/reader.ts';
import { canonicalOptions } from '../options.ts';
import { CorruptInputError } from '../ports.ts';
import { HTML_TYPE, JSON_TYPE } from '../results/content-types.ts';
import { storeText, type WrittenFile } from '../results/result-files.ts';
import type { JobStats } from '../results/statistics.ts';
import { OutOfTimeError } from '../solving/solve-block.ts';
import { CoverFile } from './cover-file.ts';
import type { FileError } from './file-error.ts';
import { FileRejection } from './input.ts';
import { type FileJob, type JobDependencies, type JobRequest, JobRun } from './job-run.ts';
import { PuzzleFile } from './puzzle-file.ts';

export type JobOutcome =
  | {
      readonly kind: 'completed';
      readonly stats: JobStats;
      /** Every file of the result set but the manifest. */
      readonly files: readonly WrittenFile[];
    }
  /** The file as a whole cannot be solved; nothing of it stays in `files`. */
  | {
      readonly kind: 'rejected';
      readonly error: FileError;
      /** Whether it was only the time that was too short. */
      readonly outOfTime?: boolean;
    };

/**
 * Runs a job.
 *
 * A problem of a puzzle is a value in the results, a problem of the file is the outcome `rejected`. Failures of storage and
 * defects throw. A rejected or failed job leaves no files.
 */
export async function runJob(request: JobRequest, dependencies: JobDependencies): Promise<JobOutcome> {
  const run = new JobRun(request, dependencies);
  let solving: FileJob | undefined;
  try {
    solving = openFileJob(run, await run.source.detect());
    await solving.solve();
    return await finish(run, solving);
  } catch (error) {
    await solving?.abort();
    if (error instanceof OutOfTimeError) return { kind: 'rejected', error: outOfTime(run), outOfTime: true };
    if (error instanceof FileRejection) return { kind: 'rejected', error: error.error };
    if (error instanceof CorruptInputError) {
      return { kind: 'rejected', error: { code: 'corrupt', message: error.message } };
    }
    throw error;
  } finally {
    await run.source.close();
  }
}

function openFileJob(run: JobRun, detection: Detection): FileJob {
  switch (detection.kind) {
    case 'unreadable':
      throw new FileRejection(detection.error);
    case 'exact-cover':
      return new CoverFile(run, detection);
    default:
      return new PuzzleFile(run, detection);
  }
}

function outOfTime({ elapsedMs, puzzles }: JobRun): FileError {
  return {
    code: 'too_large',
    message:
      `the file takes longer than one function has: ${puzzles} puzzles were solved in ` +
      `${Math.round(elapsedMs / 1000)} s; split the file, lower max-nodes, or solve it with the command line`,
  };
}

/** Stores the result files, then statistics and report, which have their sizes and times. */
async function finish(run: JobRun, solving: FileJob): Promise<JobOutcome> {
  const { request, dependencies, source } = run;
  const { engine, runtime, hashing } = dependencies;
  const startMs = run.elapsedMs;
  const files = await solving.close();
  const wallMs = run.elapsedMs;
  const { readMs, parseMs } = source;
  const times = { wallMs, readMs, parseMs, writeMs: solving.writeMs + wallMs - startMs };
  const info = { name: engine.name, version: engine.version, workers: solving.workers };
  const stats = solving.statistics.stats(times, info, runtime);
  const statsText = `${JSON.stringify(stats, undefined, 2)}\n`;
  files.push(await storeText('stats.json', JSON_TYPE, statsText, request.files, hashing));
  if (request.report !== false) files.push(await writeReport(run, solving, stats));
  return { kind: 'completed', stats, files };
}

async function writeReport(run: JobRun, solving: FileJob, stats: JobStats): Promise<WrittenFile> {
  // Imported on demand: loading it would take most of the time of a small job.
  const { reportPage } = await import('../report/report-page.ts');
  const { fileName, options, files } = run.request;
  const { clock, hashing } = run.dependencies;
  const page = reportPage({
    inputName: fileName,
    finishedAt: clock.timeOfDay(),
    canonicalOptions: canonicalOptions(options),
    stats,
    slowest: solving.statistics.slowestRecords(),
    exceptions: solving.exceptions,
    throughput: run.throughput.samples(),
  });
  return storeText('report.html', HTML_TYPE, page, files, hashing);
}
