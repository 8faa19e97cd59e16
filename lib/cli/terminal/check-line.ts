/** Lines of the commands that check a stack: what was checked, what was found, and what to do about it. */

/** `warn`: the stack works, but something needs attention or could not be checked. */
export type CheckState = 'ok' | 'warn' | 'FAIL';

export interface CheckLine {
  readonly state: CheckState;
  /** What was checked, such as `bulk run`. */
  readonly what: string;
  readonly found: string;
  /** What to do; for `ok`, there is nothing. */
  readonly advice?: string;
}

export function ok(what: string, found: string): CheckLine {
  return { state: 'ok', what, found };
}

export function warn(what: string, found: string, advice: string): CheckLine {
  return { state: 'warn', what, found, advice };
}

export function fail(what: string, found: string, advice: string): CheckLine {
  return { state: 'FAIL', what, found, advice };
}

/** The line as text: `FAIL  bulk run: 1 of 2 files solved; see dlx-batch runs`. */
export function checkText({ state, what, found, advice }: CheckLine): string {
  return `${state.padEnd(4)}  ${what}: ${found}${advice === undefined ? '' : `; ${advice}`}`;
}
