/** Acknowledges cdk-nag findings about intended wildcards, each by its name, so that a wider wildcard is still found. */
import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';

/** @param arn the ARN with its wildcard, as in the policy */
export function acknowledgeWildcard(scope: IConstruct, arn: string, reason: string): void {
  // References to resources of other stacks are only known after the app is complete.
  scope.node.addValidation({
    validate() {
      const resource = flattened(Stack.of(scope).resolve(arn));
      Validations.of(scope).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
      return [];
    },
  });
}

/** Acknowledges a role that calls all versions of a function, for executions of every age. */
export function acknowledgeVersions(role: IConstruct, lambdaFunction: IFunction): void {
  acknowledgeWildcard(role, `${lambdaFunction.functionArn}:*`, 'All versions of one function of this stack.');
}

/** Acknowledges the permissions for the log of a state machine. */
export function acknowledgeLogDelivery(role: IConstruct): void {
  acknowledgeWildcard(
    role,
    '*',
    'Log delivery has no permissions for single logs; Step Functions requires these.',
  );
}

/** Acknowledges the permissions for traces. */
export function acknowledgeTracing(role: IConstruct): void {
  acknowledgeWildcard(role, '*', 'X-Ray has no permissions for single resources.');
}

/**
 * The ARN of all executions of a state machine, or of all runs of its maps.
 *
 * @param label of a map, for its children; empty for the executions themselves
 */
export function executionsArn(
  machine: IConstruct & { readonly stateMachineArn: string },
  label = '',
  resource: 'execution' | 'mapRun' = 'execution',
): string {
  const stack = Stack.of(machine);
  const { resourceName } = stack.splitArn(machine.stateMachineArn, ArnFormat.COLON_RESOURCE_NAME);
  return stack.formatArn({
    service: 'states',
    resource,
    resourceName: `${resourceName}${label}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** A resolved value as cdk-nag writes it: `<LogicalId.Arn>/inbox/*`. */
function flattened(value: unknown): string {
  if (typeof value === 'string') return value;
  const {
    'Fn::Join': join,
    'Fn::GetAtt': attribute,
    'Fn::ImportValue': imported,
    Ref: reference,
  } = value as {
    readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
    readonly 'Fn::GetAtt'?: readonly [string, string];
    readonly 'Fn::ImportValue'?: unknown;
    readonly Ref?: string;
  };
  if (join !== undefined) return join[1].map(flattened).join(join[0]);
  if (attribute !== undefined) return `<${attribute.join('.')}>`;
  if (imported !== undefined) return flattened(imported);
  return reference === undefined ? JSON.stringify(value) : `<${reference}>`;
}
