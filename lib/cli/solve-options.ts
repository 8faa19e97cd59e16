/** The options of a job as command-line flags, the same for every command that takes them. */
import { type Command, Option } from 'commander';
import { type OptionTexts, parseOptions, type SolveOptions } from '../batch/options.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../formats/formats.ts';
import { ENGINE_NAMES } from '../sudoku/engine.ts';
import { VARIANT_NAMES } from '../sudoku/geometry/variants.ts';
import { CommandError } from './exit.ts';

type Flag = readonly [flags: string, description: string];

const READING_FLAGS: readonly Flag[] = [
  ['--format <name>', `read the files as this format instead of looking: ${FORMAT_NAMES.join(', ')}`],
  ['--alphabet <symbols>', 'symbols of the digits in order, such as ABCDEFGHIJKLMNOP or 1-16'],
  ['--variant <name>', `rules of puzzles whose file names none: ${VARIANT_NAMES.join(', ')}`],
  ['--box <rows x columns>', 'shape of a box, such as 2x3'],
];

const SOLVING_FLAGS: readonly Flag[] = [
  ['--output <profile>', `how solutions are written: ${OUTPUT_PROFILES.join(', ')} (default: same)`],
  ['--engine <name>', `${ENGINE_NAMES.join(', ')} (default: dlx)`],
  ['--solutions <n|all>', 'solutions to look for in each puzzle (default: 2, proves uniqueness)'],
  ['--max-nodes <n>', 'search nodes allowed for each puzzle (default: 50000000)'],
];

/** Adds the flags that say how files are read. */
export function addReadingOptions(command: Command): Command {
  for (const [flags, description] of READING_FLAGS) command.addOption(new Option(flags, description));
  return command;
}

/** Adds the flags of a job's options to a command. */
export function addSolveOptions(command: Command): Command {
  addReadingOptions(command);
  for (const [flags, description] of SOLVING_FLAGS) command.addOption(new Option(flags, description));
  return command
    .option('--records', 'also write records.jsonl: one record a puzzle, with its timing')
    .option('--strict', 'leave puzzles without a solution out of the solutions');
}

const FLAG_NAMES = ['records', 'strict'];
const TEXT_NAMES = ['format', 'alphabet', 'variant', 'box', 'output', 'engine', 'solutions', 'max-nodes'];

/** The option texts among a command's parsed flags, under their names in metadata. */
export function optionTextsFromFlags(flags: Readonly<Record<string, unknown>>): OptionTexts {
  const texts: Record<string, string> = {};
  for (const name of TEXT_NAMES) {
    const value = flags[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === 'string') texts[name] = value;
  }
  for (const name of FLAG_NAMES) if (flags[name] === true) texts[name] = 'true';
  return texts;
}

/** @throws CommandError naming each option that cannot be taken */
export function readSolveOptions(texts: OptionTexts): SolveOptions {
  const parsed = parseOptions(texts);
  if ('options' in parsed) return parsed.options;
  throw new CommandError(
    parsed.errors.map(({ message }) => message.replace('option "', 'option "--')).join('; '),
  );
}
