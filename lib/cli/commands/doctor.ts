/** `dlx-batch doctor`: checks a deployed stack. The AWS code is imported on use. */
import type { Command } from 'commander';
import { addStackOptions } from '../remote/connection-flags.ts';
import type { DoctorFlags } from '../remote/doctor/run-doctor.ts';

const EXAMPLES = `
Examples:
  dlx-batch doctor                                      the stack of this region and account
  dlx-batch doctor --stack Puzzles --json | jq '.findings[] | select(.status != "ok")'
  dlx-batch doctor --endpoint http://127.0.0.1:9000     local --serve

It changes nothing and takes seconds. Each line is ok, warn or FAIL, and says what to do: identity, stack, quotas of the
account, buckets, rule, queues, schedule, alarms, code of the functions, and whether IAM allows each call of each role.

Exit status: 0 nothing failed, 1 a check failed, 2 error.`;

export function registerDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('check a deployed stack, and say what to do')
    .addHelpText('after', EXAMPLES);
  addStackOptions(command)
    .option('--json', 'write one JSON object')
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('../remote/doctor/run-doctor.ts');
      process.exitCode = await runDoctor(flags);
    });
}
