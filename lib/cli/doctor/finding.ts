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

/** Length of `known puzzles`, the longest name of a check. */
const CHECK_COLUMNS = 13;

/** `FAIL  bulk run       1 of 2 files solved; see dlx-batch run --list`. */
export function findingText({ check, status, text, todo }: Finding): string {
  return `${status.padEnd(4)}  ${check.padEnd(CHECK_COLUMNS)}  ${text}${todo ? `; ${todo}` : ''}`;
}
