/** Examines a stack, or with `--live` proves that it works, and writes what was found. */
import { StackReader } from '../../aws/stack-reader.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { DEFAULT_STACK } from '../options.ts';
import { type ConnectionFlags, retriesFor } from '../remote/connection.ts';
import { print, printFound } from '../terminal/output.ts';
import { examine } from './examine.ts';
import { type Finding, findingText } from './finding.ts';
import { checkLive, removeLeft } from './live.ts';

interface DoctorFlags extends ConnectionFlags {
  readonly live?: boolean;
  /** Id of an earlier examination. */
  readonly remove?: string;
}

/** @returns the exit status: 1 if a check failed */
export async function run(_: readonly string[], flags: DoctorFlags): Promise<number> {
  const { stack = DEFAULT_STACK, live, remove, json } = flags;
  let findings: readonly Finding[];
  if (live === true) findings = await checkLive(flags);
  else {
    findings = remove === undefined ? await examineStack(stack, flags) : [await removeLeft(remove, flags)];
    if (json !== true) print(findings.map(findingText));
  }
  const count = (status: Finding['status']) => findings.filter((each) => each.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), FAIL: count('FAIL') };
  const sums = `${counts.ok} ok, ${counts.warn} warn, ${counts.FAIL} FAIL`;
  printFound(flags, { stack, counts, findings }, ['', sums]);
  return counts.FAIL === 0 ? EXIT_SOLVED : EXIT_UNSOLVED;
}

async function examineStack(stack: string, flags: DoctorFlags): Promise<Finding[]> {
  if (flags.endpoint !== undefined) {
    throw new CommandError(
      'doctor examines a stack on AWS, and found an endpoint: omit --endpoint and DLX_BATCH_ENDPOINT; doctor --live proves that the stack there works',
    );
  }
  const reader = new StackReader(retriesFor(flags));
  try {
    return await examine(reader, stack, Date.now());
  } finally {
    reader.close();
  }
}
