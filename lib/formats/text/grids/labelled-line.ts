/**
 * A puzzle of adjacent characters in a line with other text, and its solution or its region map, if the line has it too.
 *
 *     easy01 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 *     INSERT INTO puzzles VALUES (7, '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79');
 *     grid = 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 */
import { CELL } from '../../bytes/byte-kinds.ts';
import { mapAmong } from '../../cells/regions.ts';
import { ruleInText } from '../../rules/rule-names.ts';
import { ruleInBytes } from '../headers/rule-heading.ts';
import { solutionAt } from '../lines/expected.ts';
import type { Line } from '../shape/line.ts';

/** Cells of the smallest puzzle that is found after text other than a list number. */
const MIN_LABELLED_CELLS = 81;
/** Givens of a puzzle. */
const MIN_GIVENS = 17;
const MAX_LABEL_BYTES = 256;
/** Signs around a puzzle that are not part of its label. */
const SIGNS_AROUND = /^[\s#:;,|=(){}<>"'`/\\-]+|[\s:;,|=(){}<>"'`/\\-]+$/g;
/** Cells side by side, as many as a damaged puzzle may have. */
const MIN_RUN = 40;
const RUNS = new RegExp(`(?<![\\w.*?#-])[\\w.*?#-]{${MIN_RUN},}`, 'g');

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

/** The puzzle in a line; undefined if it has none or more than two grids. */
export function labelledPuzzle(line: Line): LabelledPuzzle | undefined {
  const { bytes, from: first, end, book } = line;
  if (line.length < MIN_LABELLED_CELLS + 2) return undefined;
  const runs = gridsIn(line);
  if (runs.length === 0 || runs.length > 2) return undefined;
  const { text } = line;
  // An object with names may have rules; a colon starts a line of a library, which is damaged.
  if (/^:/.test(text) || (/^\{|\},?$/.test(text) && /[:=]/.test(text))) return undefined;
  const [one, two] = runs;
  if (runs.every(({ letters }) => letters)) return undefined;
  if (two !== undefined && one.to - one.from !== two.to - two.from) return undefined;
  const texts = [
    line.string(first, one.from),
    line.string(one.to, two?.from ?? end),
    two === undefined ? '' : line.string(two.to, end),
  ];
  if (texts.some(resemblesCells)) return undefined;
  const label = texts
    .map((part) => part.replaceAll(SIGNS_AROUND, ''))
    .filter(Boolean)
    .join(' ');
  const isRecord = texts.some((part) => /["'<=]/.test(part));
  const rest = { label: label || undefined, rule: isRecord ? ruleInText(label) : ruleBefore(line, one.from) };
  const geometry = book.geometryOfCells(one.to - one.from);
  const solutionIn = ({ from }: Run) => geometry && solutionAt(line, from, geometry);
  if (two === undefined || geometry === undefined) {
    // The text next to a full grid may be its puzzle, in another notation.
    const digits = label.replaceAll(/\D/g, '').length;
    if (digits >= MIN_GIVENS && solutionIn(one)) return undefined;
    return { puzzle: one, other: undefined, solution: undefined, ...rest };
  }
  // One is the map of the other, or else its solution; if neither is, the first one is the puzzle.
  const isMap = ({ from, to }: Run) => mapAmong(bytes.subarray(from, to), to - from, geometry.size);
  const map = [two, one].find(isMap);
  const other = map ?? [two, one].find(solutionIn) ?? two;
  const solution = map === undefined ? solutionIn(other) : undefined;
  return { puzzle: other === two ? one : two, other, solution, ...rest };
}

/** The rule that the text of a line before its cells is nothing but the name of. */
function ruleBefore({ bytes, from }: Line, cells: number): string | undefined {
  const heading = ruleInBytes(bytes, from, cells, true);
  return heading?.variant === undefined ? heading?.name : undefined;
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

/**
 * The runs of cells that are as long as a puzzle, at most three, and whether they have letters alone. None if another run
 * may be a damaged puzzle: the grid next to it may be its solution.
 */
function gridsIn(line: Line): (Run & { letters: boolean })[] {
  const runs: (Run & { letters: boolean })[] = [];
  const { from: first, book } = line;
  if (!line.hasRun(CELL, MIN_LABELLED_CELLS)) return runs;
  const { text } = line;
  for (const { 0: cells, index } of text.matchAll(RUNS)) {
    if (runs.length === 3 || (runs.length === 0 && index > MAX_LABEL_BYTES)) break;
    const letters = /^[a-z]*$/i.test(cells);
    const isGrid = cells.length >= MIN_LABELLED_CELLS && book.sizeOfCells(cells.length) !== undefined;
    const end = index + cells.length;
    // A character of several bytes may stand for a cell.
    const isBounded = !/[\x7f-\xff]/.test(text.slice(Math.max(0, index - 1), end + 1));
    if (isGrid && isBounded) runs.push({ from: first + index, to: first + end, letters });
    else if (!letters) return [];
  }
  return runs;
}
