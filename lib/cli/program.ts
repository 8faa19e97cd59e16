/** The command-line tool: makes the commands of their table, and reports their errors in one line each. */
import { Command, CommanderError, type Option } from 'commander';
import { VERSION } from '../batch/version.ts';
import { COMMANDS, type CommandSpec } from './commands.ts';
import { brokenOutput, CommandError, EXIT_FAILED, failureLines } from './exit.ts';
import { JSON_OPTION, STACK_OPTIONS } from './options.ts';
import { useCommandLine } from './remote/command-text.ts';
import { handlingSignals } from './terminal/interrupt.ts';
import { complain, writeText } from './terminal/output.ts';
import { eraseProgress } from './terminal/terminal.ts';

const PROGRAM_OPTIONS = [...STACK_OPTIONS, JSON_OPTION];

/** What commander says about commands and options of version 0.1, and what to write instead. */
const OLD_NAMES: readonly (readonly [old: RegExp, instead: string])[] = [
  [/command '(resend|redrive)'/, 'it is now: dlx-batch retry [KEY...]'],
  [/command 'runs'/, 'it is now: dlx-batch run --list'],
  [/command 'smoke'/, 'it is now: dlx-batch doctor --live'],
  [/'--rerun-failed'/, 'it is now: dlx-batch retry --run ID'],
  [/'--(dead-letters|executions)'/, 'it is now: dlx-batch retry, which repeats both'],
  [/'--all'/, 'download without a key fetches all results'],
  [/'--prefix'/, 'give the prefix in place of a key, such as inbox/june/'],
  [/'--dry-run'/, 'it is now: dlx-batch estimate FILE'],
  [/'--peer'/, 'it is now: npm run bench -- --peer NAME=COMMAND, in a checkout'],
  [/'--unique'/, 'it is the default: omit it'],
  [/'--out'/, 'it is now: dlx-batch doctor --live --json > FILE'],
  [
    /'--(max-(unpacked-mb|written|output-mb|job-nodes|nodes)|engine|format|alphabet|variant|box|output|solutions|records|strict|csv-safe)'/,
    'solve has it, and local takes it as --set NAME=VALUE, such as --set max-written=1000',
  ],
  [/'--(large-seconds|shard-bytes)'/, 'local takes it as --set NAME=VALUE, such as --set large-seconds=30'],
  [/'--explain'/, 'check --explain says how a file is read; stats.json has the size of exact-cover matrices'],
  [
    /'--require-puzzles'/,
    'this option is gone: the summary names a file without puzzles, and --json has noPuzzles',
  ],
  [/'--page-port'/, 'this option is gone: the page has port 9424, or the next free one'],
  [/'--name'/, 'standard input is stdin.txt: give --prefix to tell uploads apart'],
  [/'--gzip'/, 'compress the file before the upload: the stack reads .gz and .zst'],
  [
    /'--versions'/,
    'this option is gone: status lists the newest version of each key, and older ones that have not ended',
  ],
  [/'--grace'/, 'it is now: dlx-batch retry, which waits for no grace period'],
  [
    /'--max-(day|folder)-(dollars|mb)'/,
    'this option is gone: concurrency bounds what a day costs, which estimate prints instead',
  ],
];

/**
 * Runs one command and sets `process.exitCode`.
 *
 * @param args the command and its arguments
 */
export async function runProgram(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const { status, message } = brokenOutput(error);
    if (message !== undefined) complain(message);
    process.exit(status);
  });

  // A message that cannot be written changes no exit status.
  process.stderr.on('error', () => {});

  const program = createProgram();
  try {
    await handlingSignals(() => program.parseAsync(args, { from: 'user' }));
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_FAILED;
    } else {
      complain(...failureLines(error));
      process.exitCode = EXIT_FAILED;
    }
  } finally {
    eraseProgress();
    useCommandLine([], {});
  }
}

