/** Examines a stack and writes what was found. */
import { StackInspection } from '../../../aws/stack-inspection.ts';
import { runningStackAt } from '../../../local/running-stack.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../../exit.ts';
import { countStatuses, countsText, type Finding, findingText } from '../../terminal/finding.ts';
import { print, printJson } from '../../terminal/output.ts';
import { endpointSigner } from '../connection.ts';
import { type ConnectionFlags, DEFAULT_STACK } from '../connection-flags.ts';
import { examineStack } from './examine-stack.ts';

export interface DoctorFlags extends Pick<ConnectionFlags, 'stack' | 'endpoint'> {
  readonly json?: boolean;
}

/** Length of `permissions`, the longest name of a check. */
const CHECK_COLUMNS = 11;

/** @returns the exit status: 1 if a check failed */
export async function runDoctor({ stack = DEFAULT_STACK, endpoint, json }: DoctorFlags): Promise<number> {
  if (endpoint !== undefined && runningStackAt(endpoint) !== undefined) {
    throw new CommandError('doctor examines a stack on AWS: the local stack has no parts that it could miss');
  }
  const inspection = new StackInspection(endpoint === undefined ? undefined : endpointSigner(endpoint));
  try {
    const findings = await examineStack(inspection, stack, Date.now());
    const counts = countStatuses(findings);
    if (json === true) printJson({ stack, counts, findings });
    else print([...findings.map((each) => findingText(each, CHECK_COLUMNS)), '', countsText(counts)]);
    return exitStatus(findings);
  } finally {
    inspection.close();
  }
}

/** 1 if a check failed. */
export function exitStatus(findings: readonly Finding[]): number {
  return countStatuses(findings).FAIL === 0 ? EXIT_SOLVED : EXIT_UNSOLVED;
}
