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
import { DEFAULT_JOB_LIMITS, type JobLimits, type JobWork, jobLimitError } from '../job-limits.ts';
import { canonicalOptions } from '../options.ts';
import { storeDocuments } from '../report/job-documents.ts';
import { Throughput } from '../report/throughput.ts';
import type { JobStats } from '../results/statistics.ts';
import { OutOfTimeError } from '../solving/drive.ts';
import type { FileError } from './file-error.ts';
import { formatHints } from './format-hints.ts';
import { FileRejection } from './input.ts';
import type { JobDependencies, JobEvent, JobOutcome, JobRequest, ReadableDetection } from './job-run.ts';
import { RecordPipeline } from './pipeline.ts';
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
  const job = new Job(request, dependencies);
  try {
    return yield* job.run();
  } catch (error) {
    if (error instanceof OutOfTimeError) return { kind: 'rejected', error: job.outOfTime(), outOfTime: true };
    const rejection = rejectionOf(error);
    if (rejection !== undefined) return { kind: 'rejected', error: rejection };
    throw error;
  } finally {
    await job.close();
  }
}

/** A job in progress. */
class Job {
  readonly #request: JobRequest;
  readonly #dependencies: JobDependencies;
  readonly #source: RecordSource;
  readonly #jobLimits: JobLimits;
  readonly #throughput = new Throughput();
  readonly #startMs: number;
  #file: RecordPipeline | undefined;

  constructor(request: JobRequest, dependencies: JobDependencies) {
    const { unpacking, clock } = dependencies;
    this.#request = request;
    this.#dependencies = dependencies;
    this.#jobLimits = request.jobLimits ?? DEFAULT_JOB_LIMITS;
    const hints = { ...formatHints(request.options), fileName: request.fileName };
    const limits = { maxBytes: this.#jobLimits.unpackedBytes, storedBytes: request.storedBytes };
    this.#source = new RecordSource(request.input, hints, unpacking, clock, false, limits);
    this.#source.canReadAhead = true;
    this.#startMs = clock.monotonicMs() - (request.before?.wallMs ?? 0);
  }

  async *run(): AsyncGenerator<JobEvent, JobOutcome, void> {
    const source = this.#source;
    const detection = await source.detect();
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    yield { kind: 'head', source, detection };
    const file = new RecordPipeline({ ...this.#request, detection }, this.#dependencies);
    this.#file = file;
    file.statistics.table = tableColumns(detection);
    for await (const problem of this.#solve(file, detection)) {
      await this.#checkWork(file.work);
      const { storedBytes, plainBytes } = source.progress;
      const { elapsedMs } = this;
      if (problem === undefined) this.#throughput.reach(file.puzzles, elapsedMs);
      const kind = problem === undefined || detection.kind === 'exact-cover' ? 'progress' : 'search';
      const puzzles = file.puzzles + (problem?.puzzles ?? 0);
      yield { kind, storedBytes, plainBytes, puzzles, elapsedMs, problem };
    }
    file.statistics.addComments(source.comments?.count ?? 0);
    return this.#finish(file);
  }

  /** Removes the files of a job that was not completed. */
  async close(): Promise<void> {
    await this.#file?.results.abort();
    await this.#source.close();
  }

  outOfTime(): FileError {
    return {
      code: 'too_large',
      message:
        `the file takes longer than the time limit of one function: ${this.#file?.puzzles ?? 0} puzzles were solved in ` +
        `${Math.round(this.elapsedMs / 1000)} s; split the file, lower max-nodes, or use the command-line tool`,
    };
  }

  /** Milliseconds since the job began. */
  get elapsedMs(): number {
    return this.#dependencies.clock.monotonicMs() - this.#startMs;
  }

  #solve(file: RecordPipeline, detection: ReadableDetection): ReturnType<RecordPipeline['solve']> | [] {
    const source = this.#source;
    if (detection.kind === 'exact-cover') return file.solveCovers(source.covers(detection));
    if (detection.kind === 'puzzles') return file.solve(source.blocks(detection, file.pool));
    source.readComments();
    return [];
  }

  /**
   * Compares the work so far with the jobLimits, which grow with the file: text of unknown size is read ahead before it is
   * rejected. What is read ahead is at most a part of the results that were written.
   *
   * @throws FileRejection above one
   */
  async #checkWork(work: JobWork): Promise<void> {
    for (;;) {
      const error = jobLimitError(work, this.#textBytes, this.#jobLimits);
      if (error === undefined) return;
      if (!(await this.#source.readAhead())) throw new FileRejection(error);
    }
  }

  /** Bytes of the whole text; of a file whose text has an unknown size, those that were read so far. */
  get #textBytes(): number {
    const { knowsSize, progress } = this.#source;
    return Math.max(progress.plainBytes, knowsSize ? this.#request.storedBytes! : 0);
  }

  /** Stores the result files, then the statistics and the report, which contain the times of the former. */
  async #finish(file: RecordPipeline): Promise<JobOutcome> {
    const { random, before, report = true, files: folder, fileName, options } = this.#request;
    const { engine, runtime, hashing, solver, clock } = this.#dependencies;
    const startMs = this.elapsedMs;
    const files = await file.results.close();
    const wallMs = this.elapsedMs;
    const { readMs, parseMs, noPuzzles } = this.#source;
    const times = { wallMs, readMs, parseMs, writeMs: file.writeMs + wallMs - startMs };
    const info = { name: engine.name, version: engine.version, workers: solver.workers };
    const measured = file.statistics.stats(times, info, runtime, file.results.sample, noPuzzles);
    const stats: JobStats = { ...measured, random, used: before?.used };
    const data = {
      inputName: fileName,
      finishedAt: clock.timeOfDay(),
      canonicalOptions: canonicalOptions(options),
      stats,
      hardest: file.statistics.hardestRecords(),
      sample: file.results.sample,
      throughput: this.#throughput,
    };
    files.push(...(await storeDocuments(data, report, folder, hashing)));
    return { kind: 'completed', stats, files };
  }
}
