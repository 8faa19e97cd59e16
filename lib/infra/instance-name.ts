/** Names that differ for each instance of the construct, also if a stack has several. */
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Characters that both a log group and a dimension of a metric may contain; long enough for any usual path. */
const PLAIN_PATH = /^[\w.#/-]{1,200}$/;

/**
 * The path of a construct in its stack, without ids of `Default`, as in logical ids: `Puzzles/SolveLarge`. If a
 * physical name could not contain it, the unique address of the construct.
 *
 * @returns empty for a construct that is the default child of its stack
 */
export function pathInStack(construct: Construct): string {
  const stackDepth = Stack.of(construct).node.scopes.length;
  const path = construct.node.scopes
    .slice(stackDepth)
    .map(({ node }) => node.id)
    .filter((id) => id !== 'Default')
    .join('/');
  return path === '' || PLAIN_PATH.test(path) ? path : construct.node.addr;
}

/** The value of the dimension that separates the metrics of instances: `App/Puzzles`, or the name of the stack alone. */
export function metricsName(instance: Construct): string {
  const path = pathInStack(instance);
  const { stackName } = Stack.of(instance);
  return path === '' ? stackName : `${stackName}/${path}`;
}
