/**
 * The part of a job that is about exact-cover files: problems in, chosen options out, one problem after the other.
 *
 *     bytes -> problems -> general core -> solutions, exceptions, records
 *              (lib/formats/exact-cover)   (solve-cover.ts)
 *
 * A problem is held in memory as a whole, within the limits of its reader; solutions are written as they are found
 * and never held together.
 */
import type { CoverProblem, CoverRecord } from '../formats/exact-cover/cover-record.ts';
import { type CoverWriter, optionTexts } from '../formats/exact-cover/cover-writer.ts';
import { COVER_PROFILES, openCoverWriter } from '../formats/exact-cover/covers.ts';
import { type CoverReport, coverReport, whyUnsolved } from './cover-report.ts';
import type { FileError } from './file-error.ts';
import type { SolveOptions } from './options.ts';
import type { Clock, Hashing, ResultFiles } from './ports.ts';
import { countedSolutions } from './puzzle-record.ts';
import { OpenResults, type WrittenFile } from './result-files.ts';
import type { PuzzleLimits } from './solve-block.ts';
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
  readonly #options: SolveOptions;
  readonly #limits: PuzzleLimits;
  readonly #countOnly: boolean;
  readonly #clock: Clock;
  readonly #writer: CoverWriter;
  readonly #files: OpenResults;
  #first = true;
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
    this.#options = options;
    this.#limits = limits;
    this.#countOnly = countOnly;
    this.#clock = clock;
    this.#writer = openCoverWriter(options.output);
    this.#files = new OpenResults(this.#writer, options.records, files, hashing);
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
    const streams = this.#limits.maxSolutions > 2 && !this.#countOnly;
    let first: Int32Array | undefined;
    for (const step of searchCover(cover, this.#limits, this.#clock, answer)) {
      if (step === 'solution') {
        first ??= answer.options.slice(0, answer.optionCount);
        if (streams) {
          await this.#timed(() =>
            this.#write(cover, answer.options, answer.optionCount, index, answer.solutions),
          );
        }
      }
      progress(answer);
    }
    await this.#timed(() => this.#writeEnd(record, answer, first, index));
    return answer;
  }

  /** Ends and stores every file, in the order in which the manifest names them. */
  close(): Promise<WrittenFile[]> {
    return this.#files.close();
  }

  /** Gives up every file. */
  abort(): Promise<void> {
    return this.#files.abort();
  }

  /** What a problem leaves when its search is over, beside the solutions that were written on the way. */
  #writeEnd(
    record: CoverRecord,
    answer: CoverAnswer | undefined,
    first: Int32Array | undefined,
    index: number,
  ): void {
    const { cover } = record;
    const solution =
      cover === undefined || first === undefined ? undefined : optionTexts(cover, first, first.length);
    const report = coverReport(record, answer, solution, index);
    if (this.#limits.maxSolutions > 2 && report.solutions) {
      if (this.#countOnly) this.#place(report, countedSolutions(report.solutions, report.exact === true));
    } else if (cover !== undefined && first !== undefined && report.status !== 'limit') {
      this.#write(cover, first, first.length, index, undefined);
    } else if (!this.#options.strict) {
      this.#place(report, `${report.status}: ${whyUnsolved(report)}`);
    }
    if (report.status !== 'solved') this.#files.writeException(report);
    this.#files.writeRecord(() => ({
      ...report,
      solveUs: answer && Math.round(answer.solveUs * 1000) / 1000,
    }));
  }

  #write(
    cover: CoverProblem,
    options: Int32Array,
    count: number,
    index: number,
    ordinal: number | undefined,
  ): void {
    this.#writer.solution(this.#files.solutions.out, cover, options, count, index, ordinal, this.#first);
    this.#first = false;
  }

  /** A line that stands where solutions would. */
  #place({ index, line }: CoverReport, text: string): void {
    const whole = `puzzle ${index} (line ${line}): ${text}`;
    this.#writer.placeholder(this.#files.solutions.out, whole, index, this.#first);
    this.#first = false;
  }

  async #timed(write: () => void): Promise<void> {
    const startMs = this.#clock.monotonicMs();
    write();
    await this.#files.flushFull();
    this.writeMs += this.#clock.monotonicMs() - startMs;
  }
}
