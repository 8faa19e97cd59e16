import { Duration } from 'aws-cdk-lib';
import { Grant, Role } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { checkTimeZone, parseSchedule } from '../batch/bulk-run/schedule-expression.ts';
import { ENVIRONMENT } from '../batch/names.ts';
import { accountService } from './account-service.ts';
import { BatchFunction, type FunctionSettings } from './batch-function.ts';
import { deadLetterQueue } from './upload-queue.ts';

/** It starts an execution, and nothing else. */
const MEMORY_MB = 256;
const TIMEOUT = Duration.seconds(60);
/** For how long, and how often, a schedule that could not fire is tried again: it is the run of that time, however late. */
const RETRY_SECONDS = 6 * 3600;
const RETRIES = 20;

/** When bulk runs start. */
export interface ScheduleSettings {
  /** `cron(...)`, `rate(...)` or `at(...)`, as EventBridge Scheduler has them. */
  readonly expression: string;
  /** Of the IANA time zone database; it counts for `cron` and `at`. */
  readonly timeZone: string;
  /** Minutes after its time within which a run may start; 0 starts it on time. */
  readonly flexibleMinutes: number;
  readonly enabled: boolean;
}

export interface RunScheduleProps extends FunctionSettings, ScheduleSettings {
  /** What it starts. */
  readonly machine: StateMachine;
}

/**
 * The schedule of bulk runs, and the function that it calls:
 *
 *     Scheduler --scheduled time--> sweep-inbox --execution named after that time--> BulkRun
 *         |                              |
 *     undelivered                     failures
 *
 * The scheduler cannot start the state machine itself: its times have colons, and names of executions may not.
 */
export class RunSchedule extends Construct {
  readonly sweep: BatchFunction;
  /** What the scheduler could not deliver. */
  readonly undeliveredEvents: Queue;
  /** Events that the function failed on in every try. */
  readonly failures: Queue;

  /** @throws ScheduleError where the schedule or its time zone is none, saying what is allowed */
  constructor(scope: Construct, id: string, props: RunScheduleProps) {
    super(scope, id);
    parseSchedule(props.expression);
    checkTimeZone(props.timeZone);
    this.undeliveredEvents = deadLetterQueue(this, 'Undelivered');
    this.failures = deadLetterQueue(this, 'Failures');
    this.sweep = new BatchFunction(this, 'SweepInbox', {
      ...props,
      name: 'sweep-inbox',
      description: 'Starts the bulk run that the schedule asks for, once',
      memoryMb: MEMORY_MB,
      timeout: TIMEOUT,
      environment: { [ENVIRONMENT.bulkRun]: props.machine.stateMachineArn },
    });
    props.machine.grantStartExecution(this.sweep.role);
    this.sweep.function.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.seconds(RETRY_SECONDS),
      onFailure: new SqsDestination(this.failures),
    });
    this.schedule(props);
  }

  /** The library's own construct would let its role call every version of the function; this one calls just it. */
  private schedule({ expression, timeZone, flexibleMinutes, enabled }: RunScheduleProps): void {
    const role = new Role(this, 'Role', {
      assumedBy: accountService(this, 'scheduler.amazonaws.com'),
    });
    const { functionArn } = this.sweep.function;
    const granted = [
      Grant.addToPrincipal({
        grantee: role,
        actions: ['lambda:InvokeFunction'],
        resourceArns: [functionArn],
      }),
      this.undeliveredEvents.grantSendMessages(role),
    ];
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: 'Starts the bulk run: what lies under scheduled/, and whatever an event was lost for',
      scheduleExpression: expression,
      scheduleExpressionTimezone: timeZone,
      flexibleTimeWindow:
        flexibleMinutes === 0
          ? { mode: 'OFF' }
          : { mode: 'FLEXIBLE', maximumWindowInMinutes: flexibleMinutes },
      state: enabled ? 'ENABLED' : 'DISABLED',
      target: {
        arn: functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ scheduledTime: '<aws.scheduler.scheduled-time>' }),
        deadLetterConfig: { arn: this.undeliveredEvents.queueArn },
        retryPolicy: { maximumEventAgeInSeconds: RETRY_SECONDS, maximumRetryAttempts: RETRIES },
      },
    });
    // A schedule that may fire at once must find its permissions.
    for (const grant of granted) grant.applyBefore(schedule);
  }
}
