/**
 * Limits of one job: how much a file may unpack to, search and write. No honest file meets them.
 *
 * The operator sets them (flags of the command line, settings of the stack); the metadata of an upload cannot. They
 * depend on the file alone, and are compared with its totals, so a file is rejected whether or not it is split.
 */
import type { FileError } from './job/file-error.ts';
import {
  DEFAULT_MAX_EXCEPTIONS_MB,
  DEFAULT_MAX_NODES,
  DEFAULT_MAX_OUTPUT_MB,
  DEFAULT_MAX_UNPACKED_MB,
  DEFAULT_MAX_WRITTEN,
  JOB_NODES_PER_BYTE,
  JOB_NODES_PER_PUZZLE_BUDGET,
  type JobLimitName,
  OUTPUT_BYTES_PER_BYTE,
} from './limits.ts';
import type { OptionTexts } from './options.ts';
import { numberText } from './quantities.ts';
import { MAX_WRITTEN, type RecordError } from './results/record-error.ts';

export interface JobLimits {
  /** Bytes to which compressed data may unpack. */
  readonly unpackedBytes: number;
  /** Cells of the solutions of one puzzle that are written, or bytes of those of an exact-cover problem. */
  readonly writtenCells: number;
  readonly outputBytes: Allowance;
  readonly exceptionBytes: Allowance;
  readonly nodes: Allowance;
}

/** A limit that grows with the file. */
interface Allowance {
  readonly base: number;
  readonly perByte: number;
}

/** What a job has used. */
export interface JobWork {
  /** Search nodes of all puzzles. */
  readonly nodes: number;
  readonly solutionBytes: number;
  readonly exceptionBytes: number;
}

const MB = 1024 * 1024;
/** Solutions are counted in solutions of a 9x9. */
const CELLS = 81;

/**
 * The operator's limits.
 *
 * @param texts by `JOB_LIMIT_NAMES`; with `max-nodes`, the operator's budget for each puzzle, with which that of a job grows
 * @throws JobLimitError that names the setting
 */
export function parseJobLimits(texts: OptionTexts): JobLimits {
  const numberOf = (name: string) => {
    const text = texts[name];
    if (text === undefined) return undefined;
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    throw new JobLimitError(name, text);
  };
  const maxNodes = numberOf('max-nodes') ?? DEFAULT_MAX_NODES;
  const outputMb = numberOf('max-output-mb');
  const output = (defaultMb: number): Allowance =>
    outputMb === undefined
      ? { base: defaultMb * MB, perByte: OUTPUT_BYTES_PER_BYTE }
      : { base: outputMb * MB, perByte: 0 };
  const jobNodes = numberOf('max-job-nodes');
  return {
    unpackedBytes: (numberOf('max-unpacked-mb') ?? DEFAULT_MAX_UNPACKED_MB) * MB,
    writtenCells: (numberOf('max-written') ?? DEFAULT_MAX_WRITTEN) * CELLS,
    outputBytes: output(DEFAULT_MAX_OUTPUT_MB),
    exceptionBytes: output(DEFAULT_MAX_EXCEPTIONS_MB),
    nodes:
      jobNodes === undefined
        ? {
            base: maxNodes * JOB_NODES_PER_PUZZLE_BUDGET,
            perByte: (JOB_NODES_PER_BYTE * maxNodes) / DEFAULT_MAX_NODES,
          }
        : { base: jobNodes, perByte: 0 },
  };
}

/** The value of a limit is invalid. */
export class JobLimitError extends Error {
  override readonly name = 'JobLimitError';

  constructor(option: string, found: string) {
    super(`option "${option}" is "${found}": expected a whole number from 1 up`);
  }
}

export const DEFAULT_JOB_LIMITS = parseJobLimits({});

/**
 * Where an operator raises a limit: `--max-written of solve and local, or dlx:maxWritten of the stack`. Any command, a page or
 * a stack may show it.
 */
export function settingText(name: JobLimitName): string {
  const setting = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return `--${name} of solve and local, or dlx:${setting} of the stack`;
}

/**
 * Why a job that has used so much is rejected; undefined below the limits.
 *
 * @param textBytes bytes of the file's text; of a file whose size is not known yet, those that were read
 */
export function jobLimitError(
  { nodes, solutionBytes, exceptionBytes }: JobWork,
  textBytes: number,
  jobLimits: JobLimits,
): FileError | undefined {
  const size = `a file of ${numberText(textBytes)} bytes`;
  const maxOutput = allowed(jobLimits.outputBytes, textBytes);
  const maxExceptions = allowed(jobLimits.exceptionBytes, textBytes);
  const maxNodes = maxJobNodes(jobLimits, textBytes);
  const tooLarge = (message: string): FileError => ({ code: 'too_large', message });
  if (exceptionBytes > maxExceptions) {
    return tooLarge(
      `the exceptions take more than ${numberText(maxExceptions)} bytes, the limit for ${size}: ` +
        `nearly all of its puzzles are unreadable or unsolved; check it, or raise ${settingText('max-output-mb')}`,
    );
  }
  if (solutionBytes + exceptionBytes > maxOutput) {
    return tooLarge(
      `the results take more than ${numberText(maxOutput)} bytes, the limit for ${size}; ` +
        `split the file, search fewer solutions, or raise ${settingText('max-output-mb')}`,
    );
  }
  if (nodes <= maxNodes) return undefined;
  return tooLarge(
    `the puzzles take more than ${numberText(maxNodes)} search nodes in all, the limit for ${size}; ` +
      `split the file, lower max-nodes, or raise ${settingText('max-job-nodes')}`,
  );
}

/** The search nodes of all puzzles of a file, at most. */
export function maxJobNodes({ nodes }: JobLimits, textBytes: number): number {
  return allowed(nodes, textBytes);
}

function allowed({ base, perByte }: Allowance, bytes: number): number {
  return Math.ceil(base + perByte * bytes);
}

/** The number of solutions of one puzzle that are written, at least 2: fewer would not show that there are several. */
export function maxWritten({ writtenCells }: JobLimits, cellCount: number): number {
  return Math.max(2, Math.floor(writtenCells / cellCount));
}

/**
 * The error of a puzzle with more solutions than are written.
 *
 * @param written number of its solutions that are written
 * @param size what the limit depends on, such as `a puzzle of 81 cells`
 */
export function writtenError(written: number, size: string): RecordError {
  return {
    code: MAX_WRITTEN,
    message:
      `${numberText(written)} of its solutions are written, the limit for ${size}: ` +
      `count them with the command solve and its option count, or raise ${settingText('max-written')}`,
  };
}
