/** Writes the solutions of exact-cover files, as text (`same`) or as JSON lines (`jsonl`). */
import type { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverProblem, CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { optionLines, writeOptions } from '../../formats/exact-cover/cover-writer.ts';
import type { SolveOptions } from '../options.ts';
import { JSON_LINES_TYPE } from '../results/content-types.ts';
import { solutionCountText } from '../results/puzzle-record.ts';
import { type CoverReport, unsolvedReason } from './cover-report.ts';

/** Output profiles of exact-cover files; the others are layouts of grids. */
export const COVER_PROFILES: readonly string[] = ['same', 'jsonl'];

/** The options of a solution, in the order of the file. */
export interface ChosenOptions {
  readonly cover: CoverProblem;
  readonly options: Int32Array;
  /** Undefined if the problem has no costs. */
  readonly cost?: number | undefined;
}

/** `none`: at most two solutions are searched. Otherwise, each solution is `written`, or all are only `counted`. */
export type Enumeration = 'none' | 'written' | 'counted';

export interface CoverOutput {
  /** File name extension without the dot. */
  readonly extension: string;
  readonly contentType: string;
  /**
   * Writes one of several solutions of a problem.
   *
   * @param index the problem's index in the file, from 1
   * @param ordinal the solution's number, from 1
   */
  solution(out: ByteBuffer, record: CoverRecord, chosen: ChosenOptions, index: number, ordinal: number): void;
  /**
   * Writes the result of a problem after its search.
   *
   * @param first its first solution, if one was found
   */
  end(out: ByteBuffer, report: CoverReport, first: ChosenOptions | undefined, enumeration: Enumeration): void;
}

/** The output of a profile among `COVER_PROFILES`. */
export function openCoverOutput({ output, strict }: SolveOptions): CoverOutput {
  return output === 'jsonl' ? new RecordOutput(strict) : new TextOutput(strict);
}

/** One option per line; a blank line between entries, and a `#` line for a problem without a solution. */
class TextOutput implements CoverOutput {
  readonly extension = 'txt';
  readonly contentType = 'text/plain; charset=utf-8';
  readonly #strict: boolean;
  #first = true;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  solution(
    out: ByteBuffer,
    _record: CoverRecord,
    chosen: ChosenOptions,
    index: number,
    ordinal: number,
  ): void {
    this.#comment(out, `puzzle ${index}, solution ${ordinal}${costText(chosen.cost)}`);
    writeOptions(out, chosen.cover, chosen.options);
  }

  end(
    out: ByteBuffer,
    report: CoverReport,
    first: ChosenOptions | undefined,
    enumeration: Enumeration,
  ): void {
    const { index, line, status, solutions = 0, exact } = report;
    const place = `puzzle ${index} (line ${line})`;
    if (enumeration !== 'none' && solutions !== 0) {
      if (enumeration === 'counted')
        this.#comment(out, `${place}: ${solutionCountText(solutions, exact === true)}`);
      else if (report.error !== undefined)
        this.#comment(out, `${place}: ${status}: ${unsolvedReason(report)}`);
    } else if (first === undefined || status === 'limit') {
      if (!this.#strict) this.#comment(out, `${place}: ${status}: ${unsolvedReason(report)}`);
    } else if (first.options.length === 0) {
      this.#comment(out, `${place}: ${status}: the empty set of options`);
    } else {
      if (first.cost !== undefined)
        this.#comment(out, `puzzle ${index}${costText(first.cost, report.costBound)}`);
      else this.#part(out);
      writeOptions(out, first.cover, first.options);
    }
  }

  #comment(out: ByteBuffer, text: string): void {
    this.#part(out);
    out.text(`# ${text}\n`);
  }

  #part(out: ByteBuffer): void {
    if (!this.#first) out.text('\n');
    this.#first = false;
  }
}

/** `, cost 7`, or nothing without costs; with the lower bound if the cost is not proven to be the least. */
function costText(cost: number | undefined, bound?: number): string {
  if (cost === undefined) return '';
  return bound === undefined ? `, cost ${cost}` : `, cost ${cost}; the least cost is ${bound} or more`;
}

/** A record for each problem, after one for each of its solutions in an enumeration. */
class RecordOutput implements CoverOutput {
  readonly extension = 'jsonl';
  readonly contentType = JSON_LINES_TYPE;
  readonly #strict: boolean;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  solution(
    out: ByteBuffer,
    record: CoverRecord,
    chosen: ChosenOptions,
    index: number,
    ordinal: number,
  ): void {
    const { line, lineEnd, format } = record;
    const { cover, options, cost } = chosen;
    const solution = optionLines(cover, options);
    out.text(`${JSON.stringify({ index, ordinal, line, lineEnd, format, cost, solution })}\n`);
  }

  end(
    out: ByteBuffer,
    report: CoverReport,
    first: ChosenOptions | undefined,
    enumeration: Enumeration,
  ): void {
    if (this.#strict && (first === undefined || report.status === 'limit')) return;
    // The solutions of an enumeration have their own lines.
    const solution = enumeration === 'none' ? report.solution : undefined;
    out.text(`${JSON.stringify({ ...report, solution })}\n`);
  }
}
