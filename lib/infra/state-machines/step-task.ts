/** A state that runs a function of ours, and runs it again where that may help. */
import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { JitterType, JsonPath, TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';

/** Time for Step Functions to hear of a function's own timeout, which names the trouble better than its own would. */
const TASK_MARGIN_SECONDS = 60;

export interface StepTaskProps {
  readonly lambdaFunction: IFunction;
  /** How long the function may take. */
  readonly functionTimeout: Duration;
  readonly payload: Record<string, unknown>;
  /** Fields of the answer that are kept; the whole answer is dropped where there are none. */
  readonly picks?: readonly string[];
  /** Where they are kept. */
  readonly resultPath: string;
}

/** Makes the state. */
export function stepTask(scope: Construct, id: string, props: StepTaskProps): LambdaInvoke {
  const { lambdaFunction, functionTimeout, payload, picks, resultPath } = props;
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction,
    payload: TaskInput.fromObject(payload),
    resultSelector:
      picks && Object.fromEntries(picks.map((field) => [field, JsonPath.objectAt(`$.Payload.${field}`)])),
    resultPath,
    taskTimeout: Timeout.duration(functionTimeout.plus(Duration.seconds(TASK_MARGIN_SECONDS))),
    // The library's own retry leaves out throttling, which is what a map with many children meets first.
    retryOnServiceExceptions: false,
  });
  // No function ran: this costs nothing but time, and ends only when others leave room.
  task.addRetry({
    errors: ['Lambda.TooManyRequestsException'],
    interval: Duration.seconds(2),
    backoffRate: 2,
    maxDelay: Duration.minutes(2),
    maxAttempts: 40,
    jitterStrategy: JitterType.FULL,
  });
  task.addRetry({
    errors: [
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
    ],
    interval: Duration.seconds(2),
    backoffRate: 2,
    maxDelay: Duration.minutes(1),
    maxAttempts: 6,
    jitterStrategy: JitterType.FULL,
  });
  // The function itself failed, crashed or ran out of memory or time (errors of many names, and Lambda.Unknown): what
  // fails again and again costs whole functions, so it is named soon, and waits for a redrive.
  task.addRetry({
    errors: ['States.Timeout', 'States.TaskFailed'],
    interval: Duration.seconds(5),
    backoffRate: 3,
    maxDelay: Duration.minutes(1),
    maxAttempts: 3,
    jitterStrategy: JitterType.FULL,
  });
  return task;
}
