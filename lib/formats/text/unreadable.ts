/** Lines that no format knows: one record for the whole stretch, and reading goes on where a puzzle may start. */
import { isHeader } from './header.ts';
import { judgeRun } from './line-run.ts';
import { isFullLine } from './row-grids.ts';
import { CELL, DIGIT, KINDS, LETTER, type TextContext, type TextFault } from './text-context.ts';
import { MORE } from './text-format.ts';

/** What a message shows of a line. */
const SHOWN_CHARACTERS = 40;

/**
 * Enters the lines from `at` as one error: up to a blank line, a header, a line as long as a puzzle, or the first
 * row or list of cells behind a line that is neither.
 *
 * @returns lines taken, or `MORE`
 */
export function takeUnreadable(context: TextContext, at: number): number {
  const { window } = context;
  const wild = !resemblesCells(context, at);
  let line = at + 1;
  for (; ; line++) {
    if (!window.has(line)) {
      if (!window.closed) return MORE;
      break;
    }
    if (context.isBlank(line) || isHeader(context, line) || isFullLine(context, line)) break;
    const small = isSmallPuzzle(context, line);
    if (small === undefined) return MORE;
    if (small) break;
    if (wild && resemblesCells(context, line)) break;
  }
  context.enterError(at, line - at, faultOf(context, at));
  return line - at;
}

/**
 * Whether a line is a whole 4x4 or 6x6, and no row of a 16x16 or 36x36; undefined where more lines are needed to tell.
 */
function isSmallPuzzle(context: TextContext, at: number): boolean | undefined {
  const { window, sink } = context;
  if (window.tokens[at] !== 1) return false;
  const size = sink.book.sizeOfCells(window.tokenEnd[at] - window.text[at]);
  if (size !== 4 && size !== 6) return false;
  const kind = judgeRun(context, at);
  return kind === undefined ? undefined : kind === 'lines';
}

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank in it, or short tokens. */
function resemblesCells(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (isProse(end[at] - text[at], tokens[at])) return false;
  let other = false;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const kind = KINDS[bytes[byte]];
    if (bytes[byte] > 32 && (kind & CELL) === 0) return false;
    if (kind & CELL && !(kind & LETTER)) other = true;
  }
  return other;
}

/** Whether a line of so many bytes and tokens is prose: tokens longer than cells, more than one of them. */
function isProse(length: number, tokens: number): boolean {
  return tokens > 1 && length > tokens * 4;
}

function faultOf(context: TextContext, at: number): TextFault {
  const { window } = context;
  const { bytes, text } = window;
  const offset = text[at];
  if (window.isLong(at)) {
    return {
      code: 'too_large',
      line: at,
      offset,
      found: `${window.string(offset, offset + SHOWN_CHARACTERS)}...`,
      expected: 'a line of at most 1 MiB',
      problem: 'found a line of more than 1 MiB: no puzzle is that long',
    };
  }
  const length = window.tokenEnd[at] - offset;
  let cells = 0;
  let digits = 0;
  for (let byte = offset; byte < window.tokenEnd[at]; byte++) {
    if (KINDS[bytes[byte]] & CELL) cells++;
    if (KINDS[bytes[byte]] & DIGIT) digits++;
  }
  const shown = window.string(offset, Math.min(window.end[at], offset + SHOWN_CHARACTERS));
  const found = window.end[at] - offset > SHOWN_CHARACTERS ? `${shown}...` : shown;
  if (cells * 10 >= length * 9 && digits > 0 && length >= 4) {
    const characters = context.characters(at);
    const counted = window.tokens[at] === 1 ? characters : length;
    const size = nearestSize(context, counted);
    if (counted === size * size) {
      const stray = context.strayCharacter(at);
      return {
        code: 'bad_character',
        line: at,
        ...stray,
        expected: 'a digit or a blank',
        problem: `found "${stray.found}" in a ${size}x${size} puzzle: expected a digit or a blank`,
      };
    }
    return {
      code: 'bad_length',
      line: at,
      offset,
      found: `${counted} characters`,
      expected: `${size * size} characters`,
      problem: `found ${counted} characters: a ${size}x${size} puzzle on a line has ${size * size}`,
    };
  }
  return {
    code: 'bad_character',
    line: at,
    offset,
    found,
    expected: 'a puzzle',
    problem: `found "${found}": expected a puzzle, such as a line of 81 digits and dots, or rows of a grid`,
  };
}

/** The size whose puzzle on a line is nearest to a length: the last one read, if it is near enough. */
function nearestSize(context: TextContext, length: number): number {
  const last = context.sink.current?.geometry.size;
  if (last !== undefined && Math.abs(last * last - length) * 4 < last * last) return last;
  let best = 9;
  for (const size of context.sink.book.sizes) {
    if (Math.abs(size * size - length) < Math.abs(best * best - length)) best = size;
  }
  return best;
}
