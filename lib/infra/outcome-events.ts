import { Stack } from 'aws-cdk-lib';
import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_SOURCE, EVENT_TYPES, type EventType } from '../batch/names.ts';
import { acknowledgeWildcard } from './acknowledged-findings.ts';
import type { BatchFunction } from './batch-function.ts';
import { emailTopic } from './email-topic.ts';
import { checkRegion } from './existing-bucket.ts';
import { deadLetterQueue } from './upload-queue.ts';

/** Settings of the events of outcomes. */
export interface OutcomeEventSettings {
  /**
   * E-mail addresses notified of outcomes: each first gets an e-mail that asks to confirm.
   * @default - none, and no topic
   */
  readonly eventEmails?: readonly string[];

  /**
   * The types of events that are sent to the topic: `JobCompleted`, `JobRejected`, `JobFailed`, `RunCompleted`. The bus
   * gets all of them.
   * @default - all
   */
  readonly eventEmailTypes?: readonly EventType[];
}

export interface OutcomeEventsProps extends OutcomeEventSettings {
  /** @default - the default bus of the account */
  readonly bus?: IEventBus;
  /** Of the topic. @default - keys of AWS */
  readonly encryptionKey?: IKey;
  /** Value of `detail.stack` in the events of this construct. */
  readonly metricsName: string;
  /** The functions that commit, reject or fail jobs, and end runs. */
  readonly senders: readonly BatchFunction[];
}

/**
 * Events about outcomes on a bus, for rules of the app, and by e-mail.
 *
 *     functions --after the commit--> bus --rule, this construct's events--> topic --> e-mails
 */
export class OutcomeEvents extends Construct {
  readonly bus: IEventBus;
  /** The topic of the e-mails; undefined without addresses. */
  readonly topic: ITopic | undefined;
  /** Events that could not be sent to the topic; undefined without addresses. */
  readonly undelivered: Queue | undefined;

  constructor(scope: Construct, id: string, props: OutcomeEventsProps) {
    super(scope, id);
    const { eventEmails = [], eventEmailTypes = EVENT_TYPES } = props;
    if (props.bus !== undefined) checkRegion(Stack.of(this), 'eventBus', props.bus);
    this.bus = props.bus ?? EventBus.fromEventBusName(this, 'Bus', 'default');
    for (const sender of props.senders) {
      sender.function.addEnvironment(ENVIRONMENT.eventBus, this.bus.eventBusArn);
      // Limited by the source, not by the bus: independent checks of the roles evaluate this call without a bus.
      sender.role.addToPolicy(
        new PolicyStatement({
          actions: ['events:PutEvents'],
          resources: ['*'],
          conditions: { StringEquals: { 'events:source': EVENT_SOURCE } },
        }),
      );
      acknowledgeWildcard(sender.role, '*', 'Events of one source, on any bus.');
    }
    const sent = eventEmails.length > 0 ? this.sendEmails(props, eventEmails, eventEmailTypes) : undefined;
    this.topic = sent?.topic;
    this.undelivered = sent?.undelivered;
  }

  private sendEmails(
    props: OutcomeEventsProps,
    emails: readonly string[],
    types: readonly EventType[],
  ): { readonly topic: ITopic; readonly undelivered: Queue } {
    const { encryptionKey, metricsName: stack } = props;
    const topic = emailTopic(this, {
      emails,
      publisher: 'events.amazonaws.com',
      encryptionKey,
    });
    const undelivered = deadLetterQueue(this, 'Undelivered', encryptionKey);
    new Rule(this, 'Outcomes', {
      description: 'Sends events about jobs and bulk runs to the topic of the e-mail addresses',
      eventBus: this.bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: [...types], detail: { stack: [stack] } },
      targets: [new SnsTopic(topic, { deadLetterQueue: undelivered })],
    });
    return { topic, undelivered };
  }
}
