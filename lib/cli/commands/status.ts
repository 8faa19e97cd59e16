/** `dlx-batch status`: the jobs of a stack. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { StatusFlags } from '../remote/jobs/show-status.ts';

const EXAMPLES = `
Examples:
  dlx-batch status                          every job, the newest version of each key
  dlx-batch status inbox/june/              those under a prefix
  dlx-batch status inbox/puzzles.txt        one job in detail
  dlx-batch status --watch inbox/june/      again and again, until all of them are over
  dlx-batch status --json | jq '.jobs[] | select(.state == "failed")'

States: queued (nothing has begun), running, stalled (running past its deadline), done, failed, rejected.

Exit status: 0 it was shown, 2 it could not run.`;

/** Registers the command. */
export function registerStatus(program: Command): void {
  const command = program
    .command('status')
    .description('show the jobs of a stack: queued, running, stalled, done, failed, rejected')
    .argument('[key]', 'key of an uploaded object, or the beginning of keys, such as inbox/june/')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--watch', 'look again and again, until every job is over')
    .option('--versions', 'older versions that are over, too')
    .option('--json', 'JSON: an object with all jobs; with --watch one a line, when something has changed')
    .action(async (key: string | undefined, flags: StatusFlags) => {
      const { showStatus } = await import('../remote/jobs/show-status.ts');
      process.exitCode = await showStatus(key ?? '', flags);
    });
}
