/**
 * A puzzle of adjacent characters in a line with other text, and its solution or its region map, if the line has it too.
 *
 *     easy01 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 *     INSERT INTO puzzles VALUES (7, '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79');
 *     grid = 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 */
import { CELL, HIGH, KINDS, kindsIn, LETTER } from '../../bytes/byte-kinds.ts';
import { pairOf } from '../../records/pair.ts';
import { ruleInText } from '../../rules/rule-names.ts';
import { solutionAt } from '../lines/expected.ts';
import { MAX_TEXT } from '../shape/line-shapes.ts';
import type { TextContext } from '../text-context.ts';

/** Cells of the smallest puzzle that is found after text other than a list number. */
const MIN_LABELLED_CELLS = 81;
/** Givens of a puzzle. */
const MIN_GIVENS = 17;
const MAX_LABEL_BYTES = 256;
/** Signs around a puzzle that are not part of its label. */
const SIGNS_AROUND = /^[\s#:;,|=()<>"'`/\\-]+|[\s:;,|=()<>"'`/\\-]+$/g;

/** Offsets of cells. */
interface Run {
  readonly from: number;
  readonly to: number;
}

export interface LabelledPuzzle {
  readonly puzzle: Run;
  /** Another grid of that size, if there is one: the solution or a region map, or else a second puzzle. */
  readonly other: Run | undefined;
  readonly solution: Uint8Array | undefined;
  readonly label: string | undefined;
  /** A rule that the text names and no variant has, if the line is a record of fields. */
  readonly rule: string | undefined;
}

/** The puzzle in line `at`; undefined if it has none or more than two grids. */
export function labelledPuzzle(context: TextContext, at: number): LabelledPuzzle | undefined {
  const { window } = context;
  const { bytes, text, end } = window;
  const [first, last] = [text[at], end[at]];
  if (last - first < MIN_LABELLED_CELLS + 2) return undefined;
  const runs = gridsIn(context, at);
  // An object may have rules; a colon starts a line of a library, which is damaged.
  if (runs.length === 0 || /^[{:]|\},?$/.test(context.lines.text(at))) return undefined;
  if (runs.length > 2 || !runs.some(({ letters }) => !letters)) return undefined;
  const [one, two] = runs;
  if (two !== undefined && one.to - one.from !== two.to - two.from) return undefined;
  const texts = [
    window.string(first, one.from),
    window.string(one.to, two?.from ?? last),
    two === undefined ? '' : window.string(two.to, last),
  ];
  if (texts.some(resemblesCells)) return undefined;
  const label = texts
    .map((part) => part.replaceAll(SIGNS_AROUND, ''))
    .filter(Boolean)
    .join(' ');
  const isRecord = texts.some((part) => /["'<=]/.test(part));
  const rest = {
    label: label === '' ? undefined : label,
    rule: isRecord ? ruleInText(label) : undefined,
  };
  const geometry = context.sink.book.geometryOfCells(one.to - one.from);
  if (two === undefined || geometry === undefined) {
    // The text next to a full grid may be its puzzle, in another notation.
    const digits = label.replaceAll(/\D/g, '').length;
    if (digits >= MIN_GIVENS && geometry !== undefined && solutionAt(context, one.from, geometry))
      return undefined;
    return { puzzle: one, other: undefined, solution: undefined, ...rest };
  }
  const solutionIn = ({ from }: Run) => solutionAt(context, from, geometry);
  const { puzzle, other, role } = pairOf(
    one,
    two,
    geometry.size,
    (run) => solutionIn(run) !== undefined,
    ({ from, to }) => bytes.subarray(from, to),
  );
  return { puzzle, other, solution: role === 'solution' ? solutionIn(other) : undefined, ...rest };
}

/**
 * Whether a text may be a damaged puzzle: it has many blanks, or many digits and few letters. The grid next to it may be
 * its solution.
 */
function resemblesCells(text: string): boolean {
  const blanks = text.match(/[.0*_?-]|(?<=\s)\s/g)?.length ?? 0;
  const digits = text.match(/\d/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  return blanks > MAX_BLANKS || (digits > MAX_DIGITS && letters * 2 < digits);
}

/** Blanks of a text that is a label, and digits: times, hashes and ratings have some. */
const MAX_BLANKS = 24;
const MAX_DIGITS = 24;

/** Cells side by side, as many as a damaged puzzle may have. */
const MIN_RUN = 40;

/**
 * The runs of cells that are as long as a puzzle, at most three, and whether they have letters alone. None if another run
 * may be a damaged puzzle: the grid next to it may be its solution.
 */
function gridsIn({ window, sink }: TextContext, at: number): (Run & { letters: boolean })[] {
  const { bytes } = window;
  const [first, last] = [window.text[at], window.end[at]];
  const runs: (Run & { letters: boolean })[] = [];
  if (last - first > MAX_TEXT) return runs;
  for (let from = first; from < last; from++) {
    let to = from;
    while (to < last && KINDS[bytes[to]] & CELL) to++;
    const length = to - from;
    if (length >= MIN_RUN) {
      if (runs.length === 3 || (runs.length === 0 && from - first > MAX_LABEL_BYTES)) break;
      const letters = kindsIn(bytes, from, to) === LETTER;
      // A character of several bytes may stand for a cell.
      const isBounded = (kindsIn(bytes, Math.max(first, from - 1), Math.min(to + 1, last)) & HIGH) === 0;
      const isGrid = length >= MIN_LABELLED_CELLS && sink.book.sizeOfCells(length) !== undefined;
      if (isGrid && isBounded) runs.push({ from, to, letters });
      else if (!letters) return [];
    }
    from = to;
  }
  return runs;
}
