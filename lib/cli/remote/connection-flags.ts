/** How the command line names a stack: apart from the connecting, so that `--help` loads nothing that talks to AWS. */
import type { Command } from 'commander';

export interface ConnectionFlags {
  readonly stack?: string;
  readonly bucket?: string;
  readonly resultsBucket?: string;
  readonly endpoint?: string;
}

/** Name of the stack where nobody gives another. */
export const DEFAULT_STACK = 'DlxBatch';

/** Adds the flags that name a stack to a command. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--stack <name>', `the deployed stack (default: ${DEFAULT_STACK})`)
    .option('--bucket <name>', 'the input bucket, where no stack is to be asked')
    .option('--results-bucket <name>', 'the results bucket, with --bucket')
    .option('--endpoint <url>', 'an S3 endpoint of your own, such as that of local --serve');
}
