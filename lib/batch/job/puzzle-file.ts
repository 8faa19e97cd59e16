/** Solves a file of puzzles in cells, or an empty file. */
import type { PuzzleDetection } from '../../formats/formats.ts';
import type { WrittenFile } from '../results/result-files.ts';
import { type OpenPipeline, openPipeline } from '../solving/open-pipeline.ts';
import type { FileJob, JobRun } from './job-run.ts';

export class PuzzleFile implements FileJob {
  readonly #run: JobRun;
  readonly #detection: PuzzleDetection | { readonly kind: 'empty' };
  readonly #open: OpenPipeline;

  constructor(run: JobRun, detection: PuzzleDetection | { readonly kind: 'empty' }) {
    this.#run = run;
    this.#detection = detection;
    this.#open = openPipeline(
      { ...run.request, detection, onBlock: () => this.#onBlock() },
      run.dependencies,
    );
  }

  get statistics() {
    return this.#open.statistics;
  }

  get exceptions() {
    return this.#open.results.exceptions;
  }

  get workers() {
    return this.#run.dependencies.solver.workers;
  }

  get writeMs() {
    return this.#open.pipeline.writeMs;
  }

  async solve(): Promise<void> {
    if (this.#detection.kind === 'empty') return;
    const { pipeline, pool } = this.#open;
    for await (const block of this.#run.source.blocks(this.#detection, pool)) await pipeline.take(block);
    await pipeline.drain();
  }

  close(): Promise<WrittenFile[]> {
    return this.#open.results.close();
  }

  async abort(): Promise<void> {
    await this.#open.pipeline.settle();
    await this.#open.results.abort();
  }

  #onBlock(): void {
    this.#run.puzzles = this.#open.pipeline.written;
    this.#run.report();
  }
}
