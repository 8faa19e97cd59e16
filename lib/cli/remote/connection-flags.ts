/** The flags that name a stack, in their own file so that `--help` does not load the AWS SDK. */
import type { Command } from 'commander';

export interface ConnectionFlags {
  readonly stack?: string;
  readonly bucket?: string;
  readonly resultsBucket?: string;
  readonly endpoint?: string;
  /** A profile of the AWS configuration, instead of AWS_PROFILE. */
  readonly profile?: string;
  /** Instead of AWS_REGION. */
  readonly region?: string;
  /** How long a failing request is repeated, such as `5m`. */
  readonly retryFor?: string;
}

export const DEFAULT_STACK = 'DlxBatch';

/** Options of all commands that use a stack. */
export function addStackOptions(command: Command): Command {
  return command
    .option('--stack <name>', `deployed stack (default: ${DEFAULT_STACK})`)
    .option('--endpoint <url>', 'endpoint of local --serve, or of another S3')
    .option('--profile <name>', 'profile of the AWS configuration (default: AWS_PROFILE)')
    .option('--region <name>', 'AWS region (default: AWS_REGION, or that of the profile)');
}

export function addConnectionOptions(command: Command): Command {
  return addStackOptions(command)
    .option('--bucket <name>', 'input bucket, instead of --stack')
    .option('--results-bucket <name>', 'results bucket, required with --bucket')
    .option(
      '--retry-for <time>',
      'how long to repeat a request while the network fails (default: 5m; 0s: never)',
    );
}
