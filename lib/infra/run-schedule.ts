import { Duration, Stack } from 'aws-cdk-lib';
import { Grant, Role } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../batch/names.ts';
import { BatchFunction } from './batch-function.ts';
import { grantQueueKey } from './customer-key.ts';
import { accountService, type Instance } from './instance.ts';
import { deadLetterQueue } from './upload-queue.ts';

/** Enough for a function that only starts an execution. */
const MEMORY_MB = 256;
const TIMEOUT = Duration.seconds(60);
/** Retries of a schedule that could not fire; however late, it starts the run of its scheduled time. */
const RETRY_SECONDS = 6 * 3600;
const RETRIES = 20;

/**
 * The schedule of bulk runs, and the function that it calls:
 *
 *     Scheduler --scheduled time--> sweep-inbox --execution named after that time--> BulkRun
 *         |                              |
 *         +---> undelivered <--failures--+
 *
 * The scheduler cannot start the state machine itself: its times contain colons, which execution names must not.
 */
export class RunSchedule extends Construct {
  readonly sweep: BatchFunction;
  readonly schedule: CfnSchedule;
  /** ARN of the schedule. */
  readonly arn: string;
  /** With which the scheduler invokes the function. */
  readonly role: Role;
  /** Invocations that the scheduler could not deliver, and those whose every attempt failed. */
  readonly undelivered: Queue;
  /** Where version 0.1 sent the second kind, some of which may still be there; the next release can omit it. */
  readonly formerFailures: Queue;

  /** @param machine the state machine of bulk runs */
  constructor(scope: Construct, id: string, instance: Instance, machine: StateMachine) {
    super(scope, id);
    this.undelivered = deadLetterQueue(this, 'Undelivered', instance);
    this.formerFailures = deadLetterQueue(this, 'Failures', instance);
    this.sweep = new BatchFunction(this, 'SweepInbox', instance, {
      name: 'sweep-inbox',
      description: 'Starts the scheduled bulk run, once',
      memoryMb: MEMORY_MB,
      timeout: TIMEOUT,
      environment: { [ENVIRONMENT.bulkRun]: machine.stateMachineArn },
    });
    machine.grantStartExecution(this.sweep.role);
    this.undelivered.grant(this.sweep.role, 'sqs:SendMessage');
    grantQueueKey(this.undelivered, this.sweep.role);
    this.sweep.function.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.seconds(RETRY_SECONDS),
      onFailure: { bind: () => ({ destination: this.undelivered.queueArn }) },
    });
    this.role = new Role(this, 'Role', { assumedBy: accountService(this, 'scheduler.amazonaws.com') });
    this.schedule = this.#createSchedule(instance);
    this.arn = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `default/${this.schedule.ref}`,
    });
  }

  /** Not the library's own construct: its role could call every version of the function. */
  #createSchedule(instance: Instance): CfnSchedule {
    const { role } = this;
    const { scheduleFlexibleMinutes: minutes } = instance;
    const { functionArn } = this.sweep.function;
    const granted = [
      Grant.addToPrincipal({
        grantee: role,
        actions: ['lambda:InvokeFunction'],
        resourceArns: [functionArn],
      }),
      this.undelivered.grant(role, 'sqs:SendMessage'),
    ];
    grantQueueKey(this.undelivered, role);
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: 'Starts the bulk run: uploads under scheduled/, and uploads whose event was lost',
      scheduleExpression: instance.schedule,
      scheduleExpressionTimezone: instance.scheduleTimeZone,
      flexibleTimeWindow:
        minutes === 0 ? { mode: 'OFF' } : { mode: 'FLEXIBLE', maximumWindowInMinutes: minutes },
      state: instance.scheduleEnabled ? 'ENABLED' : 'DISABLED',
      target: {
        arn: functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ scheduledTime: '<aws.scheduler.scheduled-time>' }),
        deadLetterConfig: { arn: this.undelivered.queueArn },
        retryPolicy: { maximumEventAgeInSeconds: RETRY_SECONDS, maximumRetryAttempts: RETRIES },
      },
    });
    // A schedule may fire at once, so its permissions come first.
    for (const grant of granted) grant.applyBefore(schedule);
    return schedule;
  }
}
