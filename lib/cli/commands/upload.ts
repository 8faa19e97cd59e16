/** `dlx-batch upload`: puzzle files to a stack. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { UploadFlags } from '../remote/upload/upload-files.ts';
import { addSolveOptions } from '../solve-options.ts';

const EXAMPLES = `
Examples:
  dlx-batch upload puzzles.txt                      to the stack DlxBatch of this account and region
  dlx-batch upload --wait puzzles.txt more/         waits for the results, and says what they are
  dlx-batch upload --dry-run big.txt                time and dollars, from a sample; nothing is sent
  dlx-batch upload --schedule --engine bitboard big.txt
  cat puzzles.txt | dlx-batch upload - --wait --download - > solutions.txt
  dlx-batch upload --endpoint http://127.0.0.1:9000 puzzles.txt     to local --serve

Exit status: 0 everything is uploaded (with --wait: and every puzzle solved), 1 with --wait: some were not,
2 it could not run.`;

/** Registers the command. */
export function registerUpload(program: Command): void {
  const command = program
    .command('upload')
    .description('upload puzzle files to a stack, which solves them')
    .argument('<file...>', 'puzzle files and folders; - reads standard input')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(addSolveOptions(command))
    .option('--schedule', 'leave them for the next scheduled run')
    .option('--prefix <prefix>', 'put before the names of the objects, such as june/')
    .option('--name <name>', 'name of the object for standard input', 'stdin.txt')
    .option('--gzip', 'compress on the way')
    .option('--force', 'upload what is there already unchanged, too')
    .option('--wait', 'wait for the results')
    .option(
      '--download <dir>',
      'with --wait: fetch the result sets; - writes the solutions to standard output',
    )
    .option('--dry-run', 'send nothing: say what the files would take, from a sample of each')
    .option('--json', 'one JSON object')
    .action(async (paths: string[], flags: UploadFlags) => {
      const { uploadFiles } = await import('../remote/upload/upload-files.ts');
      process.exitCode = await uploadFiles(paths, flags);
    });
}
