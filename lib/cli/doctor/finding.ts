/** What doctor found, one line for each check. */

export interface Finding {
  /** What was checked, in a word or two. */
  readonly check: string;
  /**
   * `warn`: it may be intended, or could not be checked. `FAIL`: uploads are not solved, or not as they should be.
   */
  readonly status: 'ok' | 'warn' | 'FAIL';
  readonly text: string;
  /** What to do. */
  readonly todo?: string;
}

export function ok(check: string, text: string): Finding {
  return { check, status: 'ok', text };
}

export function warn(check: string, text: string, todo: string): Finding {
  return { check, status: 'warn', text, todo };
}

export function fail(check: string, text: string, todo: string): Finding {
  return { check, status: 'FAIL', text, todo };
}

/** `FAIL  bulk run  1 of 2 files solved; see dlx-batch run --list`. @param columns width of the names of the checks */
export function findingText({ check, status, text, todo }: Finding, columns: number): string {
  return `${status.padEnd(4)}  ${check.padEnd(columns)}  ${text}${todo === undefined ? '' : `; ${todo}`}`;
}

/** How many findings have each status. */
export function countStatuses(findings: readonly Finding[]): Readonly<Record<Finding['status'], number>> {
  const count = (status: Finding['status']) => findings.filter((each) => each.status === status).length;
  return { ok: count('ok'), warn: count('warn'), FAIL: count('FAIL') };
}

/** `17 ok, 1 warn, 0 FAIL`. */
export function countsText(counts: Readonly<Record<Finding['status'], number>>): string {
  return `${counts.ok} ok, ${counts.warn} warn, ${counts.FAIL} FAIL`;
}
