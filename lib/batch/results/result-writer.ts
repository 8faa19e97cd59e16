/**
 * Writes a job's `solutions`, `exceptions.jsonl` and `records.jsonl`, in input order.
 *
 * `solutions` and `exceptions.jsonl` are a function of the input and the options alone.
 */

import { JsonRecordWriter } from '../../formats/json/json-record-writer.ts';
import type {
  RecordOutcome,
  SolutionWriter,
  SolvedRecord,
  UnsolvedRecord,
  WriterState,
} from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { JobWork } from '../job-limits.ts';
import type { SolveOptions } from '../options.ts';
import type { Hashing, ResultFiles } from '../ports.ts';
import type { BlockAnswers } from '../solving/block-answers.ts';
import { PUZZLE_STATUSES, StatusCode } from '../solving/puzzle-status.ts';
import type { ExceptionSample } from './exception-sample.ts';
import { expectationError } from './expected-result.ts';
import {
  countOutcome,
  countText,
  OUTCOMES,
  outcomeOf,
  placeholderText,
  puzzleRecord,
  solutionRecord,
} from './puzzle-record.ts';
import type { RecordError } from './record-error.ts';
import { OpenResults, type WrittenFile } from './result-files.ts';

/** Position of the written part in the whole files. */
export interface FilePosition {
  readonly first: boolean;
  /** Read when the files are closed. */
  last: boolean;
}

export class ResultWriter {
  readonly #writer: SolutionWriter;
  /** The same writer, if solutions are written as records. */
  readonly #recordLines: JsonRecordWriter | undefined;
  readonly #strict: boolean;
  /** Whether `strict` leaves out puzzles that are not proven to have exactly one solution. */
  readonly #onlyUnique: boolean;
  readonly #files: OpenResults;
  readonly #position: FilePosition;
  #first = true;
  /** The last solution of a record that is being enumerated, and its number; 0 if it is written. */
  #heldCells = new Uint8Array(0);
  #heldOrdinal = 0;

