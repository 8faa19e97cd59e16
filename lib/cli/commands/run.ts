/** `dlx-batch run`: a bulk run now. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { RunFlags } from '../remote/runs/start-bulk-run.ts';

const EXAMPLES = `
Examples:
  dlx-batch run                              solve now what would be solved tonight
  dlx-batch run --dry-run                    how much that is, and what it would take; nothing is sent
  dlx-batch run --prefix scheduled/june/     only what begins so
  dlx-batch run --wait                       until everything is done, with what came of it
  dlx-batch run --rerun-failed 2026-11-21T02-00-00Z     only what failed, stalled or was rejected in that run
  dlx-batch run --endpoint http://127.0.0.1:9000        on local --serve

A run takes what lies under scheduled/, and what an event was lost for under inbox/; what is solved or rejected already
is left. dlx-batch runs lists the runs.

Exit status: 0 it is on its way (with --wait: and every puzzle solved), 1 with --wait: some were not, 2 it could not run.`;

/** Registers the command. */
export function registerRun(program: Command): void {
  const command = program
    .command('run')
    .description('start a bulk run now: what is scheduled, and what an event was lost for')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--prefix <prefix>', 'only input keys that begin so: inbox/... or scheduled/...')
    .option('--rerun-failed <run>', 'only what failed, stalled or was rejected in that run')
    .option(
      '--grace <minutes>',
      'leave younger versions under inbox/ to their event (default: as the stack says)',
    )
    .option('--dry-run', 'list what it would do, with counts, bytes, time and dollars; nothing is sent')
    .option('--wait', 'wait until the run is over')
    .option('--json', 'one JSON object')
    .action(async (flags: RunFlags) => {
      const { startBulkRun } = await import('../remote/runs/start-bulk-run.ts');
      process.exitCode = await startBulkRun(flags);
    });
}
