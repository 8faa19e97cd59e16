/** Counts the lines of a file that are comments, or in a part that the format skips, and keeps the first ones. */
import type { LineWindow } from '../bytes/line-window.ts';
import { shortText } from '../bytes/visible-text.ts';

/** Comment lines that are kept. */
const MAX_KEPT = 10;
const MAX_KEPT_CHARACTERS = 72;
/** Enough for one more. */
const MAX_KEPT_BYTES = 4 * MAX_KEPT_CHARACTERS + 4;

export interface CommentLine {
  /** From 1. */
  readonly line: number;
  /** Its text on one line, shortened if necessary. */
  readonly text: string;
}

export class CommentLog {
  /** Number of all comment lines. */
  count = 0;
  /** The first ones, in the order of the file. */
  readonly first: CommentLine[] = [];

  /** @param from start of the line's text in `bytes`, `to` its end (exclusive) */
  add(window: Pick<LineWindow, 'string'>, line: number, from: number, to: number): void {
    this.count++;
    if (this.first.length >= MAX_KEPT) return;
    const text = window.string(from, Math.min(to, from + MAX_KEPT_BYTES)).trim();
    this.first.push({ line, text: shortText(text, MAX_KEPT_CHARACTERS) });
  }

  /** Adds line `at` of a window. */
  addLine(window: LineWindow, at: number): void {
    this.add(window, window.number(at), window.text[at], window.end[at]);
  }
}
