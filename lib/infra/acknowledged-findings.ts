/** Acknowledges cdk-nag findings about intended wildcards, each by its name, so that a wider wildcard is still found. */
import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The table of intended wildcards, and their reasons. */
const REASONS = {
  keys: 'Keys contain the names of uploaded files, so they cannot be listed here.',
  versions: 'All versions of one function of this stack.',
  children: 'Executions of this state machine itself, which are named at run time.',
  executions: 'Executions are named after their jobs and runs.',
  streams: 'All streams of one log.',
  stack: 'Callers know the name of a stack, not the random part of its ARN.',
  events: 'Events of one source, on any bus.',
  reading: 'Reading only; most of these have no permissions for single resources.',
  logDelivery: 'Log delivery has no permissions for single logs; Step Functions requires these.',
  traces: 'X-Ray has no permissions for single resources.',
} as const;

export type Wildcard = keyof typeof REASONS;

/** @param arn the ARN with its wildcard, as in the policy */
export function acknowledgeWildcard(scope: IConstruct, wildcard: Wildcard, arn = '*'): void {
  // References to resources of other stacks are only known after the app is complete.
  scope.node.addValidation({
    validate() {
      const resource = flattened(Stack.of(scope).resolve(arn));
      const id = `AwsSolutions-IAM5[Resource::${resource}]`;
      Validations.of(scope).acknowledge({ id, reason: REASONS[wildcard] });
      return [];
    },
  });
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
  const [[kind, argument]] = Object.entries(value as Readonly<Record<string, unknown>>) as [
    [string, unknown],
  ];
  if (kind === 'Ref') return `<${argument}>`;
  if (kind === 'Fn::GetAtt') return `<${(argument as string[]).join('.')}>`;
  if (kind === 'Fn::ImportValue') return flattened(argument);
  if (kind !== 'Fn::Join') return JSON.stringify(value);
  const [separator, parts] = argument as [string, unknown[]];
  return parts.map(flattened).join(separator);
}
