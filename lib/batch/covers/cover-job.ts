/**
 * The part of a job that is about exact-cover files: problems in, chosen options out, one problem after the other.
 *
 *     bytes -> problems -> general core -> solutions, exceptions, records
 *              (lib/formats/exact-cover)   (solve-cover.ts)
 *
 * A problem is held in memory as a whole, within the limits of its reader; solutions are written as they are found
 * and never held together.
 */
import type { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import { optionLines } from '../../formats/exact-cover/cover-writer.ts';
import type { FileError } from '../job/file-error.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, Hashing, ResultFiles } from '../ports.ts';
import type { ExceptionSample } from '../results/exception-sample.ts';
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

/** Why an exact-cover file cannot be solved with these options; undefined where it can. */
export function coverRefusal(options: SolveOptions): FileError | undefined {
  const refused: { option: string; found: string; message: string }[] = [];
  const refuse = (option: string, found: string, why: string) => {
    refused.push({ option, found, message: `option "${option}" is "${found}": ${why}` });
  };
  const { engine, output, alphabet, variant, box } = options;
  if (engine !== 'dlx') refuse('engine', engine, 'an exact-cover file is solved by dlx only');
  if (!COVER_PROFILES.includes(output)) {
    refuse(
      'output',
      output,
      `the solutions of an exact-cover file are written as ${COVER_PROFILES.join(' or ')}`,
    );
  }
  const why = 'an exact-cover file has no cells';
  if (alphabet !== undefined) refuse('alphabet', alphabet, why);
  if (variant !== undefined) refuse('variant', variant, why);
  if (box !== undefined) refuse('box', box.join('x'), why);
  if (refused.length === 0) return undefined;
  const message = refused.map((refusal) => refusal.message).join('; ');
  return { code: 'bad_option', message, options: refused };
}

/** How far a problem has come. */
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

  /** @param countOnly whether the solutions of an enumeration are counted and not written */
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
   * Solves a problem and writes what is found.
   *
   * @param index its index in the file, from 1
   * @param progress told between two stretches of the search; what it throws ends the job
   * @returns what was found; undefined for a problem that could not be read
   * @throws OutOfTimeError where the deadline comes
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

  /** The exceptions so far, as far as the report names them. */
  get exceptions(): ExceptionSample {
    return this.#files.exceptionSample;
  }

  /** Ends and stores every file, in the order in which the manifest names them. */
  close(): Promise<WrittenFile[]> {
    return this.#files.close();
  }

  /** Gives up every file. */
  abort(): Promise<void> {
    return this.#files.abort();
  }

  /** What a problem leaves when its search is over. */
  #writeEnd(
    record: CoverRecord,
    answer: CoverAnswer | undefined,
    first: ChosenOptions | undefined,
    index: number,
  ): void {
    const solution = first && optionLines(first.cover, first.options, first.count);
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
