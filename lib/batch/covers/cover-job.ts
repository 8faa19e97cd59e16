/**
 * Solves the problems of an exact-cover file one after the other and writes the chosen options.
 *
 *     bytes -> problems -> general core -> solutions, exceptions, records
 *              (lib/formats/exact-cover)   (solve-cover.ts)
 *
 * A problem is in memory as a whole, within the limits of its reader; solutions are written as they are found.
 */
import type { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { optionTexts } from '../../formats/exact-cover/cover-writer.ts';
import type { FileError } from '../job/file-error.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, Hashing, ResultFiles } from '../ports.ts';
import type { ExceptionSample } from '../report/exception-sample.ts';
import { OpenResults, type WrittenFile } from '../results/result-files.ts';
import type { PuzzleLimits } from '../solving/solve-block.ts';
import {
  type ChosenOptions,
  COVER_PROFILES,
  type CoverOutput,
  type Enumeration,
  openCoverOutput,
} from './cover-output.ts';
import { coverReport } from './cover-report.ts';
import { CoverAnswer, searchCover } from './solve-cover.ts';

/** Why these options do not apply to an exact-cover file; undefined if they do. */
export function coverRefusal(options: SolveOptions): FileError | undefined {
  const refused: { option: string; found: string; message: string }[] = [];
  const refuse = (option: string, found: string, why: string) => {
    refused.push({ option, found, message: `option "${option}" is "${found}": ${why}` });
  };
  const { engine, output, alphabet, variant, box } = options;
  if (engine !== 'dlx') refuse('engine', engine, 'exact-cover files need engine dlx');
  if (!COVER_PROFILES.includes(output)) {
    refuse('output', output, `exact-cover files are written as ${COVER_PROFILES.join(' or ')}`);
  }
  const why = 'an exact-cover file has no cells';
  if (alphabet !== undefined) refuse('alphabet', alphabet, why);
  if (variant !== undefined) refuse('variant', variant, why);
  if (box !== undefined) refuse('box', box.join('x'), why);
  if (refused.length === 0) return undefined;
  const message = refused.map((refusal) => refusal.message).join('; ');
  return { code: 'bad_option', message, options: refused };
}

/** Progress of the search of a problem. */
export interface CoverProgress {
  readonly solutions: number;
  readonly nodes: number;
}

export class CoverJob {
  readonly #limits: PuzzleLimits;
  readonly #enumeration: Enumeration;
  readonly #clock: Clock;
  readonly #output: CoverOutput;
  readonly #files: OpenResults;
  /** Milliseconds spent on writing. */
  writeMs = 0;

  /** @param countOnly whether the solutions of an enumeration are counted without writing them */
  constructor(
    options: SolveOptions,
    limits: PuzzleLimits,
    countOnly: boolean,
    files: ResultFiles,
    hashing: Hashing,
    clock: Clock,
  ) {
    this.#limits = limits;
    this.#enumeration = limits.maxSolutions <= 2 ? 'none' : countOnly ? 'counted' : 'written';
    this.#clock = clock;
    this.#output = openCoverOutput(options);
    this.#files = new OpenResults(this.#output, options.records, files, hashing);
  }

  /**
   * Solves a problem and writes its results.
   *
   * @param index its index in the file, from 1
   * @param progress called between two slices of the search; an error that it throws ends the job
   * @returns the answer; undefined for an unreadable problem
   * @throws OutOfTimeError at the deadline
   */
  async solve(
    record: CoverRecord,
    index: number,
    progress: (now: CoverProgress) => void,
  ): Promise<CoverAnswer | undefined> {
    const { cover } = record;
    if (cover === undefined) {
      await this.#timed(() => this.#writeEnd(record, undefined, undefined, index));
      return undefined;
    }
    const answer = new CoverAnswer();
    let first: ChosenOptions | undefined;
    for (const step of searchCover(cover, this.#limits, this.#clock, answer)) {
      if (step === 'solution') {
        const { options, optionCount: count, solutions } = answer;
        first ??= { cover, options: options.slice(0, count), count };
        if (this.#enumeration === 'written') {
          const chosen = { cover, options, count };
          await this.#timed((out) => this.#output.solution(out, record, chosen, index, solutions));
        }
      }
      progress({ solutions: answer.solutions, nodes: answer.nodes });
    }
    await this.#timed(() => this.#writeEnd(record, answer, first, index));
    return answer;
  }

  /** The first exceptions, for the report. */
  get exceptions(): ExceptionSample {
    return this.#files.exceptionSample;
  }

  /** Stores the result files and returns them in the order of the manifest. */
  close(): Promise<WrittenFile[]> {
    return this.#files.close();
  }

  /** Removes the result files. */
  abort(): Promise<void> {
    return this.#files.abort();
  }

  /** Writes the entries of a problem after its search. */
  #writeEnd(
    record: CoverRecord,
    answer: CoverAnswer | undefined,
    first: ChosenOptions | undefined,
    index: number,
  ): void {
    const solution = first && optionTexts(first.cover, first.options, first.count);
    const report = coverReport(record, answer, solution, index);
    this.#output.end(this.#files.solutions.out, report, first, this.#enumeration);
    if (report.status !== 'solved') this.#files.writeException(report);
    const solveUs = answer && Math.round(answer.solveUs * 1000) / 1000;
    this.#files.writeRecord(() => ({ ...report, solveUs }));
  }

  async #timed(write: (out: ByteBuffer) => void): Promise<void> {
    const startMs = this.#clock.monotonicMs();
    write(this.#files.solutions.out);
    await this.#files.flushFull();
    this.writeMs += this.#clock.monotonicMs() - startMs;
  }
}
