/** `dlx-batch smoke`: proves that a deployed stack works. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { SmokeFlags } from '../remote/smoke/run-smoke.ts';

const EXAMPLES = `
Examples:
  dlx-batch smoke                                       the stack DlxBatch in this account and region
  dlx-batch smoke --endpoint http://127.0.0.1:9000      on local --serve
  dlx-batch smoke --remove smoke-2026-11-22T09-00-00Z-1a2b3c     what a killed run has left

It uploads about twenty files with keys of its own, and compares the results with those of this machine: known puzzles, a
picture, odd keys, every option, a large file in several shards. It sends a message twice, makes an attempt fail, lets
writers race, starts a bulk run, and fetches a link. It measures the functions. It takes about five minutes and less than
a cent, seconds on local --serve. Then, also after an error or Ctrl-C, it removes all objects that it made; logs, metrics
and the history of executions remain.

Each line is ok, warn or FAIL, with what to do. It needs permission to read, write and delete in both buckets, versions
included, to send to the queue and to start bulk runs; and to read the log of the function, for the billed time.

Exit status: 0 no line is FAIL, 1 some line is, 2 another error.`;

export function registerSmoke(program: Command): void {
  const command = program
    .command('smoke')
    .description('prove that a stack works: solve test files on it, compare, measure, and remove everything')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--out <file>', 'file for all checks and measurements', 'smoke.json')
    .option('--remove <id>', 'only remove the objects of an earlier run')
    .option('--json', 'write one JSON object')
    .action(async (flags: SmokeFlags) => {
      const { runSmoke } = await import('../remote/smoke/run-smoke.ts');
      process.exitCode = await runSmoke(flags);
    });
}
