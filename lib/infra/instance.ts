/** What all parts of an instance of the construct have, and names that differ for each instance. */
import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { readSettings } from './settings.ts';

/** The settings, and what parts need besides. */
export type Instance = ReturnType<typeof readSettings> & {
  /** Value of the dimension of metrics that separates instances. */
  readonly metricsName: string;
  /** Key of all data that is stored; keys of AWS, which need no permissions, without it. */
  readonly encryptionKey: IKey | undefined;
};

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

/**
 * A service principal that acts for this account only. Without the condition, another account could make the service
 * use a role of this one (confused deputy).
 *
 * Not for Lambda: Lambda does not pass the account when it assumes the role of a function.
 */
export function accountService(scope: Construct, name: string): ServicePrincipal {
  return new ServicePrincipal(name, {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
}
