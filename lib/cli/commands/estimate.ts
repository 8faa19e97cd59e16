/** `dlx-batch estimate`: estimates time and cost of files on AWS from a sample. The estimator is imported on use. */
import type { Command } from 'commander';
import { DEFAULT_MEMORY_MB, DEFAULT_SHARD_CONCURRENCY } from '../../batch/limits.ts';
import type { EstimateFlags } from '../remote/estimate-files.ts';
import { addSolveOptions, addUnpackedLimit } from '../solve-options.ts';

const EXAMPLES = `
Examples:
  dlx-batch estimate puzzles.txt
  dlx-batch estimate --concurrency 1000 s3://my-bucket/inbox/puzzles.txt
  dlx-batch estimate pieces.dlx            size of the search tree of each exact-cover problem

This machine solves a sample of the first MiB, so a slower machine estimates more time. Compressed files and standard
input are read to their end, for the size of their text. Nothing is uploaded. For exact-cover problems, random probes
estimate the nodes of the search for all solutions, with an interval; the same file has the same estimate. The last line is
what the functions of a stack with these settings cost at most in a day, whatever is uploaded.

Exit status: 0 every file estimated, 2 some files could not be estimated, or another error.`;

export function registerEstimate(program: Command): void {
  const command = program
    .command('estimate')
    .description('estimate shards, time and cost of files on AWS, or searches of exact-cover problems')
    .argument('[file...]', 'puzzle files, or objects as s3://bucket/key (default, or -: standard input)')
    .addHelpText('after', EXAMPLES);
  addUnpackedLimit(addSolveOptions(command))
    .option('--concurrency <n>', 'shards solved at the same time', String(DEFAULT_SHARD_CONCURRENCY))
    .option('--memory <MiB>', 'memory per function', String(DEFAULT_MEMORY_MB))
    .option('--profile <name>', 'profile of the AWS configuration (default: AWS_PROFILE)')
    .option('--region <name>', 'AWS region (default: AWS_REGION, or that of the profile)')
    .option('--json', 'write one JSON object')
    .action(async (paths: string[], flags: EstimateFlags) => {
      const { estimateFiles } = await import('../remote/estimate-files.ts');
      process.exitCode = await estimateFiles(paths, flags);
    });
}
