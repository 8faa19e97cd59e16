/** The options that several commands take, in groups. What they are set to: `option-values.ts`. */
import { Option } from 'commander';
import {
  DEFAULT_MAX_OUTPUT_MB,
  DEFAULT_MAX_UNPACKED_MB,
  DEFAULT_MAX_WRITTEN,
  JOB_NODES_PER_PUZZLE_BUDGET,
  OUTPUT_BYTES_PER_BYTE,
} from '../batch/limits.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../formats/names.ts';
import { ENGINE_NAMES } from '../sudoku/engine.ts';
import { VARIANT_NAMES } from '../sudoku/geometry/variants.ts';

/** Options under one heading of the help. */
export function group(heading: string, ...options: readonly Option[]): readonly Option[] {
  return options.map((each) => each.helpGroup(`${heading}:`));
}

export function option(flags: string, description: string, defaultValue?: string): Option {
  return new Option(flags, description).default(defaultValue);
}

const VARIABLE_PREFIX = 'DLX_BATCH_';

/** An option that an environment variable also sets: `--retry-for` is `DLX_BATCH_RETRY_FOR`. */
function withVariable(flags: string, description: string): Option {
  const name = /--([\w-]+)/.exec(flags)![1]!;
  return option(flags, description).env(VARIABLE_PREFIX + name.toUpperCase().replaceAll('-', '_'));
}

export const DEFAULT_STACK = 'DlxBatch';
/** Where result sets are saved if no folder is given. */
export const RESULTS_FOLDER = 'dlx-batch-results';

/** Which stack a command uses, and how. They may stand before the name of the command too. */
export const STACK_OPTIONS = group(
  'Stack',
  withVariable('--stack <name>', `name of the deployed stack (default: ${DEFAULT_STACK})`),
  withVariable('--endpoint <url>', 'endpoint of local --serve, or of another S3'),
  withVariable('--bucket <name>', 'input bucket, instead of --stack'),
  withVariable('--results-bucket <name>', 'results bucket, required with --bucket'),
  withVariable('--profile <name>', 'profile of the AWS configuration (default: AWS_PROFILE)'),
  withVariable('--region <name>', 'AWS region (default: AWS_REGION, or that of the profile)'),
  withVariable(
    '--retry-for <time>',
    'how long to repeat a request while the network fails (default: 5m; 0s: never)',
  ),
);

export const JSON_OPTION = option('--json', 'write JSON instead of text').helpGroup('Output:');

export const READING = group(
  'Reading',
  option('--format <name>', `input format (default: detected): ${FORMAT_NAMES.join(', ')}`),
  option('--alphabet <symbols>', 'symbols for the digits in order, such as ABCDEFGHIJKLMNOP or 1-16'),
  option('--variant <name>', `rules for puzzles whose file names none: ${VARIANT_NAMES.join(', ')}`),
  option('--box <rows x columns>', 'box shape, such as 2x3'),
);

export const SEARCHING = group(
  'Solving',
  option('--engine <name>', `search engine: ${ENGINE_NAMES.join(', ')} (default: dlx)`),
  option(
    '--solutions <n|all>',
    'solutions to search for in each puzzle (default: 2, which proves uniqueness)',
  ),
  option('--rate', 'rate how hard each puzzle with exactly one solution is, and grade it'),
  option('--max-nodes <n>', 'budget of search nodes for each puzzle (default: 50000000)'),
);

export const WRITING = group(
  'Results',
  option('--output <profile>', `layout of the solutions: ${OUTPUT_PROFILES.join(', ')} (default: same)`),
  option('--records', 'also write records.jsonl: one record for each puzzle, with its time'),
  option(
    '--strict',
    'write only puzzles with exactly one solution, proven (if --solutions is not 2: those with a solution)',
  ),
  option('--csv-safe', 'in tables, put an apostrophe before cells that spreadsheet programs would execute'),
);

export const LIMITS = group(
  'Limits',
  option(
    '--max-unpacked-mb <n>',
    `largest unpacked size of a compressed file, in MiB (default: ${DEFAULT_MAX_UNPACKED_MB})`,
  ),
  option(
    '--max-written <n>',
    `with --solutions above 2: most solutions that are written of a 9x9; fewer of a larger puzzle (default: ${DEFAULT_MAX_WRITTEN})`,
  ),
  option(
    '--max-output-mb <n>',
    `most MiB of solutions and exceptions of a file (default: ${DEFAULT_MAX_OUTPUT_MB} MiB plus ${OUTPUT_BYTES_PER_BYTE} bytes for each byte of the file)`,
  ),
  option(
    '--max-job-nodes <n>',
    `most search nodes of all puzzles of a file together (default: ${JOB_NODES_PER_PUZZLE_BUDGET} times --max-nodes, and more for larger files)`,
  ),
);
