import { Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, type IChainable, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { accountService } from '../account-service.ts';
import { acknowledgeLogDelivery } from '../acknowledged-findings.ts';

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
  const role = new Role(scope, 'Role', { assumedBy: accountService(scope, 'states.amazonaws.com') });
  const machine = new StateMachine(scope, 'Machine', {
    role,
    definitionBody: DefinitionBody.fromChainable(define()),
    timeout: Duration.days(timeoutDays),
    logs: {
      destination: new LogGroup(scope, 'Logs', {
        logGroupName: logGroupName(scope),
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

/**
 * The name of a state machine's log group.
 *
 * Log groups outside `/aws/vendedlogs/` each take space in the one resource policy that CloudWatch Logs has for the
 * account: if that is full, the stack cannot be created. The log group is deleted with the stack, like those of the
 * functions. If that fails or a log is written late, one remains; so the id of the stack is part of the name, and the
 * next stack of the same name does not collide with it.
 */
function logGroupName(scope: Construct): string {
  const stack = Stack.of(scope);
  const stackUuid = Fn.select(2, Fn.split('/', stack.stackId));
  return `/aws/vendedlogs/states/${stack.stackName}-${scope.node.id}-${stackUuid}`;
}
