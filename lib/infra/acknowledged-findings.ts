/** Findings about wildcards that are meant: each by its name, so that any wider wildcard is still found. */
import { type CfnResource, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** @param resource as cdk-nag writes it */
export function acknowledgeWildcard(scope: IConstruct, resource: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
}

/** All versions of a function, for executions of every age. */
export function acknowledgeVersions(role: IConstruct, lambdaFunction: IConstruct): void {
  const id = logicalIdOf(lambdaFunction.node.defaultChild);
  acknowledgeWildcard(role, `<${id}.Arn>:*`, 'Versions of one function of ours.');
}

/** The permissions for the log of a state machine. */
export function acknowledgeLogDelivery(role: IConstruct): void {
  acknowledgeWildcard(
    role,
    '*',
    'Log delivery knows no permissions for single logs; these are what Step Functions asks for.',
  );
}

export function logicalIdOf(resource: IConstruct | undefined): string {
  return Stack.of(resource as CfnResource).getLogicalId(resource as CfnResource);
}
