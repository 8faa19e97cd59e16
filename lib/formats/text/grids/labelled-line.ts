/**
 * A puzzle of adjacent characters in a line with other text, and its solution, if the line has it too.
 *
 *     easy01 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 *     INSERT INTO puzzles VALUES (7, '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79');
 *     grid = 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 */
import { ruleInText } from '../../rules/rule-names.ts';
import { CELL, KINDS, LETTER } from '../byte-kinds.ts';
import { solutionAt } from '../lines/expected.ts';
import type { TextContext } from '../text-context.ts';

/** Cells of the smallest puzzle that is found after text other than a list number. */
export const MIN_LABELLED_CELLS = 81;
const MAX_LABEL_BYTES = 256;
const MAX_LINE_BYTES = 8192;
/** Signs around a puzzle that are not part of its label. */
const SIGNS_AROUND = /^[\s#:;,|=()<>"'`/\\-]+|[\s:;,|=()<>"'`/\\-]+$/g;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export interface LabelledPuzzle {
  /** Offsets of the puzzle. */
  readonly from: number;
  readonly to: number;
  readonly label: string | undefined;
  readonly solution: Uint8Array | undefined;
  /** A rule that the text names and no variant has, if the line is a record of fields. */
  readonly rule: string | undefined;
}

/** The only puzzle in line `at`; undefined if it has none or several, or starts with it. */
export function labelledPuzzle(context: TextContext, at: number): LabelledPuzzle | undefined {
  const { window } = context;
  const { bytes, text, end } = window;
  const [first, last] = [text[at], end[at]];
  const length = last - first;
  if (length < MIN_LABELLED_CELLS + 2 || length > MAX_LINE_BYTES) return undefined;
  // An object may have rules; a colon starts a line of a library, which is damaged.
  if (bytes[first] === OPEN_BRACE || bytes[first] === COLON || isObjectEnd(bytes, last)) return undefined;
  const runs = puzzleRuns(context, first, last);
  if (runs.length === 0 || runs.length > 2) return undefined;
  let [puzzle, other] = runs;
  let solution: Uint8Array | undefined;
  if (other !== undefined) {
    if (puzzle.to - puzzle.from !== other.to - other.from) return undefined;
    const geometry = context.sink.book.geometryOfCells(puzzle.to - puzzle.from);
    if (geometry === undefined) return undefined;
    solution = solutionAt(context, other.from, geometry);
    if (solution === undefined) {
      solution = solutionAt(context, puzzle.from, geometry);
      [puzzle, other] = [other, puzzle];
    } else if (solutionAt(context, puzzle.from, geometry) !== undefined) return undefined;
    if (solution === undefined) return undefined;
  }
  const [start, stop] =
    other === undefined || other.from > puzzle.from ? [puzzle, other ?? puzzle] : [other, puzzle];
  const texts = [
    window.string(first, start.from),
    window.string(start.to, stop === start ? start.to : stop.from),
    window.string(stop.to, last),
  ];
  const label = texts
    .map((part) => part.replaceAll(SIGNS_AROUND, ''))
    .filter(Boolean)
    .join(' ');
  const isRecord = texts.some((part) => /["'<=]/.test(part));
  return {
    from: puzzle.from,
    to: puzzle.to,
    label: label === '' ? undefined : label,
    solution,
    rule: isRecord ? ruleInText(label) : undefined,
  };
}

/** Whether a line ends with a closing brace, and a comma perhaps. */
function isObjectEnd(bytes: Uint8Array, last: number): boolean {
  return bytes[last - 1] === CLOSE_BRACE || (bytes[last - 1] === COMMA && bytes[last - 2] === CLOSE_BRACE);
}

/** The runs of cells that are as long as a puzzle, at most three. */
function puzzleRuns({ window: { bytes }, sink }: TextContext, first: number, last: number): Run[] {
  const runs: Run[] = [];
  for (let from = first; from < last && runs.length < 3; ) {
    while (from < last && (KINDS[bytes[from]] & CELL) === 0) from++;
    if (runs.length === 0 && from - first > MAX_LABEL_BYTES) break;
    let to = from;
    let letters = true;
    for (; to < last && KINDS[bytes[to]] & CELL; to++) if ((KINDS[bytes[to]] & LETTER) === 0) letters = false;
    const isLong = to - from >= MIN_LABELLED_CELLS;
    // A character of several bytes may stand for a cell.
    const isBounded = (from === first || bytes[from - 1] < 127) && (to === last || bytes[to] < 127);
    if (isLong && isBounded && !letters && sink.book.sizeOfCells(to - from) !== undefined)
      runs.push({ from, to });
    from = to;
  }
  return runs;
}

interface Run {
  readonly from: number;
  readonly to: number;
}
