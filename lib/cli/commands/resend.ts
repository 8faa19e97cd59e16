/** `dlx-batch resend`: the messages of uploads, once more. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { ResendFlags } from '../remote/jobs/resend-uploads.ts';

const EXAMPLES = `
Examples:
  dlx-batch resend inbox/puzzles.txt                 an upload whose event is lost or late
  dlx-batch resend scheduled/big.txt                 now, without waiting for the next scheduled run
  dlx-batch resend inbox/a.txt inbox/b.txt --json | jq '.resent[].outcome'
  dlx-batch run --prefix inbox/june/ --grace 0       everything under a prefix that is not solved

In the first five minutes after the first deployment an upload may get no event. A resend sends the queue the message
of the newest version of each key. It is the same job as the event's, so the result is committed once. Uploads that
are solved or running are left alone.

Exit status: 0 each upload is sent, running or solved already, 2 one could not be sent.`;

/** Registers the command. */
export function registerResend(program: Command): void {
  const command = program
    .command('resend')
    .description('send uploads to the queue again: their events are lost or late')
    .argument('<key...>', 'keys of uploaded objects, such as inbox/puzzles.txt')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--json', 'one JSON object')
    .action(async (keys: string[], flags: ResendFlags) => {
      const { resendUploads } = await import('../remote/jobs/resend-uploads.ts');
      process.exitCode = await resendUploads(keys, flags);
    });
}
