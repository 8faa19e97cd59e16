/**
 * The customer-managed key: what roles and services need to use resources that are encrypted with it.
 *
 *     S3, SQS, Step Functions   use it with the permissions of the caller: a role of the construct
 *     EventBridge, CloudWatch   send to encrypted queues and topics without a role, so the key's policy names them
 *     CloudWatch Logs           encrypts logs itself, and also those that Step Functions delivers
 */
import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { accountService } from './instance.ts';

/** For data that is written and read again. */
export const KEY_ACTIONS = ['kms:Decrypt', 'kms:GenerateDataKey'];

/**
 * Adds the services to the policy of a key. That of an imported key cannot be changed: a warning lists what it must
 * allow, as otherwise the deployment fails, or events are lost.
 */
export function allowServices(scope: Construct, key: IKey): void {
  const { account, region, partition } = Stack.of(scope);
  const senders = ['events.amazonaws.com', 'cloudwatch.amazonaws.com'];
  const allow = (principals: ServicePrincipal[], actions: string[], conditions?: Record<string, object>) =>
    key.addToResourcePolicy(new PolicyStatement({ principals, actions, resources: ['*'], conditions }), true);
  // Not for one rule: its target is encrypted with the key, so that the key would need what needs the key.
  const added = allow(
    senders.map((name) => accountService(scope, name)),
    KEY_ACTIONS,
  );
  allow(
    [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
    ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
    {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:*`,
      },
    },
  );
  allow([new ServicePrincipal('delivery.logs.amazonaws.com')], ['kms:Decrypt']);
  if (added.statementAdded) return;
  Annotations.of(scope).addWarningV2(
    'dlx-batch:encryptionKeyPolicy',
    `encryptionKey ${key.node.path} is imported, so its policy is not changed: it must allow ${KEY_ACTIONS.join(' and ')} to ` +
      `${senders.join(' and ')}, encryption and decryption to logs.<region>.amazonaws.com, and kms:Decrypt to ` +
      'delivery.logs.amazonaws.com. Make no condition of aws:SourceAccount for events.amazonaws.com if there are eventEmails: ' +
      'EventBridge to an encrypted topic does not support it. Then acknowledge this warning',
  );
}

/** Lets a role send and receive messages of an encrypted queue; SQS needs both actions to send. */
export function grantQueueKey({ encryptionMasterKey }: IQueue, role: Role): void {
  encryptionMasterKey?.grant(role, ...KEY_ACTIONS);
}
