import { Stack } from 'aws-cdk-lib';
import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_SOURCE, EVENT_TYPES } from '../batch/names.ts';
import { acknowledgeWildcard } from './acknowledged-findings.ts';
import type { BatchFunction } from './batch-function.ts';
import { emailTopic } from './email-topic.ts';
import type { Instance } from './instance.ts';
import { checkPlace } from './puzzle-buckets.ts';
import { deadLetterQueue } from './upload-queue.ts';

/**
 * Events about outcomes on a bus, for rules of the app, and by e-mail.
 *
 *     functions --after the commit--> bus --rule, this construct's events--> topic --> e-mails
 */
export class OutcomeEvents extends Construct {
  readonly bus: IEventBus;
  /** The topic of the e-mails; undefined without addresses. */
  readonly topic?: ITopic;
  /** Events that could not be sent to the topic; undefined without addresses. */
  readonly undelivered?: Queue;

  /**
   * @param senders the functions that commit, reject or fail jobs, and end runs
   * @param bus undefined for the default bus of the account
   */
  constructor(
    scope: Construct,
    id: string,
    instance: Instance,
    senders: readonly BatchFunction[],
    bus: IEventBus | undefined,
  ) {
    super(scope, id);
    const { eventEmails, eventEmailTypes: detailType = EVENT_TYPES, metricsName } = instance;
    if (bus !== undefined) checkPlace(Stack.of(this), 'eventBus', bus, ['region']);
    this.bus = bus ?? EventBus.fromEventBusName(this, 'Bus', 'default');
    for (const sender of senders) {
      sender.function.addEnvironment(ENVIRONMENT.eventBus, this.bus.eventBusArn);
      // Limited by the source, not by the bus: independent checks of the roles evaluate this call without a bus.
      sender.role.addToPolicy(
        new PolicyStatement({
          actions: ['events:PutEvents'],
          resources: ['*'],
          conditions: { StringEquals: { 'events:source': EVENT_SOURCE } },
        }),
      );
      acknowledgeWildcard(sender.role, 'events');
    }
    if (eventEmails === undefined) return;
    this.topic = emailTopic(this, eventEmails, 'events.amazonaws.com', instance);
    this.undelivered = deadLetterQueue(this, 'Undelivered', instance);
    new Rule(this, 'Outcomes', {
      description: 'Sends events about jobs and bulk runs to the topic of the e-mail addresses',
      eventBus: this.bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: [...detailType], detail: { stack: [metricsName] } },
      targets: [new SnsTopic(this.topic, { deadLetterQueue: this.undelivered })],
    });
  }
}
