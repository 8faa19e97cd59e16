import type { IRuleTarget } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/**
 * A queue as the target of a rule. Not the library's own target, which also lets EventBridge look up the queue.
 *
 * @param undelivered receives the events that cannot be sent to the queue
 */
export function queueTarget(queue: IQueue, undelivered: IQueue): IRuleTarget {
  return {
    bind({ ruleRef: { ruleArn } }) {
      for (const target of [queue, undelivered]) {
        target.addToResourcePolicy(
          new PolicyStatement({
            principals: [new ServicePrincipal('events.amazonaws.com')],
            actions: ['sqs:SendMessage'],
            resources: [target.queueArn],
            conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
          }),
        );
      }
      return { arn: queue.queueArn, deadLetterConfig: { arn: undelivered.queueArn } };
    },
  };
}
