/** `dlx-batch resend`: sends the messages of uploads again. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { ResendFlags } from '../remote/jobs/resend-uploads.ts';

const EXAMPLES = `
Examples:
  dlx-batch resend inbox/puzzles.txt                 an upload whose event was lost or is late
  dlx-batch resend scheduled/big.txt                 now, not in the next scheduled run
  dlx-batch resend inbox/a.txt inbox/b.txt --json | jq '.resent[].outcome'
  dlx-batch run --prefix inbox/june/ --grace 0       everything unsolved under a prefix

In the first 15 minutes after the first deployment, an upload may cause no event. resend sends the message for the
newest version of each key. It names the same job as the event, so only one result is committed. Uploads that are
solved or running are skipped.

Exit status: 0 every upload sent, running or solved, 2 some could not be sent, or another error.`;

export function registerResend(program: Command): void {
  const command = program
    .command('resend')
    .description('send uploads to the queue again if their events were lost or are late')
    .argument('<key...>', 'keys of uploaded objects, such as inbox/puzzles.txt')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--json', 'write one JSON object')
    .action(async (keys: string[], flags: ResendFlags) => {
      const { resendUploads } = await import('../remote/jobs/resend-uploads.ts');
      process.exitCode = await resendUploads(keys, flags);
    });
}
