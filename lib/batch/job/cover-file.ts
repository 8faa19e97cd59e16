/** Solves the problems of an exact-cover file, one after the other. */
import type { CoverDetection } from '../../formats/formats.ts';
import { CoverJob, coverRefusal } from '../covers/cover-job.ts';
import type { WrittenFile } from '../results/result-files.ts';
import { JobStatistics } from '../results/statistics.ts';
import { FileRejection } from './input.ts';
import type { FileJob, JobRun } from './job-run.ts';

export class CoverFile implements FileJob {
  readonly statistics = new JobStatistics();
  /** A search runs on one thread. */
  readonly workers = 1;
  readonly #run: JobRun;
  readonly #detection: CoverDetection;
  readonly #job: CoverJob;

  /** @throws FileRejection if the options do not apply to exact-cover files */
  constructor(run: JobRun, detection: CoverDetection) {
    const { options, files, countOnly = false, maxMs = Number.POSITIVE_INFINITY } = run.request;
    const { deadlineMs = Number.POSITIVE_INFINITY } = run.request;
    const { hashing, clock } = run.dependencies;
    const refusal = coverRefusal(options);
    if (refusal !== undefined) throw new FileRejection(refusal);
    const limits = { maxSolutions: options.solutions, maxNodes: options.maxNodes, maxMs, deadlineMs };
    this.#run = run;
    this.#detection = detection;
    this.#job = new CoverJob(options, limits, countOnly, files, hashing, clock);
  }

  get exceptions() {
    return this.#job.exceptions;
  }

  get writeMs() {
    return this.#job.writeMs;
  }

  async solve(): Promise<void> {
    const run = this.#run;
    for await (const record of run.source.covers(this.#detection)) {
      const index = run.puzzles + 1;
      const answer = await this.#job.solve(record, index, (problem) => run.report(problem));
      this.statistics.addCover(record, answer, index);
      run.puzzles = index;
      run.report();
    }
  }

  close(): Promise<WrittenFile[]> {
    return this.#job.close();
  }

  abort(): Promise<void> {
    return this.#job.abort();
  }
}
