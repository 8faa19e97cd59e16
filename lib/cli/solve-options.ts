/** The options of a job as command-line flags, shared by every command that accepts them. */
import { type Command, Option } from 'commander';
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
    .option('--strict', 'omit puzzles without a solution from the solutions')
    .option(
      '--csv-safe',
      'in tables, put an apostrophe before cells that spreadsheet programs would execute',
    );
}

const FLAG_NAMES = ['records', 'strict', 'csv-safe'];
const TEXT_NAMES = ['format', 'alphabet', 'variant', 'box', 'output', 'engine', 'solutions', 'max-nodes'];

/** Selects a job's options from a command's parsed flags, under their names in object metadata. */
export function optionTextsFromFlags(flags: Readonly<Record<string, unknown>>): OptionTexts {
  const texts: Record<string, string> = {};
  for (const name of TEXT_NAMES) {
    const value = flags[propertyOf(name)];
    if (typeof value === 'string') texts[name] = value;
  }
  for (const name of FLAG_NAMES) if (flags[propertyOf(name)] === true) texts[name] = 'true';
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
