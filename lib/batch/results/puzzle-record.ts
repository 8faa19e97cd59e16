/** The record of a puzzle: a line of `exceptions.jsonl`, of `records.jsonl`, and of the output profile `jsonl`. */
import { countJson, type SolutionCount } from '../../exact-cover/solution-count.ts';
import { gridText, puzzleText } from '../../formats/formats.ts';
import type { RecordOutcome } from '../../formats/reader.ts';
import type { RecordBlock, RecordNotes } from '../../formats/records/record-block.ts';
import { type RecordShape, recordShape } from '../../formats/records/record-shape.ts';
import { Stop } from '../../sudoku/engine.ts';
import { type BlockAnswers, solutionsOf } from '../solving/block-answers.ts';
import { PUZZLE_STATUSES, type PuzzleStatus, StatusCode } from '../solving/puzzle-status.ts';
import { clashError } from './clash-error.ts';
import { expectationError } from './expected-result.ts';
import { limitError, NO_SOLUTION, oneLine, type RecordError } from './record-error.ts';

/** Fields that do not apply are omitted. */
export interface PuzzleRecord extends Partial<RecordShape> {
  /** From 1, over all records of the file. */
  readonly index: number;
  /** The puzzle's name in the file. */
  readonly id?: string;
  /** First line in the file, from 1. */
  readonly line: number;
  /** Last line in the file. */
  readonly lineEnd: number;
  /** The outcome. */
  readonly status: PuzzleStatus;
  /** The puzzle on one line, in its own symbols. */
  readonly puzzle?: string;
  /** The first solution in the same symbols. */
  readonly solution?: string;
  /** Solutions found, up to the limit; digits beyond 2^53 - 1. */
  readonly solutions?: number | string;
  /** Whether the search was exhausted, so that `solutions` is the exact number. */
  readonly exact?: boolean;
  /** Number of cells that are not blank. */
  readonly givens?: number;
  /** Nodes of the search tree. */
  readonly nodes?: number;
  /** Options tried while another one was left. */
  readonly guesses?: number;
  /** In `records.jsonl` only, as it differs between two runs. */
  readonly solveUs?: number;
  /** Assumptions about the puzzle, such as `alphabet_assumed`. */
  readonly warnings?: readonly string[];
  /** Why the puzzle is an exception. */
  readonly error?: RecordError;
}

/**
 * The record of puzzle `i` of a solved block.
 *
 * @param index its index in the file, from 1
 * @param timed whether it has `solveUs`
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
    const error = clashErrorOf(block, i);
    return { ...place, ...shape, status, puzzle, givens, warnings: warningsOf(notes), error };
  }
  return {
    ...place,
    ...shape,
    status,
    puzzle,
    solution: answers.solutions[i]! > 0 ? gridText(layout, answers.cells, offset) : undefined,
    solutions: countJson(solutionsOf(answers, i)),
    exact: answers.stop[i] === Stop.exhausted,
    givens,
    nodes: answers.nodes[i]!,
    guesses: answers.guesses[i]!,
    solveUs: timed ? Math.round(answers.solveUs[i]! * 1000) / 1000 : undefined,
    warnings: warningsOf(notes),
    error: code === StatusCode.limit ? limitErrorOf(answers, i) : expectationError(block, answers, i),
  };
}

/** One of several solutions of a puzzle: a line of the output profile `jsonl`. */
export interface SolutionRecord extends Pick<PuzzleRecord, 'index' | 'id' | 'line' | 'lineEnd'>, RecordShape {
  /** The solution's number, from 1. */
  readonly ordinal: number;
  /** The puzzle on one line, in its own symbols. */
  readonly puzzle: string;
  /** The solution in the same symbols. */
  readonly solution: string;
}

/** The record of the solution of puzzle `i` that is in `answers.cells`. */
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

/** The line, without the leading `#`, that replaces the solution of a puzzle that has none. */
export function placeholderText(block: RecordBlock, answers: BlockAnswers, i: number, index: number): string {
  const status = PUZZLE_STATUSES[answers.status[i]!]!;
  return `puzzle ${index} (line ${block.line[i]}): ${status}: ${reason(block, answers, i)}`;
}

/**
 * The outcome of puzzle `i`, for a column of a table.
 *
 * @param cut why it has fewer solutions than requested
 */
export function outcomeOf(
  block: RecordBlock,
  answers: BlockAnswers,
  i: number,
  cut?: RecordError,
): RecordOutcome {
  const code = answers.status[i]!;
  const isSolved = code === StatusCode.solved || code === StatusCode.multiple;
  const error =
    cut?.message ??
    (isSolved ? (expectationError(block, answers, i)?.message ?? '') : reason(block, answers, i));
  return error === '' ? OUTCOMES[code]! : { status: PUZZLE_STATUSES[code]!, error: oneLine(error) };
}

/** By status: the outcome without an error. */
export const OUTCOMES: readonly RecordOutcome[] = PUZZLE_STATUSES.map((status) => ({ status, error: '' }));

/** The outcome of puzzle `i` whose solutions are only counted. */
export function countOutcome(block: RecordBlock, answers: BlockAnswers, i: number): RecordOutcome {
  const { status, error } = outcomeOf(block, answers, i);
  if (status === 'invalid' || status === 'unreadable') return { status, error };
  const solutions = solutionsOf(answers, i);
  const isOpen = error === '' && answers.stop[i] !== Stop.exhausted;
  return {
    status,
    error: isOpen ? solutionCountText(solutions, false) : error,
    solutions: String(solutions),
  };
}

/** The line, without the leading `#`, with the number of solutions of a puzzle. */
export function countText(block: RecordBlock, answers: BlockAnswers, i: number, index: number): string {
  const exact = answers.stop[i] === Stop.exhausted;
  return `puzzle ${index} (line ${block.line[i]}): ${solutionCountText(solutionsOf(answers, i), exact)}`;
}

/** `1 solution`, `2 or more solutions`. */
export function solutionCountText(found: SolutionCount | string, exact: boolean): string {
  return `${found}${exact ? '' : ' or more'} ${found === 1 ? 'solution' : 'solutions'}`;
}

function reason(block: RecordBlock, answers: BlockAnswers, i: number): string {
  switch (answers.status[i]) {
    case StatusCode.unreadable:
      return oneLine(block.notes.get(i)?.error?.message ?? '');
    case StatusCode.invalid:
      return clashErrorOf(block, i).message;
    case StatusCode.limit:
      return limitErrorOf(answers, i).message;
    default:
      return NO_SOLUTION;
  }
}

function limitErrorOf({ solutions, nodes, advice }: BlockAnswers, i: number): RecordError {
  return limitError(solutions[i]!, nodes[i]!, advice?.get(i));
}

function clashErrorOf({ geometry, cells, layout }: RecordBlock, i: number): RecordError {
  return clashError(geometry, cells, i * geometry.cellCount, layout.alphabet.symbols);
}

function warningsOf(notes: RecordNotes | undefined): readonly string[] | undefined {
  return notes?.warnings !== undefined && notes.warnings.length > 0 ? notes.warnings : undefined;
}

function countGivens(cells: Uint8Array, offset: number, cellCount: number): number {
  let givens = 0;
  for (let k = offset; k < offset + cellCount; k++) if (cells[k] !== 0) givens++;
  return givens;
}
