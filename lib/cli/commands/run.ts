/** `dlx-batch run`: starts a bulk run. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { RunFlags } from '../remote/runs/start-bulk-run.ts';

const EXAMPLES = `
Examples:
  dlx-batch run                              solve the uploads of the next scheduled run now
  dlx-batch run --dry-run                    list the uploads, and estimate time and cost
  dlx-batch run --prefix scheduled/june/     only uploads under this prefix
  dlx-batch run --wait                       wait for the results, then report them
  dlx-batch run --rerun-failed 2026-11-21T02-00-00Z     only uploads that were not solved in that run
  dlx-batch run --endpoint http://127.0.0.1:9000        on local --serve

A run sends uploads under scheduled/, and uploads under inbox/ whose event was lost. It skips uploads that are already
solved or rejected. dlx-batch runs lists the runs.

Exit status: 0 started (with --wait: every puzzle solved), 1 with --wait: some not solved, 2 error.`;

export function registerRun(program: Command): void {
  const command = program
    .command('run')
    .description('start a bulk run now: scheduled uploads, and uploads whose event was lost')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--prefix <prefix>', 'only uploads under this prefix: inbox/... or scheduled/...')
    .option('--rerun-failed <run>', 'only uploads that failed, stalled or were rejected in that run')
    .option(
      '--grace <minutes>',
      'skip uploads under inbox/ newer than this (default: the setting of the stack)',
    )
    .option('--dry-run', 'send nothing; list the uploads with counts, bytes, time and cost')
    .option('--wait', 'wait until the run has finished')
    .option('--json', 'write one JSON object')
    .action(async (flags: RunFlags) => {
      const { startBulkRun } = await import('../remote/runs/start-bulk-run.ts');
      process.exitCode = await startBulkRun(flags);
    });
}
