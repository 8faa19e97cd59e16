/** `dlx-batch redrive`: repeats what has failed. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { RedriveFlags } from '../remote/redrive/redrive.ts';

const EXAMPLES = `
Examples:
  dlx-batch redrive --dry-run                        list dead letters and failed executions
  dlx-batch redrive                                  send and continue all of them
  dlx-batch redrive --rejected --code too_large    uploads that exceeded a limit which is higher now
  dlx-batch redrive inbox/a.txt inbox/june/          whatever has failed for a key, or under a prefix
  dlx-batch redrive --dead-letters --endpoint http://127.0.0.1:9000      on local --serve

Remove the cause first: each line of the list, and dlx-batch status, names it.

dead letters      uploads that failed in every attempt, and events that did not arrive: sent to the queue of uploads
executions        large files and bulk runs that failed, timed out or were stopped: redriven, which continues them
                  where they stopped; after 14 days or 1,000 redrives, started again
rejected uploads  the newest version of each key: sent to the queue

What has an outcome by now is skipped. resend sends uploads whose event was lost.

Exit status: 0 everything redriven (--dry-run: listed) or skipped, or nothing to redrive; 2 some could not be redriven, or
another error.`;

export function registerRedrive(program: Command): void {
  const command = program
    .command('redrive')
    .description('repeat what has failed: dead letters, executions, rejected uploads')
    .argument('[key...]', 'only these uploads, or those under a prefix with a final slash (default: all)')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--dead-letters', 'only dead letters')
    .option('--executions', 'only failed executions')
    .option('--rejected', 'only rejected uploads')
    .option('--code <code>', 'of these, only those with this code in error.json, such as too_large')
    .option('--dry-run', 'list what would be redriven, and change nothing')
    .option('--json', 'write one JSON object')
    .action(async (keys: string[], flags: RedriveFlags) => {
      const { redrive } = await import('../remote/redrive/redrive.ts');
      process.exitCode = await redrive(keys, flags);
    });
}
