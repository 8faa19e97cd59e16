/**
 * What is drawn for people: lines that fit their terminal, and a line that is redrawn in place.
 *
 * Progress goes to standard error, and only to a terminal that can move its cursor: a file or a pipe gets none of it.
 * Colours follow `NO_COLOR`, `FORCE_COLOR` and what the stream can show.
 */
import { styleText } from 'node:util';

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/** Whether a stream is a terminal on which a line can be drawn again. */
export function canRedraw({ isTTY }: Screen): boolean {
  return isTTY === true && process.env.TERM !== 'dumb';
}

/** Columns of a terminal; undefined for what is none, and takes lines of any length. */
export function terminalColumns({ isTTY, columns }: Screen): number | undefined {
  return isTTY === true ? (columns ?? 80) : undefined;
}

/** Text from elsewhere without the characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
}

/** Text that fits in `width` characters; what is left out, at its end or in its middle, is marked. */
export function truncated(text: string, width: number, where: 'end' | 'middle' = 'end'): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const tail = where === 'end' ? 0 : Math.ceil((width - 1) / 2);
  const head = Math.max(0, width - 1 - tail);
  return `${characters.slice(0, head).join('')}…${tail > 0 ? characters.slice(-tail).join('') : ''}`;
}

export type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'dim';

/** Text in a colour, where the stream shows colours and nobody asked for none. */
export function coloured(text: string, colour: Colour, stream: NodeJS.WriteStream): string {
  return styleText(colour, text, { stream });
}

/** `[######......]`, `width` characters in all. @param share from 0 to 1 */
export function bar(share: number, width: number): string {
  const inside = Math.max(1, width - 2);
  const full = Math.round(Math.min(1, Math.max(0, share)) * inside);
  return `[${'#'.repeat(full)}${'.'.repeat(inside - full)}]`;
}

/** A line that is drawn again and again in the same place. */
export class LiveLine {
  readonly #screen: Screen;
  readonly #redraws: boolean;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(screen: Screen = process.stderr) {
    this.#screen = screen;
    this.#redraws = canRedraw(screen);
  }

  /** Whether anybody sees it: then its text is worth making. */
  get visible(): boolean {
    return this.#redraws;
  }

  /**
   * Shows a text; not more often than the eye can follow.
   *
   * @param text called only where it is shown; gets the columns that it may fill
   */
  show(text: (columns: number) => string, nowMs: number = performance.now()): void {
    if (!this.#redraws || nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    this.#drawn = true;
    // A line that fills the last column wraps on some terminals.
    const columns = (this.#screen.columns ?? 80) - 1;
    this.#screen.write(`${CLEAR_LINE}${truncated(printable(text(columns)), columns)}`);
  }

  /** Takes the line away, so that something else can be written there. */
  clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#drawnMs = Number.NEGATIVE_INFINITY;
    this.#screen.write(CLEAR_LINE);
  }
}
