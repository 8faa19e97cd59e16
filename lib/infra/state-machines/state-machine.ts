import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, type IChainable, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { acknowledgeLogDelivery } from '../wildcards.ts';

export interface StateMachineSettings {
  /** Days that an execution may take. */
  readonly timeoutDays: number;
  readonly logRetention: RetentionDays;
}

/**
 * A state machine of the stack with its role and its log, in `scope` itself.
 *
 * X-Ray is left off, as it is for the functions: the history of an execution says more.
 *
 * @param define makes the states, in `scope` too
 */
export function createStateMachine(
  scope: Construct,
  define: () => IChainable,
  { timeoutDays, logRetention }: StateMachineSettings,
): { readonly machine: StateMachine; readonly role: Role } {
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
  const machine = new StateMachine(scope, 'Machine', {
    role,
    definitionBody: DefinitionBody.fromChainable(define()),
    timeout: Duration.days(timeoutDays),
    logs: {
      destination: new LogGroup(scope, 'Logs', {
        retention: logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      level: LogLevel.ALL,
      // Keys of uploads are their owners' business; the history of an execution has them.
      includeExecutionData: false,
    },
  });
  acknowledgeLogDelivery(role);
  Validations.of(machine).acknowledge({
    id: 'AwsSolutions-SF2',
    reason:
      'A trace would say less than the history of an execution, and its permission could not be narrowed.',
  });
  return { machine, role };
}
