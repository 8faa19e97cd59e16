/** The flags that name a stack, in their own file so that `--help` does not load the AWS SDK. */
import type { Command } from 'commander';

export interface ConnectionFlags {
  readonly stack?: string;
  readonly bucket?: string;
  readonly resultsBucket?: string;
  readonly endpoint?: string;
  /** How long a failing request is repeated, such as `5m`. */
  readonly retryFor?: string;
}

export const DEFAULT_STACK = 'DlxBatch';

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--stack <name>', `deployed stack (default: ${DEFAULT_STACK})`)
    .option('--bucket <name>', 'input bucket, instead of --stack')
    .option('--results-bucket <name>', 'results bucket, required with --bucket')
    .option('--endpoint <url>', 'S3 endpoint, such as that of local --serve')
    .option(
      '--retry-for <time>',
      'how long to repeat a request while the network fails (default: 5m; 0s: never)',
    );
}