  /** @param position position of the written part in the whole files */
  constructor(
    writer: SolutionWriter,
    options: SolveOptions,
    files: ResultFiles,
    hashing: Hashing,
    position: FilePosition = { first: true, last: true },
  ) {
    this.#writer = writer;
    this.#recordLines = writer instanceof JsonRecordWriter ? writer : undefined;
    this.#strict = options.strict;
    this.#onlyUnique = options.strict && options.solutions === 2;
    this.#position = position;
    this.#files = new OpenResults(writer, options.records, files, hashing);
    if (position.first) writer.begin(this.#files.solutions.out);
  }

  /**
   * Writes all records of a solved block.
   *
   * @param firstIndex index of the block's first record in the file, from 1
   */
  async writeBlock(block: RecordBlock, answers: BlockAnswers, firstIndex: number): Promise<void> {
    const { cellCount } = block.geometry;
    const { status, solutions, cells } = answers;
    const out = this.#files.solutions.out;
    const writer = this.#writer;
    // One object for all records of the block.
    const solved: SolvedRecord = { block, index: 0, cells, offset: 0 };
    // A puzzle with no output but its solution allocates nothing.
    const plain = block.notes.size === 0 && !this.#files.hasRecords;
    let inRuns = plain && writer.entries !== undefined;
    for (let i = 0; i < block.count; i++) {
      if (inRuns && status[i] === StatusCode.solved) {
        const end = endOfSolved(status, i, block.count);
        setIndex(solved, i, cellCount);
        inRuns = writer.entries!(out, solved, end - i, this.#first);
        if (inRuns) {
          this.#first = false;
          i = end - 1;
          continue;
        }
      }
      const isSolved = this.#onlyUnique
        ? status[i] === StatusCode.solved
        : solutions[i]! > 0 && status[i] !== StatusCode.limit;
      if (this.#recordLines !== undefined) {
        if (isSolved || !this.#strict)
          this.#writeLine(puzzleRecord(block, answers, i, firstIndex + i, false));
      } else if (isSolved) {
        setIndex(solved, i, cellCount);
        solved.outcome = outcomeOf(block, answers, i);
        writer.entry(out, solved, this.#first);
        this.#first = false;
      } else {
        this.#writePlaceholder(block, answers, i, firstIndex + i, outcomeOf(block, answers, i));
      }
      if (plain && status[i] === StatusCode.solved) continue;
      if (isException(block, answers, i)) this.#writeException(block, answers, i, firstIndex + i);
      this.#files.writeRecord(() => puzzleRecord(block, answers, i, firstIndex + i, true));
    }
    await this.#files.flushFull();
  }

  /**
   * Writes one of several solutions of a record, after a `#` line with its number. It is written when the next one is known,
   * or the end of the search: a table has the status of the puzzle next to each solution.
   */
  async writeSolution(
    block: RecordBlock,
    answers: BlockAnswers,
    i: number,
    index: number,
    ordinal: number,
  ): Promise<void> {
    if (this.#recordLines !== undefined) {
      this.#writeLine(solutionRecord(block, answers, i, index, ordinal));
      await this.#files.flushFull();
      return;
    }
    this.#writeHeld(block, i, index, OUTCOMES[answers.status[i]!]!);
    const { cellCount } = block.geometry;
    if (this.#heldCells.length < cellCount) this.#heldCells = new Uint8Array(cellCount);
    this.#heldCells.set(answers.cells.subarray(i * cellCount, (i + 1) * cellCount));
    this.#heldOrdinal = ordinal;
    await this.#files.flushFull();
  }

  /** Writes the last solution of a record, if it is not written yet. @returns whether the record has solutions */
  #writeHeld(block: RecordBlock, i: number, index: number, outcome: RecordOutcome): boolean {
    if (this.#heldOrdinal === 0) return false;
    const out = this.#files.solutions.out;
    const headed = this.#writer.heading(out, `puzzle ${index}, solution ${this.#heldOrdinal}`, this.#first);
    const solved = { block, index: i, cells: this.#heldCells, offset: 0, outcome };
    this.#writer.entry(out, solved, this.#first || headed);
    this.#first = false;
    this.#heldOrdinal = 0;
    return true;
  }

  /**
   * Writes the other entries of an enumerated record.
   *
   * @param kind `counted`: solutions were only counted, and their number replaces them
   * @param cut why it has fewer solutions than requested
   */
  async writeEnumerated(
    block: RecordBlock,
    answers: BlockAnswers,
    i: number,
    index: number,
    kind: 'written' | 'counted',
    cut?: RecordError,
  ): Promise<void> {
    const recordOf = (timed: boolean) => {
      const record = puzzleRecord(block, answers, i, index, timed);
      if (cut === undefined) return record;
      return { ...record, error: record.status === 'limit' ? cut : (record.error ?? cut) };
    };
    const outcome = kind === 'counted' ? countOutcome(block, answers, i) : outcomeOf(block, answers, i, cut);
    const hasEntries = this.#writeHeld(block, i, index, outcome);
    if (this.#recordLines !== undefined) {
      // Its solutions have their own lines.
      const record = { ...recordOf(false), solution: undefined };
      if (answers.solutions[i]! > 0 || !this.#strict) this.#writeLine(record);
    } else if (cut !== undefined) {
      const status = PUZZLE_STATUSES[answers.status[i]!]!;
      const text = `puzzle ${index} (line ${block.line[i]}): ${status}: ${cut.message}`;
      this.#placeLine(text, { block, index: i, outcome, hasEntries });
    } else if (answers.solutions[i] === 0) this.#writePlaceholder(block, answers, i, index, outcome);
    else if (kind === 'counted') {
      this.#placeLine(countText(block, answers, i, index), { block, index: i, outcome, hasEntries });
    }
    if (isException(block, answers, i)) this.#files.writeException(recordOf(false));
    this.#files.writeRecord(() => recordOf(true));
    await this.#files.flushFull();
  }

  /** The state of the first and the last entry; undefined if there is no entry. */
  get state(): WriterState | undefined {
    return this.#writer.state;
  }

  /** See `OpenResults`. */
  get outputBytes(): Omit<JobWork, 'nodes'> {
    return this.#files.outputBytes;
  }

  /** The first exceptions, for the report. */
  get exceptions(): ExceptionSample {
    return this.#files.exceptions;
  }

  /** Stores the files and returns them in the order of the manifest. */
  async close(): Promise<WrittenFile[]> {
    if (this.#position.last) this.#writer.end(this.#files.solutions.out);
    return this.#files.close();
  }

  /** Removes the files. */
  async abort(): Promise<void> {
    await this.#files.abort();
  }

  #writePlaceholder(
    block: RecordBlock,
    answers: BlockAnswers,
    i: number,
    index: number,
    outcome: RecordOutcome,
  ): void {
    if (this.#strict) return;
    this.#placeLine(placeholderText(block, answers, i, index), {
      block,
      index: i,
      outcome,
      hasEntries: false,
    });
  }

  #writeLine(record: object): void {
    this.#recordLines?.line(this.#files.solutions.out, record, this.#first);
    this.#first = false;
  }

  #placeLine(text: string, unsolved: UnsolvedRecord): void {
    this.#writer.placeholder(this.#files.solutions.out, text, this.#first, unsolved);
    this.#first = false;
  }

  #writeException(block: RecordBlock, answers: BlockAnswers, i: number, index: number): void {
    this.#files.writeException(puzzleRecord(block, answers, i, index, false));
  }
}

/** Makes `solved` record `index` of its block. */
function setIndex(solved: SolvedRecord, index: number, cellCount: number): void {
  solved.index = index;
  solved.offset = index * cellCount;
}

/** The end (exclusive) of the consecutive solved records that begin at `from`. */
function endOfSolved(status: Uint8Array, from: number, count: number): number {
  let end = from;
  while (end < count && status[end] === StatusCode.solved) end++;
  return end;
}

/** Whether `exceptions.jsonl` has the record: it has no proven single solution, or not the one that its file expects. */
function isException(block: RecordBlock, answers: BlockAnswers, i: number): boolean {
  if (answers.status[i] !== StatusCode.solved) return true;
  return block.notes.size > 0 && expectationError(block, answers, i) !== undefined;
}
