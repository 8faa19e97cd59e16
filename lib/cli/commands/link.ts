/** `dlx-batch link`: creates a presigned link to a result. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { LinkFlags } from '../remote/make-link.ts';

const EXAMPLES = `
Examples:
  dlx-batch link inbox/puzzles.txt                       to the solutions, for one day
  dlx-batch link inbox/puzzles.txt --file report         to the report, for a browser
  dlx-batch link inbox/puzzles.txt --expires 7d          for a week, the maximum
  curl -o solutions.txt "$(dlx-batch link inbox/puzzles.txt)"

Anyone with the link can read the file until the link expires. A link signed with temporary credentials (aws sso login,
a role) expires with them; the real expiry time is written to standard error.

Exit status: 0 link created, 2 error.`;

export function registerLink(program: Command): void {
  const command = program
    .command('link')
    .description('create a temporary link to a result file')
    .argument('<key>', 'key of an uploaded object, such as inbox/puzzles.txt')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--file <name>', 'file to link to: solutions, exceptions, records, stats or report', 'solutions')
    .option('--expires <time>', 'lifetime of the link, such as 90m, 12h or 7d', '1d')
    .option('--json', 'write one JSON object')
    .action(async (key: string, flags: LinkFlags) => {
      const { makeLink } = await import('../remote/make-link.ts');
      process.exitCode = await makeLink(key, flags);
    });
}
