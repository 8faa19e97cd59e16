/** `dlx-batch runs`: the bulk runs of a stack. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { RunsFlags } from '../remote/runs/list-runs.ts';

const EXAMPLES = `
Examples:
  dlx-batch runs                       all of them, the newest first
  dlx-batch runs --json | jq '.runs[0].report.unsolved'

Exit status: 0 they were listed, 2 it could not run.`;

/** Registers the command. */
export function registerRuns(program: Command): void {
  const command = program
    .command('runs')
    .description('list the bulk runs of a stack: found, solved, failed, cost')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--json', 'one JSON object')
    .action(async (flags: RunsFlags) => {
      const { listRuns } = await import('../remote/runs/list-runs.ts');
      process.exitCode = await listRuns(flags);
    });
}
