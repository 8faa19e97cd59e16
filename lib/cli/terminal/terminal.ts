/**
 * Terminal output: lines that fit the terminal, and a line that is redrawn in place.
 *
 * Progress goes to standard error, and only to a terminal that can move its cursor, never to a file or a pipe.
 * Colours follow `NO_COLOR`, `FORCE_COLOR` and the capabilities of the stream.
 */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { visibleText } from '../../formats/bytes/visible-text.ts';

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const CLEAR_LINE = '\r\x1b[K';
const CLEAR_SCREEN = '\x1b[H\x1b[J';

/** Whether a stream is a terminal that can redraw a line. */
export function canRedraw({ isTTY }: Screen): boolean {
  return isTTY === true && process.env.TERM !== 'dumb';
}

/** Clears the line of a progress display, if there may be one. */
export function clearLine(screen: Screen): void {
  if (canRedraw(screen)) screen.write(CLEAR_LINE);
}

/** The width of a terminal in columns; undefined for a stream that is not a terminal, which accepts any line length. */
export function terminalColumns({ isTTY, columns }: Screen): number | undefined {
  return isTTY === true ? (columns ?? 80) : undefined;
}

const GRAPHEMES = new Intl.Segmenter();

/** Columns of a text on a terminal: two for a Chinese character or an emoji. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text to `width` columns at its end or in its middle, and marks the cut with an ellipsis. */
export function truncated(text: string, width: number, where: 'end' | 'middle' = 'end'): string {
  if (widthOf(text) <= width) return text;
  const graphemes = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
  const tailWidth = where === 'end' ? 0 : Math.ceil((width - 1) / 2);
  const head = fitting(graphemes, width - 1 - tailWidth);
  const tail = fitting(graphemes.toReversed(), tailWidth);
  return `${head.join('')}…${tail.reverse().join('')}`;
}

/** The first of these graphemes that fit. */
function fitting(graphemes: readonly string[], width: number): string[] {
  let left = width;
  const end = graphemes.findIndex((each) => {
    left -= widthOf(each);
    return left < 0;
  });
  return graphemes.slice(0, end);
}

export type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'dim';

/** Colours a text if the stream supports colours and the user has not disabled them. */
export function coloured(text: string, colour: Colour, stream: NodeJS.WriteStream): string {
  return styleText(colour, text, { stream });
}

/** Width of a path in a progress line: a longer one would hide the progress. */
export const MAX_PATH_COLUMNS = 40;

/** Width of a progress bar. */
export const BAR_COLUMNS = 24;

/** Returns `[######......]` with `width` characters in total. @param share from 0 to 1 */
export function bar(share: number, width = BAR_COLUMNS): string {
  const inside = Math.max(1, width - 2);
  const full = Math.round(Math.min(1, Math.max(0, share)) * inside);
  return `[${'#'.repeat(full)}${'.'.repeat(inside - full)}]`;
}

/** Clears a screen that can redraw. */
export function clearScreen(screen: Screen): void {
  screen.write(CLEAR_SCREEN);
}

/** A line that is redrawn in place. */
export class LiveLine {
  readonly #screen: Screen;
  readonly #redraws: boolean;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(screen: Screen = process.stderr) {
    this.#screen = screen;
    this.#redraws = canRedraw(screen);
  }

  /** Whether the line is drawn at all. */
  get visible(): boolean {
    return this.#redraws;
  }

  /**
   * Shows a text, at most ten times a second.
   *
   * @param text called only if the line is drawn; receives the available columns
   */
  show(text: (columns: number) => string, nowMs: number = performance.now()): void {
    if (!this.#redraws || nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    this.#drawn = true;
    // A line that fills the last column wraps on some terminals.
    const columns = (this.#screen.columns ?? 80) - 1;
    this.#screen.write(`${CLEAR_LINE}${truncated(visibleText(text(columns)), columns)}`);
  }

  /** Removes the line before other output. */
  clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#drawnMs = Number.NEGATIVE_INFINITY;
    this.#screen.write(CLEAR_LINE);
  }
}
