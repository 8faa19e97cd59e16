/** A topic of the construct that sends e-mails. */
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** An e-mail address, roughly: SNS itself asks the address to confirm. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/;

/** A topic's subscriptions by e-mail: each receives each message. */
const MAX_EMAILS = 100;

export const EMAILS_EXPECTED = `a list of 1 to ${MAX_EMAILS} different e-mail addresses, such as ["ops@example.com"]`;

export function isEmailList(found: readonly unknown[]): found is string[] {
  return (
    found.length > 0 &&
    found.length <= MAX_EMAILS &&
    new Set(found).size === found.length &&
    found.every((each) => typeof each === 'string' && each.length <= 254 && EMAIL.test(each))
  );
}

export interface EmailTopicProps {
  /** The setting that has the addresses, for messages. */
  readonly setting: string;
  readonly emails: readonly string[];
  /** Service that publishes, such as `events.amazonaws.com`. */
  readonly publisher: string;
  /** @default - keys of AWS */
  readonly encryptionKey?: IKey;
}

/**
 * Creates the topic in `scope` itself, with a subscription for each address.
 *
 * @throws Error if an address is invalid, with what is valid
 */
export function emailTopic(scope: Construct, props: EmailTopicProps): Topic {
  const { setting, emails, publisher, encryptionKey: masterKey } = props;
  if (!isEmailList(emails)) {
    throw new Error(`${setting} is ${JSON.stringify(emails)}: expected ${EMAILS_EXPECTED}`);
  }
  const topic = new Topic(scope, 'Topic', { displayName: 'dlx-batch', enforceSSL: true, masterKey });
  // Services may give no account with the requests that SNS makes for them, so without a condition: EventBridge to
  // encrypted topics does not support `aws:SourceAccount`.
  masterKey?.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(publisher)],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
    true,
  );
  for (const endpoint of emails) {
    new Subscription(scope, endpoint, { topic, endpoint, protocol: SubscriptionProtocol.EMAIL });
  }
  return topic;
}
