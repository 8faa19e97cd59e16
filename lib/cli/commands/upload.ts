/** `dlx-batch upload`: uploads puzzle files to a stack. The AWS code is imported on use. */
import type { Command } from 'commander';
import { argumentsOf } from '../remote/arguments.ts';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { UploadFlags } from '../remote/upload/upload-files.ts';
import { addRequirePuzzles, addSolveOptions } from '../solve-options.ts';

const EXAMPLES = `
Examples:
  dlx-batch upload puzzles.txt                      to the stack DlxBatch in this account and region
  dlx-batch upload --wait puzzles.txt more/         wait for the results and report them
  dlx-batch upload --dry-run big.txt                estimate time and cost; upload nothing
  dlx-batch upload --schedule --engine bitboard big.txt
  cat puzzles.txt | dlx-batch upload - --wait --download - > solutions.txt
  dlx-batch upload --endpoint http://127.0.0.1:9000 puzzles.txt     to local --serve

While the network fails, requests and files are sent again for --retry-for. If something is left then, or after Ctrl-C,
a table says what is done, and a line gives the command that continues; it sends no file twice.

Exit status: 0 everything uploaded (with --wait: every puzzle solved), 1 with --wait: some not solved, or not as the file
expects, or a file rejected, 2 a job failed, or another error.`;

export function registerUpload(program: Command): void {
  const command = program
    .command('upload')
    .description('upload puzzle files to a stack, which solves them')
    .argument('<file...>', 'puzzle files and folders (-: standard input)')
    .addHelpText('after', EXAMPLES);
  addRequirePuzzles(addConnectionOptions(addSolveOptions(command)))
    .option('--schedule', 'solve in the next scheduled run instead of now')
    .option('--prefix <prefix>', 'prefix for the keys, such as june/')
    .option('--name <name>', 'name for standard input in its key', 'stdin.txt')
    .option('--gzip', 'compress during the upload')
    .option('--force', 'upload unchanged files again')
    .option('--wait', 'wait for the results')
    .option(
      '--download <dir>',
      'with --wait: folder for result sets; - writes the solutions to standard output',
    )
    .option('--dry-run', 'upload nothing; estimate time and cost from a sample of each file')
    .option('--json', 'write one JSON object')
    .action(async (paths: string[], flags: UploadFlags) => {
      const { uploadFiles } = await import('../remote/upload/upload-files.ts');
      process.exitCode = await uploadFiles(paths, flags, argumentsOf(program));
    });
}
