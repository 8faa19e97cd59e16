/**
 * Writes a job's `solutions`, `exceptions.jsonl` and `records.jsonl`, in input order.
 *
 * `solutions` and `exceptions.jsonl` are a function of the input and the options alone.
 */

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
import { StatusCode } from '../solving/puzzle-status.ts';
import { JSON_LINES_TYPE } from './content-types.ts';
import { GridResult } from './grid-result.ts';
import { OUTCOMES, type RecordResult } from './job-record.ts';
import type { LimitAdvice } from './limit-advice.ts';
import { MAX_LISTED, RecordSample } from './record-sample.ts';
import { EXCEPTIONS_FILE, ResultFile, type WrittenFile } from './result-files.ts';

/** Position of the written part in the whole files. */
export interface FilePosition {
  readonly first: boolean;
  /** Read when the files are closed. */
  last: boolean;
}

/** `none`: at most two solutions are searched. Otherwise, each solution is `written`, or all are only `counted`. */
export type Enumeration = 'none' | 'written' | 'counted';

/** A solution that is not written yet: a table has the status of the puzzle next to each, the last one its error. */
interface HeldSolution {
  readonly solution: object;
  readonly heading: string;
}

export class ResultWriter {
  /** The records that the report lists. */
  readonly sample = new RecordSample();
  readonly #writer: SolutionWriter<object>;
  readonly #strict: boolean;
  readonly #isRated: boolean;
  /** Whether `strict` leaves out puzzles that are not proven to have exactly one solution. */
  readonly #onlyUnique: boolean;
  readonly #solutions: ResultFile;
  readonly #exceptions: ResultFile;
  readonly #records: ResultFile | undefined;
  readonly #files: readonly ResultFile[];
  readonly #position: FilePosition;
  #first = true;
  #held: HeldSolution | undefined;

  /** @param position position of the written part in the whole files */
  constructor(
    writer: SolutionWriter<never>,
    { strict, solutions, records, rate }: SolveOptions,
    files: ResultFiles,
    hashing: Hashing,
    position: FilePosition = { first: true, last: true },
  ) {
    this.#writer = writer;
    this.#strict = strict;
    this.#isRated = rate;
    this.#onlyUnique = strict && solutions === 2;
    this.#position = position;
    const { extension, contentType } = writer;
    this.#solutions = new ResultFile(`solutions.${extension}`, contentType, files, hashing);
    this.#exceptions = new ResultFile(EXCEPTIONS_FILE, JSON_LINES_TYPE, files, hashing);
    this.#records = records ? new ResultFile('records.jsonl', JSON_LINES_TYPE, files, hashing) : undefined;
    this.#files = [this.#solutions, this.#exceptions, this.#records].filter((file) => file !== undefined);
    if (position.first) writer.begin(this.#solutions.out);
  }

  /**
   * Writes all records of a solved block.
   *
   * @param firstIndex index of the block's first record in the file, from 1
   */
  writeBlock(block: RecordBlock, answers: BlockAnswers, firstIndex: number, advice?: LimitAdvice): void {
    const { status, cells } = answers;
    const { cellCount } = block.geometry;
    // A puzzle with no output but its solution allocates nothing.
    const isPlain = block.notes.size === 0 && this.#records === undefined && !this.#isRated;
    const solved: SolvedRecord = { block, index: 0, cells, offset: 0 };
    let inRuns = isPlain && this.#writer.entries !== undefined;
    for (let i = 0; i < block.count && firstIndex + i <= MAX_LISTED; i++) {
      this.#list(new GridResult(block, answers, i, firstIndex + i, advice));
    }
    for (let i = 0; i < block.count; i++) {
      if (isPlain && status[i] === StatusCode.solved && this.#writer.line === undefined) {
        solved.index = i;
        solved.offset = i * cellCount;
        const end = inRuns ? endOfSolved(status, i, block.count) : i + 1;
        inRuns &&= this.#writer.entries!(this.#solutions.out, solved, end - i, this.#first);
        if (inRuns) i = end - 1;
        else this.#writer.entry(this.#solutions.out, solved, this.#first);
        this.#first = false;
        continue;
      }
      this.#end(new GridResult(block, answers, i, firstIndex + i, advice), 'none');
    }
  }

  /** Writes one of several solutions of a record, after a `#` line with its number. */
  writeSolution(result: RecordResult, ordinal: number): void {
    if (this.#writer.line !== undefined) this.#writeLine(result.solutionRecord(ordinal));
    else {
      this.#writeHeld(OUTCOMES[result.code]!);
      this.#held = { solution: result.solution(true), heading: result.heading(ordinal)! };
      if (result.place === undefined) this.#writeHeld(OUTCOMES[result.code]!);
    }
  }

  /** Writes a record, after its solutions if they are written. */
  writeEnd(result: RecordResult, enumeration: Enumeration): void {
    if (result.index <= MAX_LISTED) this.#list(result);
    this.#end(result, enumeration);
  }

  #list(result: RecordResult): void {
    this.sample.list({ ...result.record(true), source: result.source });
  }

  #end(result: RecordResult, enumeration: Enumeration): void {
    const isEnumerated = enumeration !== 'none';
    if (this.#writer.line !== undefined) {
      if (!this.#strict || result.isKept(this.#onlyUnique, isEnumerated)) {
        // The solutions of an enumeration have their own lines.
        const record = result.record(false);
        this.#writeLine(isEnumerated ? { ...record, solution: undefined } : record);
      }
    } else if (isEnumerated) this.#endEnumeration(result, enumeration === 'counted');
    else this.#writeOnly(result);
    if (result.isException) {
      const record = result.record(false);
      this.sample.add({ ...record, source: result.source });
      this.#exceptions.out.text(`${JSON.stringify(record)}\n`);
    }
    this.#records?.out.text(`${JSON.stringify(result.record(true))}\n`);
  }

