/**
 * One job: turns a stream of bytes into a result set.
 *
 *     stored bytes -> plain bytes -> records -> solver -> solutions, exceptions, records -> stats
 *                     (input.ts)     (lib/formats)        (lib/batch/results)
 *
 * No step buffers a whole file: the first MiB decides the format; then blocks of a few hundred records pass through, or one
 * exact-cover problem after the other. Results are written in input order. Between two steps the job yields an event, and its
 * caller decides whether it goes on: nothing calls upwards.
 */
import { tableColumns } from '../../formats/formats.ts';
import { DEFAULT_JOB_LIMITS, type JobWork, jobLimitError } from '../job-limits.ts';
import { canonicalOptions } from '../options.ts';
import { storeDocuments } from '../report/job-documents.ts';
import { Throughput } from '../report/throughput.ts';
import type { JobStats } from '../results/statistics.ts';
import { OutOfTimeError } from '../solving/drive.ts';
import type { FileError } from './file-error.ts';
import { formatHints } from './format-hints.ts';
import { FileRejection } from './input.ts';
import type { JobDependencies, JobEvent, JobOutcome, JobRequest, ReadableDetection } from './job-run.ts';
import { type RecordPipeline, recordPipeline } from './pipeline.ts';
import { RecordSource } from './record-source.ts';
import { rejectionOf } from './rejection.ts';

/** Runs a job to its end. */
export async function runJob(request: JobRequest, dependencies: JobDependencies): Promise<JobOutcome> {
  const events = jobEvents(request, dependencies);
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
  }
}

/**
 * Runs a job, step by step.
 *
 * An error of a puzzle is a value in the results; an error of the file is the outcome `rejected`. Storage failures and
 * defects throw. A job that is rejected, fails, or is ended by its caller, leaves no files.
 */
export async function* jobEvents(
  request: JobRequest,
  dependencies: JobDependencies,
): AsyncGenerator<JobEvent, JobOutcome, void> {
  const { options, fileName, storedBytes, before, jobLimits = DEFAULT_JOB_LIMITS } = request;
  const { unpacking, clock } = dependencies;
  const hints = { ...formatHints(options), fileName };
  const limits = { maxBytes: jobLimits.unpackedBytes, storedBytes };
  const source = new RecordSource(request.input, hints, unpacking, clock, limits);
  const throughput = new Throughput();
  const startMs = clock.monotonicMs() - (before?.wallMs ?? 0);
  /** Milliseconds since the job began. */
  const elapsedMs = () => clock.monotonicMs() - startMs;
  let file: RecordPipeline | undefined;
  try {
    const detection = await source.detectReadable();
    yield { kind: 'head', source, detection };
    file = recordPipeline({ ...request, detection }, dependencies);
    file.statistics.table = tableColumns(detection);
    for await (const problem of solved(file, detection)) {
      await checkWork(file.work);
      const ms = elapsedMs();
      if (problem === undefined) throughput.reach(file.puzzles, ms);
      const kind = problem === undefined || detection.kind === 'exact-cover' ? 'progress' : 'search';
      const puzzles = file.puzzles + (problem?.puzzles ?? 0);
      yield { kind, ...source.progress, puzzles, elapsedMs: ms, problem };
    }
    file.statistics.addComments(source.comments?.count ?? 0);
    return await finish(file);
  } catch (error) {
    if (error instanceof OutOfTimeError) {
      return { kind: 'rejected', error: outOfTime(file?.puzzles ?? 0), outOfTime: true };
    }
    const rejection = rejectionOf(error);
    if (rejection !== undefined) return { kind: 'rejected', error: rejection };
    throw error;
  } finally {
    // The files of a job that was not completed.
    await file?.results.abort();
    await source.close();
  }

  function outOfTime(puzzles: number): FileError {
    return {
      code: 'too_large',
      message:
        `the file takes longer than the time limit of one function: ${puzzles} puzzles were solved in ` +
        `${Math.round(elapsedMs() / 1000)} s; split the file, lower max-nodes, or use the command-line tool`,
    };
  }

  function solved(
    { solve, solveCovers, pool }: RecordPipeline,
    detection: ReadableDetection,
  ): ReturnType<RecordPipeline['solve']> | [] {
    if (detection.kind === 'exact-cover') return solveCovers(source.covers(detection));
    if (detection.kind === 'puzzles') return solve(source.blocks(detection, pool));
    source.readComments();
    return [];
  }

  /**
   * Compares the work so far with the limits, which grow with the file: text of unknown size is read ahead before it is
   * rejected. What is read ahead is at most a part of the results that were written.
   *
   * @throws FileRejection above one
   */
  async function checkWork(work: JobWork): Promise<void> {
    for (;;) {
      const { textBytes } = source;
      const error = jobLimitError(work, textBytes ?? source.progress.plainBytes, jobLimits);
      if (error === undefined) return;
      if (textBytes !== undefined) throw new FileRejection(error);
      await source.readAhead();
    }
  }

  /** Stores the result files, then the statistics and the report, which contain the times of the former. */
  async function finish({ results, statistics, writeMs }: RecordPipeline): Promise<JobOutcome> {
    const { random, report = true, files: folder } = request;
    const { engine, runtime, hashing, solver } = dependencies;
    const closeMs = elapsedMs();
    const files = await results.close();
    const wallMs = elapsedMs();
    const { readMs, parseMs, noPuzzles } = source;
    const times = { wallMs, readMs, parseMs, writeMs: writeMs + wallMs - closeMs };
    const info = { name: engine.name, version: engine.version, workers: solver.workers };
    const measured = statistics.stats(times, info, runtime, results.sample, noPuzzles);
    const stats: JobStats = { ...measured, random, used: before?.used };
    const data = {
      inputName: fileName,
      finishedAt: clock.timeOfDay(),
      canonicalOptions: canonicalOptions(options),
      stats,
      hardest: statistics.hardestRecords(),
      sample: results.sample,
      throughput,
    };
    files.push(...(await storeDocuments(data, report, folder, hashing)));
    return { kind: 'completed', stats, files };
  }
}
