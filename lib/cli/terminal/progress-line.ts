/** The live progress line of a file that is processed on this machine. */
import type { JobProgress, SearchProgress } from '../../batch/job/job-run.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { MIN_RATE_MS } from '../../batch/results/measured-rate.ts';
import type { InputFile } from '../files/input-files.ts';
import { LiveLine, MAX_PATH_COLUMNS, truncated } from './terminal.ts';

/** The part of the search tree that is searched: `, 12 of 307 subproblems`, or by its estimated size `, about 12 %`. */
export function treeShare({ nodes, treeNodes, subproblems }: NonNullable<JobProgress['problem']>): string {
  if (subproblems !== undefined) {
    return `, ${numberText(subproblems.done)} of ${counted(subproblems.all, 'subproblem')}`;
  }
  const total = treeNodes?.();
  return total === undefined ? '' : `, about ${Math.min(99, Math.floor((100 * nodes) / total))} %`;
}

export class ProgressLine {
  readonly #file: Pick<InputFile, 'path' | 'bytes'>;
  readonly #line: LiveLine;
  readonly #startMs = performance.now();
  #latest: JobProgress = { puzzles: 0, storedBytes: 0, plainBytes: 0, elapsedMs: 0 };

  constructor(file: Pick<InputFile, 'path' | 'bytes'>, line = new LiveLine()) {
    this.#file = file;
    this.#line = line;
  }

  /** Shows the search of a puzzle in cells that other threads search. */
  showSearch(problem: SearchProgress): void {
    const elapsedMs = performance.now() - this.#startMs;
    this.#draw({ ...this.#latest, puzzles: this.#latest.puzzles + problem.puzzles, elapsedMs, problem });
  }

  show(progress: JobProgress): void {
    if (progress.problem === undefined) this.#latest = progress;
    this.#draw(progress);
  }

  #draw({ puzzles, storedBytes, elapsedMs, problem }: JobProgress): void {
    this.#line.show(() => {
      const { bytes } = this.#file;
      const path = truncated(this.#file.path, MAX_PATH_COLUMNS, 'middle');
      const share = bytes === undefined || bytes === 0 ? '' : ` ${Math.floor((storedBytes / bytes) * 100)} %`;
      const perSecond = numberText(Math.round((puzzles / elapsedMs) * 1000));
      const rate = elapsedMs < MIN_RATE_MS ? '' : `, ${perSecond}/s`;
      return problem === undefined
        ? `${path}:${share} ${counted(puzzles, 'puzzle')}${rate}`
        : `${path}: puzzle ${numberText(puzzles + 1)}, ${counted(problem.solutions, 'solution')}, ${counted(problem.nodes, 'node')}${treeShare(problem)}`;
    }, elapsedMs);
  }
}