  /** Writes the only entry of a record. */
  #writeOnly(result: RecordResult): void {
    const { emptyComment } = result;
    if (!result.isKept(this.#onlyUnique, false)) {
      if (!this.#strict) this.#comment(result, result.comment, result.outcome(), false);
    } else if (emptyComment !== undefined) this.#comment(result, emptyComment, result.outcome(), false);
    else this.#entry(result.solution(false), result.heading(), result.outcome());
  }

  /** Writes the rest of an enumeration; of solutions that are counted, their number. */
  #endEnumeration(result: RecordResult, isCounted: boolean): void {
    const outcome = result.outcome(isCounted);
    const hasEntries = this.#writeHeld(outcome);
    if (result.solutions === 0) {
      if (!this.#strict) this.#comment(result, result.comment, outcome, false);
    } else if (isCounted) this.#comment(result, result.countComment, outcome, hasEntries);
    else if ((result.cut ?? result.remark) !== undefined) {
      this.#comment(result, result.comment, outcome, hasEntries);
    }
  }

  /** The state of the first and the last entry; undefined if there is no entry. */
  get state(): WriterState | undefined {
    return this.#writer.state;
  }

  /**
   * Bytes so far of the files that a limit bounds. Records contain times, so their size is not the same in every run;
   * they are in proportion to the exceptions and the puzzles.
   */
  get outputBytes(): Omit<JobWork, 'nodes'> {
    return { solutionBytes: this.#solutions.bytes, exceptionBytes: this.#exceptions.bytes };
  }

  /** Whether `flush` is due. */
  get isFull(): boolean {
    return this.#files.some(({ full }) => full);
  }

  async flush(): Promise<void> {
    for (const file of this.#files) if (file.full) await file.flush();
  }

  /** Stores the files and returns them in the order of the manifest. */
  async close(): Promise<WrittenFile[]> {
    if (this.#position.last) this.#writer.end(this.#solutions.out);
    const written: WrittenFile[] = [];
    for (const file of this.#files) written.push(await file.close());
    return written;
  }

  /** Removes the files that are not closed. */
  async abort(): Promise<void> {
    for (const file of this.#files) await file.abort();
  }

  /** Writes the last solution of a record, if it is not written yet. @returns whether there was one */
  #writeHeld(outcome: RecordOutcome): boolean {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#entry(held.solution, held.heading, outcome);
    return held !== undefined;
  }

  #entry(solution: object, heading: string | undefined, outcome: RecordOutcome): void {
    const { out } = this.#solutions;
    const isHeaded = heading !== undefined && this.#writer.heading(out, heading, this.#first);
    this.#writer.entry(out, Object.assign(solution, { outcome }), this.#first || isHeaded);
    this.#first = false;
  }

  #comment(result: RecordResult, text: string, outcome: RecordOutcome, hasEntries: boolean): void {
    const unsolved = { ...result.place, outcome, hasEntries } as UnsolvedRecord;
    this.#writer.placeholder(this.#solutions.out, text, this.#first, unsolved);
    this.#first = false;
  }

  #writeLine(record: object): void {
    this.#writer.line!(this.#solutions.out, record, this.#first);
    this.#first = false;
  }
}

/** The end (exclusive) of the consecutive solved records that begin at `from`. */
function endOfSolved(status: Uint8Array, from: number, count: number): number {
  let end = from;
  while (end < count && status[end] === StatusCode.solved) end++;
  return end;
}
