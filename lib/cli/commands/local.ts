/** `dlx-batch local`: the whole stack on this machine. Registered here; local-run.ts, which is large, loads on use. */
import type { Command } from 'commander';
import { addSolveOptions } from '../solve-options.ts';
import type { LocalFlags } from './run-local.ts';

const EXAMPLES = `
Examples:
  dlx-batch local                        samples through the whole stack
  dlx-batch local puzzles.txt            your file through the whole stack
  dlx-batch local --serve --port 9000    stays up, with a page for your browser; any S3 client may use it, too

Exit status: 0 every puzzle solved (for the samples: every result arrived), 1 some were not, 2 it could not run.`;

/** Registers the command. */
export function registerLocal(program: Command): void {
  const command = program
    .command('local')
    .description(
      'run the whole stack on this machine (embedded S3, events, functions) and send files through it',
    )
    .argument('[file...]', 'puzzle files; none sends samples')
    .addHelpText('after', EXAMPLES);
  addSolveOptions(command)
    .option('-o, --output-dir <dir>', 'where result sets are saved', 'dlx-batch-results')
    .option('--serve', 'stay up until interrupted, with a page to drop files on; with no file, send nothing')
    .option('--schedule <expression>', 'with --serve: start bulk runs so, such as "rate(1 minute)", in UTC')
    .option('--port <n>', 'port of the S3 endpoint; 0 takes any free one', '0')
    .option(
      '--data <dir>',
      'folder of buckets and queue; kept (default: a temporary one, removed at the end)',
    )
    .option('--large-seconds <n>', 'files that take one function longer are solved in shards (default: 60)')
    .option('--shard-bytes <n>', 'bytes of a shard of a large file (default: by what its puzzles cost)')
    .option('--json', 'one JSON object on the first line of standard output')
    .option('--verbose', "pass the function's log on to standard error")
    .action(async (paths: string[], flags: LocalFlags) => {
      const { runLocal } = await import('./run-local.ts');
      process.exitCode = await runLocal(paths, flags);
    });
}
