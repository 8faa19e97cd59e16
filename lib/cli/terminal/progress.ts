/**
 * The progress of every command, on one line of the terminal: what is done, the rate, the time left.
 *
 *     [######......] 45 %, 540 MB of 1.2 GB, 35 MB/s, about 20 s left, 3 of 10 files
 */
import type { JobProgress } from '../../batch/job/job-run.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { MIN_RATE_MS } from '../../batch/results/measured-rate.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { secondsText } from './quantity-text.ts';
import { canRedraw, drawProgress, type Screen } from './terminal.ts';
import { truncated, widthOf } from './width.ts';

export interface Progress {
  /** What is worked on, such as a path. */
  readonly name?: string;
  /** The part that is done, from 0 to 1; undefined if it is unknown. */
  readonly share?: number | undefined;
  /** What is done: `540 MB of 1.2 GB`. */
  readonly done: string;
  /** Of what is done, in a second. */
  readonly rate?: (seconds: number) => string;
  readonly note?: string;
}

const BAR_COLUMNS = 24;
/** Width of a name: a longer one would hide the progress. */
const MAX_NAME_COLUMNS = 40;

/** Formats progress. @param columns that are available */
export function progressText(
  { name, share, done, rate, note }: Progress,
  elapsedMs: number,
  columns = Number.POSITIVE_INFINITY,
): string {
  const isMeasured = elapsedMs >= MIN_RATE_MS;
  const secondsLeft = share === undefined ? Number.NaN : (elapsedMs / 1000) * (1 / share - 1);
  const parts = [
    share === undefined ? '' : `${Math.floor(Math.min(1, share) * 100)} %`,
    done,
    isMeasured && rate !== undefined ? `${rate(elapsedMs / 1000)}/s` : '',
    isMeasured && Number.isFinite(secondsLeft) ? `about ${secondsText(Math.max(0, secondsLeft))} left` : '',
    note ?? '',
  ];
  const text =
    (name === undefined ? '' : `${truncated(name, MAX_NAME_COLUMNS, 'middle')}: `) +
    parts.filter((part) => part !== '').join(', ');
  return share === undefined || BAR_COLUMNS + 1 + widthOf(text) > columns ? text : `${bar(share)} ${text}`;
}

function bar(share: number): string {
  const inside = BAR_COLUMNS - 2;
  const full = Math.round(Math.min(1, Math.max(0, share)) * inside);
  return `[${'#'.repeat(full)}${'.'.repeat(inside - full)}]`;
}

const REDRAW_MS = 100;

/**
 * A line that is redrawn in place, below all other output: every command has one at most, and whatever writes to the
 * terminal erases it first (`beforeOutput`).
 */
export class ProgressLine {
  readonly #screen: Screen;
  readonly #startMs: number;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(screen: Screen = process.stderr, nowMs: number = performance.now()) {
    this.#screen = screen;
    this.#startMs = nowMs;
  }

  /** Whether the line is drawn at all. */
  get visible(): boolean {
    return canRedraw(this.#screen);
  }

  /** Shows progress, at most ten times a second. @param progress called only if the line is drawn */
  show(progress: () => Progress, nowMs: number = performance.now()): void {
    if (!this.visible || nowMs - this.#drawnMs < REDRAW_MS) return;
    drawProgress(this.#screen, (columns) => {
      this.#drawnMs = nowMs;
      const text = progressText(progress(), nowMs - this.#startMs, columns);
      return truncated(visibleText(text), columns);
    });
  }
}

/** The progress of a file of puzzles that is read on this machine. */
export function fileProgress(
  { path, bytes }: { readonly path: string; readonly bytes: number | undefined },
  { puzzles, storedBytes, problem }: Pick<JobProgress, 'puzzles' | 'storedBytes' | 'problem'>,
): Progress {
  if (problem === undefined) {
    const share = bytes === undefined || bytes === 0 ? undefined : storedBytes / bytes;
    const rate = (seconds: number) => numberText(Math.round(puzzles / seconds));
    return { name: path, share, done: counted(puzzles, 'puzzle'), rate };
  }
  const { solutions, nodes, subproblems } = problem;
  const total = subproblems === undefined ? problem.treeNodes?.() : undefined;
  return {
    name: path,
    // The size of a search tree is an estimate.
    share: subproblems ? subproblems.done / subproblems.all : total && Math.min(0.99, nodes / total),
    done: `puzzle ${numberText(puzzles + 1)}, ${counted(solutions, 'solution')}, ${counted(nodes, 'node')}`,
    note: subproblems && `${numberText(subproblems.done)} of ${counted(subproblems.all, 'subproblem')}`,
  };
}
