/**
 * Terminal output: colours, and a line that is redrawn in place.
 *
 * Progress goes to standard error, and only to a terminal that can move its cursor, never to a file or a pipe.
 * Colours follow `NO_COLOR`, `FORCE_COLOR` and the capabilities of the stream.
 */
import { styleText } from 'node:util';

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\x1b[K';

/** Whether a stream is a terminal that can redraw a line. */
export function canRedraw({ isTTY }: Screen): boolean {
  return isTTY === true && process.env.TERM !== 'dumb';
}

/** The width of a terminal in columns; undefined for a stream that is not a terminal, which accepts any line length. */
export function terminalColumns({ isTTY, columns }: Screen): number | undefined {
  return isTTY === true ? (columns ?? 80) : undefined;
}

export type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'dim';

/** Colours a text if the stream supports colours and the user has not disabled them. */
export function coloured(text: string, colour: Colour, stream: NodeJS.WriteStream): string {
  return styleText(colour, text, { stream });
}

/** The screen that shows a progress line now. */
let drawnOn: Screen | undefined;
/** Whether the last output on a terminal has ended within a line. */
let isLineOpen = false;

/** Erases the progress line before other output on a terminal. */
export function beforeOutput(screen: Screen, output: string | Uint8Array): void {
  if (screen.isTTY !== true || output.length === 0) return;
  eraseProgress();
  isLineOpen = output.at(-1) !== '\n' && output.at(-1) !== 0x0a;
}

/** Erases the progress line, if there is one. */
export function eraseProgress(): void {
  drawnOn?.write(CLEAR_LINE);
  drawnOn = undefined;
}

/** Erases the progress line and the `^C` of the terminal; a stream that is no terminal gets an empty line. */
export function eraseInterrupt(screen: Screen): void {
  drawnOn = undefined;
  screen.write(canRedraw(screen) && !isLineOpen ? CLEAR_LINE : '\n');
}

/** Draws the progress line in place, unless a line of output is open. @param text makes it for the available columns */
export function drawProgress(screen: Screen, text: (columns: number) => string): void {
  if (isLineOpen) return;
  drawnOn = screen;
  // A line that fills the last column wraps on some terminals.
  const columns = (screen.columns ?? 80) - 1;
  screen.write(`${CLEAR_LINE}${text(columns)}`);
}
