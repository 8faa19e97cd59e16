#!/usr/bin/env node
/** The command-line tool: registers the commands of lib/cli, and turns what they throw into one clear line. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../lib/batch/version.ts';
import { registerBench } from '../lib/cli/bench.ts';
import { registerCheck } from '../lib/cli/check.ts';
import { registerCompletion } from '../lib/cli/completion.ts';
import { registerDownload } from '../lib/cli/download.ts';
import { registerEstimate } from '../lib/cli/estimate.ts';
import { brokenOutput, EXIT_FAILED, failureText } from '../lib/cli/exit.ts';
import { registerGenerate } from '../lib/cli/generate.ts';
import { fittedHelp } from '../lib/cli/help-text.ts';
import { registerLink } from '../lib/cli/link.ts';
import { registerLocal } from '../lib/cli/local.ts';
import { registerRun } from '../lib/cli/run.ts';
import { registerRuns } from '../lib/cli/runs.ts';
import { registerSolve } from '../lib/cli/solve.ts';
import { registerStatus } from '../lib/cli/status.ts';
import { columnsOf } from '../lib/cli/terminal.ts';
import { registerUpload } from '../lib/cli/upload.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const { status, message } = brokenOutput(error);
  if (message !== undefined) process.stderr.write(`dlx-batch: ${message}\n`);
  process.exit(status);
});

const program = new Command('dlx-batch')
  .description('solves batches of puzzles by dancing links: here, on a local stack, or in the cloud')
  .version(VERSION)
  .exitOverride()
  .configureOutput({
    writeOut: (text) => process.stdout.write(fittedHelp(text, columnsOf(process.stdout))),
    writeErr: (text) => process.stderr.write(fittedHelp(text, columnsOf(process.stderr))),
    // One line, like every other error: commander sets its suggestions on lines of their own.
    outputError: (text) => {
      const line = text
        .replace(/^error: /, '')
        .trimEnd()
        .replaceAll('\n', ' ');
      process.stderr.write(`dlx-batch: ${line} (--help shows what can be given)\n`);
    },
  });
registerSolve(program);
registerLocal(program);
registerEstimate(program);
registerUpload(program);
registerStatus(program);
registerRun(program);
registerRuns(program);
registerDownload(program);
registerLink(program);
registerCheck(program);
registerGenerate(program);
registerBench(program);
registerCompletion(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_FAILED;
  } else {
    process.stderr.write(`dlx-batch: ${failureText(error)}\n`);
    process.exitCode = EXIT_FAILED;
  }
}
