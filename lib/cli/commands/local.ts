/** `dlx-batch local`: runs the whole stack on this machine. run-local.ts, which is large, is imported on use. */
import type { Command } from 'commander';
import { MIN_SHARD_BYTES } from '../../batch/limits.ts';
import { addJobLimits, addSolveOptions } from '../solve-options.ts';
import type { LocalFlags } from './run-local.ts';

const EXAMPLES = `
Examples:
  dlx-batch local                        send the built-in samples through the stack
  dlx-batch local puzzles.txt            send your file through the stack
  dlx-batch local --serve --port 9000    keep running, for your browser and for S3 clients
  dlx-batch local --serve --fast-retries     see what becomes of a job that fails in every attempt, in seconds

Exit status: 0 all puzzles solved (samples: all results arrived; --serve: stopped by a signal), 1 some not solved, or not
as the file expects, 2 a file rejected, or another error.`;

export function registerLocal(program: Command): void {
  const command = program
    .command('local')
    .description('run the whole stack on this machine (S3, events, functions) and send files through it')
    .argument('[file...]', 'puzzle files (default: built-in samples)')
    .addHelpText('after', EXAMPLES);
  addJobLimits(addSolveOptions(command))
    .option('-o, --output-dir <dir>', 'folder for result sets', 'dlx-batch-results')
    .option('--serve', 'run until interrupted, with a web page for uploads; without files, send nothing')
    .option(
      '--schedule <expression>',
      'with --serve: start bulk runs on this schedule in UTC, such as "rate(1 minute)" (default: dlx:schedule)',
    )
    .option(
      '--webhook <url>',
      'with --serve: post an event to this URL for each completed, rejected or failed job, and each bulk run',
    )
    .option(
      '--fast-retries',
      'with --serve: repeat failed tries at once; in AWS their delays add up to four hours',
    )
    .option('--port <n>', 'port of the S3 endpoint; 0 selects a free one', '0')
    .option('--page-port <n>', 'port of the web page; 0 selects a free one', '0')
    .option(
      '--data <dir>',
      'folder for buckets and queue, kept at exit (default: temporary, removed at exit)',
    )
    .option('--large-seconds <n>', 'split files that would take one function longer than this (default: 60)')
    .option(
      '--shard-bytes <n>',
      `shard size of a large file, ${MIN_SHARD_BYTES} or more (default: from the cost of its puzzles)`,
    )
    .option('--json', 'write one JSON object as the first line of standard output')
    .option('--verbose', 'write the function log to standard error')
    .action(async (paths: string[], flags: LocalFlags) => {
      const { runLocal } = await import('./run-local.ts');
      process.exitCode = await runLocal(paths, flags);
    });
}
