/** `dlx-batch runs`: lists the bulk runs of a stack. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { RunsFlags } from '../remote/runs/list-runs.ts';

const EXAMPLES = `
Examples:
  dlx-batch runs                       newest first
  dlx-batch runs --json | jq '.runs[0].report.unsolved'

Exit status: 0 listed, 2 error.`;

export function registerRuns(program: Command): void {
  const command = program
    .command('runs')
    .description('list the bulk runs of a stack with counts and cost')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--json', 'write one JSON object')
    .action(async (flags: RunsFlags) => {
      const { listRuns } = await import('../remote/runs/list-runs.ts');
      process.exitCode = await listRuns(flags);
    });
}
