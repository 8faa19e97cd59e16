/** `dlx-batch estimate`: what a file would take on the deployed stack, from a sample of it. The rest loads on use. */
import type { Command } from 'commander';
import { DEFAULT_MEMORY_MB } from '../../batch/limits.ts';
import type { EstimateFlags } from '../remote/estimate-files.ts';
import { addSolveOptions } from '../solve-options.ts';

const EXAMPLES = `
Examples:
  dlx-batch estimate puzzles.txt
  dlx-batch estimate --concurrency 1000 s3://my-bucket/inbox/puzzles.txt

A sample of the first MiB is solved here, so a slower machine estimates more. Nothing is uploaded, and nothing is solved
beyond the sample. Exit status: 0 every file was estimated, 2 some could not be, or it could not run.`;

/** Registers the command. */
export function registerEstimate(program: Command): void {
  const command = program
    .command('estimate')
    .description('say what a file would take on the stack: shards, time, dollars')
    .argument('<file...>', 'puzzle files, or objects as s3://bucket/key')
    .addHelpText('after', EXAMPLES);
  addSolveOptions(command)
    .option('--concurrency <n>', 'shards at one time', '100')
    .option('--memory <MiB>', 'memory of the functions', String(DEFAULT_MEMORY_MB))
    .option('--json', 'one JSON object')
    .action(async (paths: string[], flags: EstimateFlags) => {
      const { estimateFiles } = await import('../remote/estimate-files.ts');
      process.exitCode = await estimateFiles(paths, flags);
    });
}
