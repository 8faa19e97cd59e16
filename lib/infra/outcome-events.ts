import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_SOURCE, EVENT_TYPES, type EventType } from '../batch/names.ts';
import { acknowledgeWildcard } from './acknowledged-findings.ts';
import type { BatchFunction } from './batch-function.ts';

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

/** An e-mail address, roughly: SNS itself asks the address to confirm. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/;

/** A topic's subscriptions by e-mail: each receives each event. */
const MAX_EMAILS = 100;

export function isEmailList(found: readonly unknown[]): found is string[] {
  return (
    found.length > 0 &&
    found.length <= MAX_EMAILS &&
    new Set(found).size === found.length &&
    found.every((each) => typeof each === 'string' && each.length <= 254 && EMAIL.test(each))
  );
}

export function isEventTypeList(found: readonly unknown[]): found is EventType[] {
  return found.length > 0 && found.every((each) => EVENT_TYPES.some((type) => type === each));
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

  /** @throws Error if a setting is invalid, with the values that are valid */
  constructor(scope: Construct, id: string, props: OutcomeEventsProps) {
    super(scope, id);
    const { eventEmails = [], eventEmailTypes = EVENT_TYPES } = props;
    if (eventEmails.length > 0 && !isEmailList(eventEmails)) {
      throw new Error(`eventEmails is ${JSON.stringify(eventEmails)}: expected ${EMAILS_EXPECTED}`);
    }
    if (!isEventTypeList(eventEmailTypes)) {
      throw new Error(`eventEmailTypes is ${JSON.stringify(eventEmailTypes)}: expected ${TYPES_EXPECTED}`);
    }
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
    if (eventEmails.length > 0) this.topic = this.emailTopic(props, eventEmails, eventEmailTypes);
  }

  private emailTopic(
    { metricsName: stack, encryptionKey: masterKey }: OutcomeEventsProps,
    emails: readonly string[],
    types: readonly EventType[],
  ): ITopic {
    const topic = new Topic(this, 'Topic', { displayName: 'dlx-batch', enforceSSL: true, masterKey });
    // EventBridge may give no account of the rule with the requests that SNS makes for it, so without a condition.
    masterKey?.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
      true,
    );
    for (const endpoint of emails) {
      new Subscription(this, endpoint, { topic, endpoint, protocol: SubscriptionProtocol.EMAIL });
    }
    new Rule(this, 'Outcomes', {
      description: 'Sends events about jobs and bulk runs to the topic of the e-mail addresses',
      eventBus: this.bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: [...types], detail: { stack: [stack] } },
      targets: [new SnsTopic(topic)],
    });
    return topic;
  }
}

export const EMAILS_EXPECTED = `a list of 1 to ${MAX_EMAILS} different e-mail addresses, such as ["ops@example.com"]`;
export const TYPES_EXPECTED = `a list of one or more of ${EVENT_TYPES.join(', ')}`;
