/** What becomes true without an event that a test could wait for. */
import { vi } from 'vitest';

/** Far longer than it takes, also on a busy machine. */
const LONGEST_MS = 200_000;

/** Repeats a check until it does not throw. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: LONGEST_MS });
}
