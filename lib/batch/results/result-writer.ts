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

/** `none`: at most two solutions are searched. Otherwise, each solution is `written`, or all are only `counted`. */
export type Enumeration = 'none' | 'written' | 'counted';

/** A solution that is not written yet: a table has the status of the puzzle next to each, the last one its error. */
interface HeldSolution {
  readonly solution: object;
  readonly heading: string;
}

export type ResultWriter = ReturnType<typeof resultWriter>;

/** @param begins whether the written part is the beginning of the whole files */
export function resultWriter(
  given: SolutionWriter<never>,
  { strict, solutions: requested, records: hasRecords, rate }: SolveOptions,
  folder: ResultFiles,
  hashing: Hashing,
  begins = true,
) {
  const writer = given as SolutionWriter<object>;
  /** Whether `strict` leaves out puzzles that are not proven to have exactly one solution. */
  const onlyUnique = strict && requested === 2;
  const solutions = new ResultFile(`solutions.${writer.extension}`, writer.contentType, folder, hashing);
  const exceptions = new ResultFile(EXCEPTIONS_FILE, JSON_LINES_TYPE, folder, hashing);
  const records = hasRecords ? new ResultFile('records.jsonl', JSON_LINES_TYPE, folder, hashing) : undefined;
  const files = [solutions, exceptions, ...(records === undefined ? [] : [records])];
  /** The records that the report lists. */
  const sample = new RecordSample();
  let isFirst = true;
  let held: HeldSolution | undefined;
  if (begins) writer.begin(solutions.out);

  return {
    sample,

    /**
     * Writes all records of a solved block.
     *
     * @param firstIndex index of the block's first record in the file, from 1
     */
    writeBlock(block: RecordBlock, answers: BlockAnswers, firstIndex: number, advice?: LimitAdvice): void {
      const { status, cells } = answers;
      const { cellCount } = block.geometry;
      // A puzzle with no output but its solution allocates nothing.
      const isPlain = block.notes.size === 0 && records === undefined && !rate;
      const solved: SolvedRecord = { block, index: 0, cells, offset: 0 };
      let inRuns = isPlain && writer.entries !== undefined;
      for (let i = 0; i < block.count && firstIndex + i <= MAX_LISTED; i++) {
        list(new GridResult(block, answers, i, firstIndex + i, advice));
      }
      for (let i = 0; i < block.count; i++) {
        if (isPlain && status[i] === StatusCode.solved && writer.line === undefined) {
          solved.index = i;
          solved.offset = i * cellCount;
          const end = inRuns ? endOfSolved(status, i, block.count) : i + 1;
          inRuns &&= writer.entries!(solutions.out, solved, end - i, isFirst);
          if (inRuns) i = end - 1;
          else writer.entry(solutions.out, solved, isFirst);
          isFirst = false;
          continue;
        }
        endRecord(new GridResult(block, answers, i, firstIndex + i, advice), 'none');
      }
    },

    /** Writes one of several solutions of a record, after a `#` line with its number. */
    writeSolution(result: RecordResult, ordinal: number): void {
      if (writer.line !== undefined) {
        writeLine(result.solutionRecord(ordinal));
        return;
      }
      writeHeld(OUTCOMES[result.code]!);
      held = { solution: result.solution(true), heading: result.heading(ordinal)! };
      if (result.place === undefined) writeHeld(OUTCOMES[result.code]!);
    },

    /** Writes a record, after its solutions if they are written. */
    writeEnd(result: RecordResult, enumeration: Enumeration): void {
      if (result.index <= MAX_LISTED) list(result);
      endRecord(result, enumeration);
    },

    /** The state of the first and the last entry; undefined if there is no entry. */
    get state(): WriterState | undefined {
      return writer.state;
    },

    /**
     * Bytes so far of the files that a limit bounds. Records contain times, so their size is not the same in every run;
     * they are in proportion to the exceptions and the puzzles.
     */
    get outputBytes(): Omit<JobWork, 'nodes'> {
      return { solutionBytes: solutions.bytes, exceptionBytes: exceptions.bytes };
    },

    /** Whether `flush` is due. */
    get isFull(): boolean {
      return files.some(({ full }) => full);
    },

    async flush(): Promise<void> {
      for (const file of files) if (file.full) await file.flush();
    },

    /** Stores the files and returns them in the order of the manifest. @param ends whether the written part is their end */
    async close(ends = true): Promise<WrittenFile[]> {
      if (ends) writer.end(solutions.out);
      const written: WrittenFile[] = [];
      for (const file of files) written.push(await file.close());
      return written;
    },

    /** Removes the files that are not closed. */
    async abort(): Promise<void> {
      for (const file of files) await file.abort();
    },
  };

  function list(result: RecordResult): void {
    sample.list({ ...result.record(true), source: result.source });
  }

  function endRecord(result: RecordResult, enumeration: Enumeration): void {
    const isEnumerated = enumeration !== 'none';
    if (writer.line !== undefined) {
      if (!strict || result.isKept(onlyUnique, isEnumerated)) {
        // The solutions of an enumeration have their own lines.
        const record = result.record(false);
        writeLine(isEnumerated ? { ...record, solution: undefined } : record);
      }
    } else if (isEnumerated) endEnumeration(result, enumeration === 'counted');
    else writeOnly(result);
    if (result.isException) {
      const record = result.record(false);
      sample.add({ ...record, source: result.source });
      exceptions.out.text(`${JSON.stringify(record)}\n`);
    }
    records?.out.text(`${JSON.stringify(result.record(true))}\n`);
  }

  /** Writes the only entry of a record. */
  function writeOnly(result: RecordResult): void {
    const { emptyComment } = result;
    if (!result.isKept(onlyUnique, false)) {
      if (!strict) comment(result, result.comment, result.outcome(), false);
    } else if (emptyComment !== undefined) comment(result, emptyComment, result.outcome(), false);
    else entry(result.solution(false), result.heading(), result.outcome());
  }

  /** Writes the rest of an enumeration; of solutions that are counted, their number. */
  function endEnumeration(result: RecordResult, isCounted: boolean): void {
    const outcome = result.outcome(isCounted);
    const hasEntries = writeHeld(outcome);
    if (result.solutions === 0) {
      if (!strict) comment(result, result.comment, outcome, false);
    } else if (isCounted) comment(result, result.countComment, outcome, hasEntries);
    else if ((result.cut ?? result.remark) !== undefined)
      comment(result, result.comment, outcome, hasEntries);
  }

  /** Writes the last solution of a record, if it is not written yet. @returns whether there was one */
  function writeHeld(outcome: RecordOutcome): boolean {
    if (held === undefined) return false;
    entry(held.solution, held.heading, outcome);
    held = undefined;
    return true;
  }

  function entry(solution: object, heading: string | undefined, outcome: RecordOutcome): void {
    const { out } = solutions;
    const isHeaded = heading !== undefined && writer.heading(out, heading, isFirst);
    writer.entry(out, Object.assign(solution, { outcome }), isFirst || isHeaded);
    isFirst = false;
  }

  function comment(result: RecordResult, text: string, outcome: RecordOutcome, hasEntries: boolean): void {
    const unsolved = { ...result.place, outcome, hasEntries } as UnsolvedRecord;
    writer.placeholder(solutions.out, text, isFirst, unsolved);
    isFirst = false;
  }

  function writeLine(record: object): void {
    writer.line!(solutions.out, record, isFirst);
    isFirst = false;
  }
}

/** The end (exclusive) of the consecutive solved records that begin at `from`. */
function endOfSolved(status: Uint8Array, from: number, count: number): number {
  let end = from;
  while (end < count && status[end] === StatusCode.solved) end++;
  return end;
}
