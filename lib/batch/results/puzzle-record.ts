/** One puzzle's record: a line of `exceptions.jsonl`, of `records.jsonl`, and of the output profile `jsonl`. */
import { gridText, puzzleText } from '../../formats/formats.ts';
import type { RecordBlock, RecordNotes } from '../../formats/records/record-block.ts';
import { type RecordShape, recordShape } from '../../formats/records/record-shape.ts';
import { clashingGivens, clashSentence } from '../../sudoku/checks/givens.ts';
import { Stop } from '../../sudoku/engine.ts';
import { unitName } from '../../sudoku/names.ts';
import { PUZZLE_STATUSES, type PuzzleStatus, StatusCode } from '../solving/puzzle-status.ts';
import type { BlockAnswers } from '../solving/solve-block.ts';
import { expectationError } from './expected-result.ts';

/** Why a puzzle has no solution to show. */
export interface RecordError {
  readonly code: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly found?: string;
  readonly expected?: string;
  /** For clashing givens: the cells that clash, by unit. */
  readonly clashes?: readonly { readonly unit: string; readonly digit: string; readonly cells: string[] }[];
}

/** Fields that do not apply are left out. */
export interface PuzzleRecord extends Partial<RecordShape> {
  /** From 1, over all records of the file. */
  readonly index: number;
  readonly id?: string;
  /** First and last line in the file, from 1. */
  readonly line: number;
  readonly lineEnd: number;
  readonly status: PuzzleStatus;
  readonly puzzle?: string;
  readonly solution?: string;
  /** Solutions found, up to the limit. */
  readonly solutions?: number;
  /** Whether the search was exhausted, so that `solutions` is all there are. */
  readonly exact?: boolean;
  readonly givens?: number;
  readonly nodes?: number;
  readonly guesses?: number;
  /** In `records.jsonl` only: what two runs do not share. */
  readonly solveUs?: number;
  readonly warnings?: readonly string[];
  readonly error?: RecordError;
}

/**
 * The record of a solved block's record `i`.
 *
 * @param index its index in the file, from 1
 * @param timed whether `solveUs` is in it
 */
export function puzzleRecord(
  block: RecordBlock,
  answers: BlockAnswers,
  i: number,
  index: number,
  timed: boolean,
): PuzzleRecord {
  const notes = block.notes.get(i);
  const code = answers.status[i]!;
  const status = PUZZLE_STATUSES[code]!;
  const place = { index, id: notes?.id, line: block.line[i]!, lineEnd: block.lineEnd[i]! };
  if (code === StatusCode.unreadable) {
    return { ...place, status, warnings: warningsOf(notes), error: notes?.error };
  }
  const { layout, geometry, cells } = block;
  const offset = i * geometry.cellCount;
  const shape = recordShape(layout, block.blankOf(i));
  const puzzle = puzzleText(block, i);
  const givens = countGivens(cells, offset, geometry.cellCount);
  if (code === StatusCode.invalid) {
    const error = clashError(block, i);
    return { ...place, ...shape, status, puzzle, givens, warnings: warningsOf(notes), error };
  }
  return {
    ...place,
    ...shape,
    status,
    puzzle,
    solution: answers.solutions[i]! > 0 ? gridText(layout, answers.cells, offset) : undefined,
    solutions: answers.solutions[i]!,
    exact: answers.stop[i] === Stop.exhausted,
    givens,
    nodes: answers.nodes[i]!,
    guesses: answers.guesses[i]!,
    solveUs: timed ? Math.round(answers.solveUs[i]! * 1000) / 1000 : undefined,
    warnings: warningsOf(notes),
    error:
      code === StatusCode.limit
        ? limitError(answers.solutions[i]!, answers.nodes[i]!)
        : expectationError(block, answers, i),
  };
}

/** One of several solutions of a record: what a line of the output profile `jsonl` says of it. */
export interface SolutionRecord extends Pick<PuzzleRecord, 'index' | 'id' | 'line' | 'lineEnd'>, RecordShape {
  /** Which of the record's solutions, from 1. */
  readonly ordinal: number;
  readonly puzzle: string;
  readonly solution: string;
}

/** The record of a solution of record `i` that lies in `answers.cells`. */
export function solutionRecord(
  block: RecordBlock,
  answers: BlockAnswers,
  i: number,
  index: number,
  ordinal: number,
): SolutionRecord {
  const { layout, geometry, notes } = block;
  return {
    index,
    ordinal,
    id: notes.get(i)?.id,
    line: block.line[i]!,
    lineEnd: block.lineEnd[i]!,
    ...recordShape(layout, block.blankOf(i)),
    puzzle: puzzleText(block, i),
    solution: gridText(layout, answers.cells, i * geometry.cellCount),
  };
}

/** One line that stands in a puzzle's place where it has no solution, without the leading `#`. */
export function placeholderText(block: RecordBlock, answers: BlockAnswers, i: number, index: number): string {
  const status = PUZZLE_STATUSES[answers.status[i]!]!;
  return `puzzle ${index} (line ${block.line[i]}): ${status}: ${reason(block, answers, i)}`;
}

/** One line that says how many solutions a puzzle has, without the leading `#`. */
export function countText(block: RecordBlock, answers: BlockAnswers, i: number, index: number): string {
  const exact = answers.stop[i] === Stop.exhausted;
  return `puzzle ${index} (line ${block.line[i]}): ${solutionCountText(answers.solutions[i]!, exact)}`;
}

/** How many solutions were found, in words. */
export function solutionCountText(found: number, exact: boolean): string {
  return `${found}${exact ? '' : ' or more'} ${found === 1 ? 'solution' : 'solutions'}`;
}

/** What is said of a puzzle whose search was exhausted in vain. */
export const NO_SOLUTION = 'it has no solution';

function reason(block: RecordBlock, answers: BlockAnswers, i: number): string {
  switch (answers.status[i]) {
    case StatusCode.unreadable:
      return oneLine(block.notes.get(i)?.error?.message ?? '');
    case StatusCode.invalid:
      return clashError(block, i).message;
    case StatusCode.limit:
      return limitError(answers.solutions[i]!, answers.nodes[i]!).message;
    default:
      return NO_SOLUTION;
  }
}

function clashError(block: RecordBlock, i: number): RecordError {
  const { geometry, cells, layout } = block;
  const clashes = clashingGivens(geometry, cells, i * geometry.cellCount) ?? [];
  const symbol = (digit: number) => layout.alphabet.symbols[digit] ?? String(digit);
  return {
    code: 'clashing_givens',
    message: clashes.map((clash) => clashSentence(geometry, clash, symbol)).join('; '),
    clashes: clashes.map((clash) => ({
      unit: unitName(clash.unit),
      digit: symbol(clash.digit),
      cells: clash.cellNames,
    })),
  };
}

/** Why a puzzle's status is `limit`. */
export function limitError(solutions: number, nodes: number): RecordError {
  const known =
    solutions > 0
      ? 'one solution is known, whether it is the only one is not'
      : 'whether it has a solution is not known';
  return {
    code: 'limit',
    message: `the search budget was used up after ${nodes} ${nodes === 1 ? 'node' : 'nodes'}: ${known}`,
  };
}

function warningsOf(notes: RecordNotes | undefined): readonly string[] | undefined {
  return notes?.warnings !== undefined && notes.warnings.length > 0 ? notes.warnings : undefined;
}

function countGivens(cells: Uint8Array, offset: number, cellCount: number): number {
  let givens = 0;
  for (let k = offset; k < offset + cellCount; k++) if (cells[k] !== 0) givens++;
  return givens;
}

/** Text of a file never breaks the line it is quoted on. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
