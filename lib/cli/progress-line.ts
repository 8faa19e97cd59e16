/** One line of progress on standard error, and only where that is a terminal. */
import type { JobProgress } from '../batch/job.ts';
import type { InputFile } from './input-files.ts';

const REDRAW_MS = 100;

export class ProgressLine {
  readonly #file: Pick<InputFile, 'path' | 'bytes'>;
  readonly #terminal = process.stderr.isTTY;
  #shownMs = 0;

  constructor(file: Pick<InputFile, 'path' | 'bytes'>) {
    this.#file = file;
  }

  show({ puzzles, storedBytes, elapsedMs, problem }: JobProgress): void {
    if (!this.#terminal || elapsedMs - this.#shownMs < REDRAW_MS) return;
    this.#shownMs = elapsedMs;
    const { path, bytes } = this.#file;
    const share = bytes === undefined || bytes === 0 ? '' : ` ${Math.floor((storedBytes / bytes) * 100)} %`;
    const count = (n: number) => n.toLocaleString('en-US');
    const rate = count(Math.round((puzzles / elapsedMs) * 1000));
    const text =
      problem === undefined
        ? `${path}:${share} ${count(puzzles)} puzzles, ${rate}/s`
        : `${path}: puzzle ${count(puzzles + 1)}, ${count(problem.solutions)} solutions, ${count(problem.nodes)} nodes`;
    process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.#shownMs > 0) process.stderr.write('\r\x1b[K');
  }
}