/** All commands; the reference of the commands is made of it too (test/docs). */
export function createProgram(): Command {
  const program = new Command('dlx-batch')
    .description(
      'solve batches of sudokus and exact-cover problems on this machine, on a local stack, or on AWS',
    )
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions })
    .configureOutput({
      writeOut: (text) => writeText(text, process.stdout),
      writeErr: (text) => writeText(text, process.stderr),
      // Commander puts suggestions on separate lines; every error here is one line.
      outputError: (text) => {
        complain(
          usageText(
            text
              .replace(/^error: /, '')
              .trimEnd()
              .replaceAll('\n', ' '),
          ),
        );
      },
    });
  for (const each of PROGRAM_OPTIONS) program.addOption(each);
  for (const spec of COMMANDS) addCommand(program, spec);
  return program;
}

/** @param line what commander says is wrong */
function usageText(line: string): string {
  const [, flag, value] = /option '(--[\w-]+)=(.*)'/.exec(line) ?? [];
  const known = COMMANDS.flatMap(({ groups }) => groups.flat());
  if ([...known, JSON_OPTION].some((each) => each.long === flag && !each.required)) {
    return `option "${flag}" has the value "${value}": expected none, as it is a switch: omit "=${value}"`;
  }
  const instead = line.startsWith('unknown') ? OLD_NAMES.find(([old]) => old.test(line))?.[1] : undefined;
  return instead === undefined ? `${line} (see --help)` : `${line.replace(/ \(Did.*|\.$/, '')}: ${instead}`;
}

/** The options of the program that a command takes. */
function visibleGlobalOptions(command: Command): Option[] {
  const takes = COMMANDS.find(({ name }) => name === command.name())?.takes ?? [];
  return PROGRAM_OPTIONS.filter((each) => takes.includes(each.name()));
}

function addCommand(program: Command, spec: CommandSpec): void {
  const { name, summary, operands, groups, help, takes, ofObjects = [], needs = {} } = spec;
  const command = program.command(name).description(summary).addHelpText('after', `\n${help}`);
  if (operands !== undefined) command.addArgument(operands);
  for (const each of groups.flat()) command.addOption(each);
  command.action(async (...given: readonly unknown[]) => {
    const operandsGiven = (operands === undefined ? [] : [given[0] ?? []].flat()) as string[];
    const readsObjects = operandsGiven.some((each) => each.startsWith('s3://'));
    const ignored = PROGRAM_OPTIONS.find(
      (each) =>
        (!takes.includes(each.name()) || (ofObjects.includes(each.name()) && !readsObjects)) &&
        program.getOptionValueSource(each.attributeName()) === 'cli',
    );
    if (ignored !== undefined)
      throw new CommandError(
        `${name} does not use ${ignored.long}${takes.includes(ignored.name()) ? ' without an object of S3' : ''}: omit it`,
      );
    const flags = command.optsWithGlobals();
    const beside = ['stack', 'profile'].find((each) => program.getOptionValueSource(each) === 'cli');
    if (beside !== undefined && flags.endpoint !== undefined) {
      throw new CommandError(
        `--${beside} has no effect at an endpoint: omit it, or --endpoint and DLX_BATCH_ENDPOINT`,
      );
    }
    const isGiven = (option: string) =>
      command.options.some(
        (each) => each.name() === option && command.getOptionValueSource(each.attributeName()) === 'cli',
      );
    const lacking = Object.keys(needs).find((option) => isGiven(option) && !isGiven(needs[option]!));
    if (lacking !== undefined) {
      throw new CommandError(
        `--${lacking} has no effect without --${needs[lacking]}: add it, or omit --${lacking}`,
      );
    }
    // Commander keeps the arguments, but its types do not have the property.
    const { rawArgs } = program as Command & { readonly rawArgs: readonly string[] };
    useCommandLine(rawArgs, flags);
    const { run } = await spec.load();
    process.exitCode = await run(operandsGiven, flags as never, program);
  });
}
