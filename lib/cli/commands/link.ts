/** `dlx-batch link`: a presigned link to a result. What talks to AWS loads on use. */
import type { Command } from 'commander';
import { addConnectionOptions } from '../remote/connection-flags.ts';
import type { LinkFlags } from '../remote/make-link.ts';

const EXAMPLES = `
Examples:
  dlx-batch link inbox/puzzles.txt                       to the solutions, for a day
  dlx-batch link inbox/puzzles.txt --file report         to the report, which any browser shows
  dlx-batch link inbox/puzzles.txt --expires 7d          for a week, which is the longest
  curl -o solutions.txt "$(dlx-batch link inbox/puzzles.txt)"

Who has the link can read the file, with no account and no password, until it ends. A link that was made with temporary
credentials (aws sso login, a role) ends when they end: how long it really holds is said on standard error.

Exit status: 0 here is the link, 2 it could not be made.`;

/** Registers the command. */
export function registerLink(program: Command): void {
  const command = program
    .command('link')
    .description('make a link to a result that works without an account, for a while')
    .argument('<key>', 'key of an uploaded object, such as inbox/puzzles.txt')
    .addHelpText('after', EXAMPLES);
  addConnectionOptions(command)
    .option('--file <name>', 'which file: solutions, exceptions, records, stats or report', 'solutions')
    .option('--expires <time>', 'how long it works, such as 90m, 12h or 7d', '1d')
    .option('--json', 'one JSON object')
    .action(async (key: string, flags: LinkFlags) => {
      const { makeLink } = await import('../remote/make-link.ts');
      process.exitCode = await makeLink(key, flags);
    });
}
