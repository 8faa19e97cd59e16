/** A state that invokes a function of the stack, with retries. */
import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { JitterType, JsonPath, TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { EVENT_NOT_SENT_ERROR, PROGRAM_VERSION_ERROR } from '../../batch/names.ts';

/** Time for Step Functions to receive the function's own timeout error, which is more specific than that of the state. */
const TASK_MARGIN_SECONDS = 60;

export interface StepTaskProps {
  readonly lambdaFunction: IFunction;
  readonly functionTimeout: Duration;
  readonly payload: Record<string, unknown>;
  /** Fields of the response that are kept; undefined keeps nothing. */
  readonly picks?: readonly string[];
  /** Path under which they are kept. */
  readonly resultPath: string;
  /** Whether the function sends events about outcomes. */
  readonly sendsEvents?: boolean;
}

export function stepTask(scope: Construct, id: string, props: StepTaskProps): LambdaInvoke {
  const { lambdaFunction, functionTimeout, payload, picks, resultPath, sendsEvents = false } = props;
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction,
    payload: TaskInput.fromObject(payload),
    resultSelector:
      picks && Object.fromEntries(picks.map((field) => [field, JsonPath.objectAt(`$.Payload.${field}`)])),
    resultPath,
    taskTimeout: Timeout.duration(functionTimeout.plus(Duration.seconds(TASK_MARGIN_SECONDS))),
    // The library's own retry omits throttling, the first error of a map with many children.
    retryOnServiceExceptions: false,
  });
  // Throttled: no function ran, so a retry costs only time, until other executions finish. Several large files in an
  // account with a low quota take turns for hours; 1,000 tries are 16 hours on average.
  task.addRetry({
    errors: ['Lambda.TooManyRequestsException'],
    interval: Duration.seconds(2),
    backoffRate: 2,
    maxDelay: Duration.minutes(2),
    maxAttempts: 1000,
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
  // The outcome is stored, and only its event is missing: it is sent again for a day, which costs little, and then
  // after a redrive. The failure of a large job also reaches the queue, which continues.
  if (sendsEvents) {
    task.addRetry({
      errors: [EVENT_NOT_SENT_ERROR],
      interval: Duration.seconds(10),
      backoffRate: 4,
      maxDelay: Duration.minutes(15),
      maxAttempts: 100,
    });
  }
  // A retry would invoke the same version again.
  task.addRetry({ errors: [PROGRAM_VERSION_ERROR], maxAttempts: 0 });
  // The function itself failed, crashed, ran out of memory or timed out (errors of many names, and Lambda.Unknown).
  // Repeated failures cost whole invocations, so the state fails after few tries, and can be redriven.
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
