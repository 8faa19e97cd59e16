/** Examines a stack and writes what was found. */
import { StackInspection } from '../../../aws/stack-inspection.ts';
import { EXIT_SOLVED, EXIT_UNSOLVED } from '../../exit.ts';
import { print, printJson } from '../../terminal/output.ts';
import { endpointSigner } from '../connection.ts';
import { type ConnectionFlags, DEFAULT_STACK } from '../connection-flags.ts';
import { examineStack } from './examine-stack.ts';
import type { Finding } from './finding.ts';

export interface DoctorFlags extends Pick<ConnectionFlags, 'stack' | 'endpoint'> {
  readonly json?: boolean;
}

/** Length of `permissions`, the longest name of a check. */
const CHECK_COLUMNS = 11;

/** @returns the exit status: 1 if a check failed */
export async function runDoctor({ stack = DEFAULT_STACK, endpoint, json }: DoctorFlags): Promise<number> {
  const inspection = new StackInspection(endpoint === undefined ? undefined : endpointSigner(endpoint));
  try {
    const findings = await examineStack(inspection, stack, Date.now());
    const count = (status: Finding['status']) => findings.filter((each) => each.status === status).length;
    const counts = { ok: count('ok'), warn: count('warn'), FAIL: count('FAIL') };
    if (json === true) printJson({ stack, counts, findings });
    else print([...findings.map(lineOf), '', `${counts.ok} ok, ${counts.warn} warn, ${counts.FAIL} FAIL`]);
    return counts.FAIL === 0 ? EXIT_SOLVED : EXIT_UNSOLVED;
  } finally {
    inspection.close();
  }
}

function lineOf({ check, status, text, todo }: Finding): string {
  return `${status.padEnd(4)}  ${check.padEnd(CHECK_COLUMNS)}  ${text}${todo === undefined ? '' : `; ${todo}`}`;
}
