/** The command-line tool: registers the commands, and reports their errors in one line each. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../batch/version.ts';
import { registerBench } from './commands/bench.ts';
import { registerCheck } from './commands/check.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerDownload } from './commands/download.ts';
import { registerEstimate } from './commands/estimate.ts';
import { registerGenerate } from './commands/generate.ts';
import { registerLink } from './commands/link.ts';
import { registerLocal } from './commands/local.ts';
import { registerRedrive } from './commands/redrive.ts';
import { registerResend } from './commands/resend.ts';
import { registerRun } from './commands/run.ts';
import { registerRuns } from './commands/runs.ts';
import { registerSmoke } from './commands/smoke.ts';
import { registerSolve } from './commands/solve.ts';
import { registerStatus } from './commands/status.ts';
import { registerUpload } from './commands/upload.ts';
import { brokenOutput, EXIT_FAILED, failureLines } from './exit.ts';
import { useConnection } from './remote/command-text.ts';
import { wrappedHelp } from './terminal/help-text.ts';
import { handlingSignals } from './terminal/interrupt.ts';
import { complain, writeText } from './terminal/output.ts';
import { eraseProgress, terminalColumns } from './terminal/terminal.ts';

/** Options of version 0.1, with what to do instead. */
const REMOVED_OPTIONS: readonly (readonly [option: RegExp, instead: string])[] = [
  [
    /'--max-(day|folder)-(dollars|mb)'/,
    'this option is gone: concurrency bounds what a day costs, which estimate prints instead',
  ],
];

/** What to do instead of the removed option that an error of commander names. */
function removedOption(error: string): string | undefined {
  return REMOVED_OPTIONS.find(([option]) => option.test(error))?.[1];
}

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
    useConnection({});
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
    .configureOutput({
      writeOut: (text) => writeText(wrappedHelp(text, terminalColumns(process.stdout)), process.stdout),
      writeErr: (text) => writeText(wrappedHelp(text, terminalColumns(process.stderr)), process.stderr),
      // Commander puts suggestions on separate lines; every error here is one line.
      outputError: (text) => {
        const line = text
          .replace(/^error: /, '')
          .trimEnd()
          .replaceAll('\n', ' ');
        complain(`${line} (${removedOption(line) ?? 'see --help'})`);
      },
    });
  program.hook('preAction', (_, command) => useConnection(command.opts()));
  registerSolve(program);
  registerLocal(program);
  registerEstimate(program);
  registerDoctor(program);
  registerUpload(program);
  registerStatus(program);
  registerResend(program);
  registerRedrive(program);
  registerRun(program);
  registerRuns(program);
  registerDownload(program);
  registerLink(program);
  registerSmoke(program);
  registerCheck(program);
  registerGenerate(program);
  registerBench(program);
  registerCompletion(program);
  return program;
}
