/** A state machine of the stack, and the states that invoke its functions. */
import { Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  type CfnStateMachine,
  DefinitionBody,
  type IChainable,
  JitterType,
  JsonPath,
  LogLevel,
  StateMachine,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { EVENT_NOT_SENT_ERROR, PROGRAM_VERSION_ERROR } from '../../batch/names.ts';
import { acknowledgeWildcard } from '../acknowledged-findings.ts';
import type { BatchFunction } from '../batch-function.ts';
import { KEY_ACTIONS } from '../customer-key.ts';
import { accountService, type Instance, pathInStack } from '../instance.ts';

/** Time for Step Functions to receive the function's own timeout error, which is more specific than that of the state. */
const TASK_MARGIN_SECONDS = 60;

/**
 * Creates a state machine with its role and its log group, in `scope` itself.
 *
 * X-Ray is off by default, as it is for the functions: the history of an execution contains more.
 *
 * @param define creates the states, in `scope` too
 */
export function createStateMachine(
  scope: Construct,
  { logRetentionDays, tracing, encryptionKey }: Instance,
  timeoutDays: number,
  define: () => IChainable,
): { readonly machine: StateMachine; readonly role: Role; readonly logGroup: LogGroup } {
  const role = new Role(scope, 'Role', { assumedBy: accountService(scope, 'states.amazonaws.com') });
  const logGroup = new LogGroup(scope, 'Logs', {
    logGroupName: logGroupName(scope),
    retention: logRetentionDays,
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
  acknowledgeWildcard(role, 'logDelivery');
  if (encryptionKey !== undefined) {
    // Not by the library, whose permissions are for an ARN without the name of the machine, and allow nothing.
    const resource = machine.node.defaultChild as CfnStateMachine;
    resource.encryptionConfiguration = { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId: encryptionKey.keyArn };
    encryptionKey.grant(role, ...KEY_ACTIONS);
  }
  if (tracing) acknowledgeWildcard(role, 'traces');
  else {
    Validations.of(machine).acknowledge({
      id: 'AwsSolutions-SF2',
      reason:
        'A trace contains less than the history of an execution, and its permission cannot be limited to resources.',
    });
  }
  return { machine, role, logGroup };
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

export interface StepTaskProps {
  readonly payload: Record<string, unknown>;
  /** Fields of the response that are kept; undefined keeps nothing. */
  readonly picks?: readonly string[];
  /** Path under which they are kept. */
  readonly resultPath: string;
  /** Whether the function sends events about outcomes. */
  readonly sendsEvents?: boolean;
}

/** A state that invokes a function of the stack, with retries. */
export function stepTask(
  scope: Construct,
  id: string,
  { timeoutSeconds }: Instance,
  { version: lambdaFunction }: BatchFunction,
  { payload, picks, resultPath, sendsEvents = false }: StepTaskProps,
): LambdaInvoke {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction,
    payload: TaskInput.fromObject(payload),
    resultSelector:
      picks && Object.fromEntries(picks.map((field) => [field, JsonPath.objectAt(`$.Payload.${field}`)])),
    resultPath,
    taskTimeout: Timeout.duration(Duration.seconds(timeoutSeconds + TASK_MARGIN_SECONDS)),
    // The library's own retry omits throttling, the first error of a map with many children.
    retryOnServiceExceptions: false,
  });
  const retry = (
    errors: string[],
    seconds: number,
    backoffRate: number,
    maxSeconds: number,
    maxAttempts: number,
  ) => task.addRetry({ errors, ...backoff(seconds, backoffRate, maxSeconds), maxAttempts });
  // Throttled: no function ran, so a retry costs only time, until other executions finish. Several large files in an
  // account with a low quota take turns for hours; 1,000 tries are 16 hours on average.
  retry(['Lambda.TooManyRequestsException'], 2, 2, 120, 1000);
  retry(
    [
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
    ],
    2,
    2,
    60,
    6,
  );
  // The outcome is stored, and only its event is missing: it is sent again for a day, which costs little, and then
  // after a redrive. The failure of a large job also reaches the queue, which continues.
  if (sendsEvents) {
    const { jitterStrategy: _, ...regular } = backoff(10, 4, 900);
    task.addRetry({ errors: [EVENT_NOT_SENT_ERROR], ...regular, maxAttempts: 100 });
  }
  // A retry would invoke the same version again.
  task.addRetry({ errors: [PROGRAM_VERSION_ERROR], maxAttempts: 0 });
  // The function itself failed, crashed, ran out of memory or timed out (errors of many names, and Lambda.Unknown).
  // Repeated failures cost whole invocations, so the state fails after few tries, and can be redriven.
  retry(['States.Timeout', 'States.TaskFailed'], 5, 3, 60, 3);
  return task;
}

/** Delays of retries that grow, and differ for executions that failed at the same time. */
export function backoff(seconds: number, backoffRate: number, maxSeconds: number) {
  return {
    interval: Duration.seconds(seconds),
    backoffRate,
    maxDelay: Duration.seconds(maxSeconds),
    jitterStrategy: JitterType.FULL,
  };
}
