/** Acknowledges cdk-nag findings about intended wildcards, each by its name, so that a wider wildcard is still found. */
import { type CfnResource, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** @param resource the resource as cdk-nag writes it */
export function acknowledgeWildcard(scope: IConstruct, resource: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
}

/** Acknowledges a role that calls all versions of a function, for executions of every age. */
export function acknowledgeVersions(role: IConstruct, lambdaFunction: IConstruct): void {
  const id = logicalIdOf(lambdaFunction.node.defaultChild);
  acknowledgeWildcard(role, `<${id}.Arn>:*`, 'All versions of one function of this stack.');
}

/** Acknowledges the permissions for the log of a state machine. */
export function acknowledgeLogDelivery(role: IConstruct): void {
  acknowledgeWildcard(
    role,
    '*',
    'Log delivery has no permissions for single logs; Step Functions requires these.',
  );
}

export function logicalIdOf(resource: IConstruct | undefined): string {
  return Stack.of(resource as CfnResource).getLogicalId(resource as CfnResource);
}
