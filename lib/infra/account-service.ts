import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * A service principal that acts for this account only. Without the condition, another account could make the service
 * use a role of this one (confused deputy).
 *
 * Not for Lambda: Lambda does not pass the account when it assumes the role of a function.
 */
export function accountService(scope: Construct, name: string): ServicePrincipal {
  return new ServicePrincipal(name, {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
}
