/** The options of a job as command-line flags, shared by every command that accepts them. */
import { type Command, Option } from 'commander';
import { JobLimitError, type JobLimits, parseJobLimits } from '../batch/job-limits.ts';
import {
  DEFAULT_MAX_OUTPUT_MB,
  DEFAULT_MAX_UNPACKED_MB,
  DEFAULT_MAX_WRITTEN,
  JOB_LIMIT_NAMES,
  JOB_NODES_PER_PUZZLE_BUDGET,
  OUTPUT_BYTES_PER_BYTE,
} from '../batch/limits.ts';
import { type OptionTexts, parseOptions, type SolveOptions } from '../batch/options.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../formats/formats.ts';
import { ENGINE_NAMES } from '../sudoku/engine.ts';
import { VARIANT_NAMES } from '../sudoku/geometry/variants.ts';
import { CommandError } from './exit.ts';

type Flag = readonly [flags: string, description: string];

const READING_FLAGS: readonly Flag[] = [
  ['--format <name>', `input format (default: detected): ${FORMAT_NAMES.join(', ')}`],
  ['--alphabet <symbols>', 'symbols for the digits in order, such as ABCDEFGHIJKLMNOP or 1-16'],
  ['--variant <name>', `rules for puzzles whose file names none: ${VARIANT_NAMES.join(', ')}`],
  ['--box <rows x columns>', 'box shape, such as 2x3'],
];

const SOLVING_FLAGS: readonly Flag[] = [
  ['--output <profile>', `layout of the solutions: ${OUTPUT_PROFILES.join(', ')} (default: same)`],
  ['--engine <name>', `search engine: ${ENGINE_NAMES.join(', ')} (default: dlx)`],
  ['--solutions <n|all>', 'solutions to search for in each puzzle (default: 2, which proves uniqueness)'],
  ['--max-nodes <n>', 'budget of search nodes per puzzle (default: 50000000)'],
];

/** Adds the flags for reading files. */
export function addReadingOptions(command: Command): Command {
  for (const [flags, description] of READING_FLAGS) command.addOption(new Option(flags, description));
  return command;
}

/** Adds the flag of commands that report on puzzles. */
export function addRequirePuzzles(command: Command): Command {
  return command.option('--require-puzzles', 'exit with 2 if a file has no puzzles');
}

/** Adds all flags of a job's options. */
export function addSolveOptions(command: Command): Command {
  addReadingOptions(command);
  for (const [flags, description] of SOLVING_FLAGS) command.addOption(new Option(flags, description));
  return command
    .option('--records', 'also write records.jsonl: one record per puzzle, with its timing')
    .option(
      '--strict',
      'write only puzzles with exactly one solution, proven (if --solutions is not 2: those with a solution)',
    )
    .option(
      '--csv-safe',
      'in tables, put an apostrophe before cells that spreadsheet programs would execute',
    );
}

const JOB_LIMIT_FLAGS: readonly Flag[] = [
  [
    '--max-unpacked-mb <n>',
    `MiB to which a compressed file may unpack (default: ${DEFAULT_MAX_UNPACKED_MB})`,
  ],
  [
    '--max-written <n>',
    `solutions of a 9x9 to write with --solutions above 2, fewer of a larger puzzle (default: ${DEFAULT_MAX_WRITTEN})`,
  ],
  [
    '--max-output-mb <n>',
    `MiB of solutions and exceptions of a file (default: ${DEFAULT_MAX_OUTPUT_MB}, and ${OUTPUT_BYTES_PER_BYTE} bytes per byte of the file)`,
  ],
  [
    '--max-job-nodes <n>',
    `search nodes of all puzzles of a file (default: ${JOB_NODES_PER_PUZZLE_BUDGET} times --max-nodes, and more for larger files)`,
  ],
];

/** Adds the flag for the limit of a command that reads files and solves none. */
export function addUnpackedLimit(command: Command): Command {
  const [flags, description] = JOB_LIMIT_FLAGS[0]!;
  return command.option(flags, description);
}

/** Adds the flags for the limits of a job. */
export function addJobLimits(command: Command): Command {
  for (const [flags, description] of JOB_LIMIT_FLAGS) command.addOption(new Option(flags, description));
  return command;
}

/** The limits that a command's parsed flags set, by their names; with the budget of a puzzle. */
export function jobLimitTexts(flags: Readonly<Record<string, unknown>>): OptionTexts {
  return textsOf([...JOB_LIMIT_NAMES, 'max-nodes'], flags);
}

/** @throws CommandError that names the invalid flag */
export function readJobLimits(flags: Readonly<Record<string, unknown>>): JobLimits {
  try {
    return parseJobLimits(jobLimitTexts(flags));
  } catch (error) {
    if (!(error instanceof JobLimitError)) throw error;
    throw new CommandError(error.message.replace('option "', 'option "--'));
  }
}

const FLAG_NAMES = ['records', 'strict', 'csv-safe'];
const TEXT_NAMES = ['format', 'alphabet', 'variant', 'box', 'output', 'engine', 'solutions', 'max-nodes'];

/** Selects a job's options from a command's parsed flags, under their names in object metadata. */
export function optionTextsFromFlags(flags: Readonly<Record<string, unknown>>): OptionTexts {
  const texts = textsOf(TEXT_NAMES, flags);
  for (const name of FLAG_NAMES) if (flags[propertyOf(name)] === true) texts[name] = 'true';
  return texts;
}

function textsOf(names: readonly string[], flags: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    const value = flags[propertyOf(name)];
    if (typeof value === 'string') texts[name] = value;
  }
  return texts;
}

/** Where commander stores a flag: `max-nodes` as `maxNodes`. */
function propertyOf(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** @throws CommandError that names each invalid option */
export function readSolveOptions(texts: OptionTexts): SolveOptions {
  const parsed = parseOptions(texts);
  if ('options' in parsed) return parsed.options;
  throw new CommandError(
    parsed.errors.map(({ message }) => message.replace('option "', 'option "--')).join('; '),
  );
}

/**
 * Parses the value of a numeric flag.
 *
 * @param name of the flag, without dashes
 * @throws CommandError if the text is not a whole number from `min` to `max`
 */
export function readWholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= min && value <= max) return value;
  throw new CommandError(`option "--${name}" is "${text}": expected a whole number from ${min} to ${max}`);
}
