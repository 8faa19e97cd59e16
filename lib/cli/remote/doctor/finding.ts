import { numberText } from '../../../batch/quantities.ts';

/** What one check of `dlx-batch doctor` found. */
export interface Finding {
  /** What was checked, in a word. */
  readonly check: string;
  /** `warn`: it may be intended, or passes. `FAIL`: uploads are not solved, or not as they should be. */
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

/** `1 file`, `1,234 files`. */
export function counted(count: number, what: string): string {
  return `${numberText(count)} ${what}${count === 1 ? '' : 's'}`;
}
