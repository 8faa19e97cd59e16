/** Examines a stack, or with `--live` proves that it works, and writes what was found. */
import { StackReader } from '../../aws/stack-reader.ts';
import { runningStackAt } from '../../local/running-stack.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { DEFAULT_STACK } from '../options.ts';
import { type ConnectionFlags, endpointSigner } from '../remote/connection.ts';
import { print, printJson } from '../terminal/output.ts';
import { examine } from './examine.ts';
import { countStatuses, type Finding, findingText } from './finding.ts';
import { checkLive, removeLeft } from './live.ts';

interface DoctorFlags extends ConnectionFlags {
  readonly live?: boolean;
  /** Id of an earlier examination. */
  readonly remove?: string;
}

/** @returns the exit status: 1 if a check failed */
export async function doctor(flags: DoctorFlags): Promise<number> {
  const { stack = DEFAULT_STACK, live, remove, json } = flags;
  let findings: readonly Finding[];
  if (live === true) findings = await checkLive(flags);
  else {
    findings = remove === undefined ? await examineAt(stack, flags) : [await removeLeft(remove, flags)];
    if (json !== true) print(findings.map(findingText));
  }
  const counts = countStatuses(findings);
  if (json === true) printJson({ stack, counts, findings });
  else print(['', `${counts.ok} ok, ${counts.warn} warn, ${counts.FAIL} FAIL`]);
  return counts.FAIL === 0 ? EXIT_SOLVED : EXIT_UNSOLVED;
}

async function examineAt(stack: string, { endpoint }: DoctorFlags): Promise<Finding[]> {
  if (endpoint !== undefined && runningStackAt(endpoint) !== undefined) {
    throw new CommandError(
      'doctor examines a stack on AWS: the local stack has no parts that it could miss; doctor --live proves that it works',
    );
  }
  const reader = new StackReader(endpoint === undefined ? undefined : endpointSigner(endpoint));
  try {
    return await examine(reader, stack, Date.now());
  } finally {
    reader.close();
  }
}
