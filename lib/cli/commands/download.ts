/** `dlx-batch download`: fetches result sets from a stack. The AWS code is imported on use. */
import type { Command } from 'commander';
import { argumentsOf } from '../remote/arguments.ts';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { DownloadFlags } from '../remote/download/download-results.ts';

const EXAMPLES = `
Examples:
  dlx-batch download inbox/puzzles.txt              newest result of this upload, into dlx-batch-results/
  dlx-batch download --all -o results               all results; run it again to resume
  dlx-batch download --run 2026-11-21T02-00-00Z     results of a bulk run
  dlx-batch download inbox/puzzles.txt --only solutions -o - | head

Existing files with the right checksum are not fetched again. Every file is written under a temporary name, checked
against the manifest, and renamed. A damaged file is fetched again. If the network fails for longer than --retry-for, a
table says what is done, and a line gives the command that continues.

Exit status: 0 everything downloaded, 1 some jobs were rejected or, with --run, have no result yet, 2 a key has no result,
or another error.`;

export function registerDownload(program: Command): void {
  const command = program
    .command('download')
    .description('download result sets from a stack and verify their checksums')
    .argument('[key...]', 'keys of uploaded objects, such as inbox/puzzles.txt')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--all', 'all result sets')
    .option('--run <id>', 'result sets of this bulk run')
    .option('--prefix <prefix>', 'with --all: only uploads under this prefix')
    .option(
      '--only <file>',
      'only this file of each result set: solutions, exceptions, records, stats or report',
    )
    .option(
      '-o, --output-dir <dir>',
      'folder for result sets; - writes the solutions to standard output',
      'dlx-batch-results',
    )
    .option('--json', 'write one JSON object')
    .action(async (keys: string[], flags: DownloadFlags) => {
      const { downloadResults } = await import('../remote/download/download-results.ts');
      process.exitCode = await downloadResults(keys, flags, argumentsOf(program));
    });
}
