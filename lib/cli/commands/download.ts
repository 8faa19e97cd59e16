/** `dlx-batch download`: result sets from a stack. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { DownloadFlags } from '../remote/download/download-results.ts';

const EXAMPLES = `
Examples:
  dlx-batch download inbox/puzzles.txt              the newest result of that object, into dlx-batch-results/
  dlx-batch download --all -o results               everything that is there; run it again to go on
  dlx-batch download --run 2026-11-21T02-00-00Z     what a bulk run has solved
  dlx-batch download inbox/puzzles.txt --only solutions -o - | head

Files that are there already with the right checksum are not fetched again. Every file is checked against the manifest,
written under a temporary name, and renamed.

Exit status: 0 all of it is here, 1 some of the jobs were rejected or have no result yet, 2 it could not run.`;

/** Registers the command. */
export function registerDownload(program: Command): void {
  const command = program
    .command('download')
    .description('fetch result sets from a stack, checked against their manifests')
    .argument('[key...]', 'keys of uploaded objects, such as inbox/puzzles.txt')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--all', 'every result set')
    .option('--run <id>', 'those of a bulk run, by its plan')
    .option('--prefix <prefix>', 'with --all: only of uploads under this prefix')
    .option('--only <file>', 'only this file of each: solutions, exceptions, records, stats or report')
    .option('-o, --output-dir <dir>', 'where result sets are saved', 'dlx-batch-results')
    .option('--json', 'one JSON object')
    .action(async (keys: string[], flags: DownloadFlags) => {
      const { downloadResults } = await import('../remote/download/download-results.ts');
      process.exitCode = await downloadResults(keys, flags);
    });
}
