/** A topic of the construct that sends e-mails. */
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Instance } from './instance.ts';

/**
 * Creates the topic in `scope` itself, with a subscription for each address.
 *
 * @param publisher service that publishes, such as `events.amazonaws.com`
 */
export function emailTopic(
  scope: Construct,
  emails: readonly string[],
  publisher: string,
  { encryptionKey: masterKey }: Instance,
): Topic {
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
