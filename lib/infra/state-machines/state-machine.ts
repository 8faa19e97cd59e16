import { Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  type CfnStateMachine,
  DefinitionBody,
  type IChainable,
  LogLevel,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { accountService } from '../account-service.ts';
import { acknowledgeLogDelivery, acknowledgeTracing } from '../acknowledged-findings.ts';
import { KEY_ACTIONS } from '../customer-key.ts';
import { pathInStack } from '../instance-name.ts';

export interface StateMachineSettings {
  readonly timeoutDays: number;
  readonly logRetention: RetentionDays;
  /** Whether X-Ray traces executions. */
  readonly tracing: boolean;
  /**
   * Key of definitions, of the data of executions, and of the log.
   * @default - keys of AWS
   */
  readonly encryptionKey?: IKey;
}

/**
 * Creates a state machine with its role and its log group, in `scope` itself.
 *
 * X-Ray is off by default, as it is for the functions: the history of an execution contains more.
 *
 * @param define creates the states, in `scope` too
 */
export function createStateMachine(
  scope: Construct,
  define: () => IChainable,
  { timeoutDays, logRetention, tracing, encryptionKey }: StateMachineSettings,
): { readonly machine: StateMachine; readonly role: Role; readonly logGroup: LogGroup } {
  const role = new Role(scope, 'Role', { assumedBy: accountService(scope, 'states.amazonaws.com') });
  const logGroup = new LogGroup(scope, 'Logs', {
    logGroupName: logGroupName(scope),
    retention: logRetention,
    encryptionKey,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const machine = new StateMachine(scope, 'Machine', {
    role,
    definitionBody: DefinitionBody.fromChainable(define()),
    timeout: Duration.days(timeoutDays),
    tracingEnabled: tracing || undefined,
    logs: {
      destination: logGroup,
      level: LogLevel.ALL,
      // Keys of uploads are private; the history of an execution contains them.
      includeExecutionData: false,
    },
  });
  acknowledgeLogDelivery(role);
  if (encryptionKey !== undefined) encrypt(machine, role, encryptionKey);
  if (tracing) acknowledgeTracing(role);
  else acknowledgeNoTracing(machine);
  return { machine, role, logGroup };
}

/** Not by the library, whose permissions are for an ARN without the name of the machine, and allow nothing. */
function encrypt(machine: StateMachine, role: Role, encryptionKey: IKey): void {
  const resource = machine.node.defaultChild as CfnStateMachine;
  resource.encryptionConfiguration = { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId: encryptionKey.keyArn };
  encryptionKey.grant(role, ...KEY_ACTIONS);
}

function acknowledgeNoTracing(machine: StateMachine): void {
  Validations.of(machine).acknowledge({
    id: 'AwsSolutions-SF2',
    reason:
      'A trace contains less than the history of an execution, and its permission cannot be limited to resources.',
  });
}

/**
 * The name of a state machine's log group.
 *
 * Each log group outside `/aws/vendedlogs/` takes space in the account's one resource policy of CloudWatch Logs: if that
 * is full, the stack cannot be created. The log group is deleted with the stack. If that fails, or a log is written
 * late, a log group remains; so its name contains the id of the stack, and does not collide with the next stack's.
 */
function logGroupName(scope: Construct): string {
  const stack = Stack.of(scope);
  const stackUuid = Fn.select(2, Fn.split('/', stack.stackId));
  return `/aws/vendedlogs/states/${stack.stackName}-${pathInStack(scope)}-${stackUuid}`;
}
