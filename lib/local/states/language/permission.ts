/** Permissions of a state machine's role. */
import { StateError } from './state-error.ts';
import type { StateRun } from './state-run.ts';

/**
 * Checks that the role may do something.
 *
 * @param resource ARN
 * @param errorName of the error that the service raises if not
 * @throws StateError
 */
export function checkAllowed(
  { isAllowed }: Pick<StateRun, 'isAllowed'>,
  action: string,
  resource: string,
  errorName: string,
): void {
  if (isAllowed(action, resource)) return;
  throw new StateError(
    errorName,
    `The role of the state machine has no permission for ${action} on ${resource}`,
  );
}
