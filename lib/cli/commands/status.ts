/** `dlx-batch status`: shows the jobs of a stack. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { StatusFlags } from '../remote/jobs/show-status.ts';

const EXAMPLES = `
Examples:
  dlx-batch status                          all jobs, for the newest version of each key
  dlx-batch status inbox/june/              jobs under a prefix
  dlx-batch status inbox/puzzles.txt        one job in detail
  dlx-batch status --watch inbox/june/      poll until all jobs have finished
  dlx-batch status --json | jq '.jobs[] | select(.state == "failed")'

States: queued (not started), running, stalled (running past its deadline), done, failed, rejected.

Exit status: 0 shown, 2 error.`;

export function registerStatus(program: Command): void {
  const command = program
    .command('status')
    .description('show the jobs of a stack and their states')
    .argument('[key]', 'key of an uploaded object, or a prefix such as inbox/june/')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--watch', 'poll until every job has finished')
    .option('--versions', 'include finished older versions')
    .option('--json', 'write one JSON object; with --watch, one line for each change')
    .action(async (key: string | undefined, flags: StatusFlags) => {
      const { showStatus } = await import('../remote/jobs/show-status.ts');
      process.exitCode = await showStatus(key ?? '', flags);
    });
}
