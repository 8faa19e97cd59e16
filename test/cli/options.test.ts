import { Command } from 'commander';
import { expect, test } from 'vitest';
import { OPTION_NAMES } from '../../lib/batch/options.ts';
import { optionTextsFromFlags, readSolveOptions } from '../../lib/cli/option-values.ts';
import { READING, SEARCHING, WRITING } from '../../lib/cli/options.ts';

/** Parses a command line into option texts. */
function textsOf(line: string) {
  const command = new Command().exitOverride();
  for (const each of [...READING, ...SEARCHING, ...WRITING]) command.addOption(each);
  command.parse(line.split(' '), { from: 'user' });
  return optionTextsFromFlags(command.opts());
}

const ALL_FLAGS =
  '--engine backtrack --format line --alphabet 123456789 --variant standard --box 3x3 --output line ' +
  '--solutions all --max-nodes 7 --rate --records --strict --csv-safe';

test('the flags of a command include every option of a job, under the same name, and are parsed like metadata', () => {
  expect(Object.keys(textsOf(ALL_FLAGS)).sort()).toEqual([...OPTION_NAMES].sort());
  expect(readSolveOptions(textsOf(ALL_FLAGS))).toEqual({
    engine: 'backtrack',
    format: 'line',
    alphabet: '123456789',
    variant: 'standard',
    box: [3, 3],
    output: 'line',
    solutions: Number.POSITIVE_INFINITY,
    maxNodes: 7,
    rate: true,
    records: true,
    strict: true,
    csvSafe: true,
  });
});
