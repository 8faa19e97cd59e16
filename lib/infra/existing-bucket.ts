/** A bucket of the app's owner: what the construct changes in it, and what it checks. */
import { Annotations, Aspects, type IResource, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** Child of a bucket with the custom resource that sets its notifications. */
const NOTIFICATIONS = 'Notifications';

/**
 * Checks that a bucket is in the account and the region of a stack, as events do not leave them and the functions use
 * the endpoint of their region.
 *
 * @param property name of the bucket's property, for messages
 * @throws Error if it is known to be elsewhere
 */
export function checkEnvironment(stack: Stack, property: string, { env, node }: IBucket): void {
  for (const what of ['account', 'region'] as const) {
    if (Token.compareStrings(env[what], stack[what]) !== TokenComparison.DIFFERENT) continue;
    throw new Error(
      `${property} ${node.path} is in ${what} ${env[what]}, the stack ${stack.stackName} in ${stack[what]}: ` +
        `give a bucket in the same ${what}, because its events and the functions are there`,
    );
  }
}

/**
 * Checks that a resource is in the region of a stack: neither a rule nor an alarm reaches another one. A stack without a
 * region is deployed to the one that the `cdk` command gives to the app.
 *
 * @param property name of the resource's property, for messages
 * @throws Error if it is known to be elsewhere
 */
export function checkRegion(stack: Stack, property: string, { env, node }: IResource): void {
  const region = Token.isUnresolved(stack.region) ? process.env.CDK_DEFAULT_REGION : stack.region;
  if (region === undefined || Token.isUnresolved(env.region) || env.region === region) return;
  throw new Error(
    `${property} ${node.path} is in region ${env.region}, the stack ${stack.stackName} in ${region}: give one in the same ` +
      'region, because neither events nor alarms reach another one',
  );
}

/**
 * Makes synthesis fail if a bucket of the app keeps no versions. Each version of an upload is a job; without versions,
 * the functions of a large file could read two different files. The versions of an imported bucket are unknown here.
 */
export function requireVersions(scope: Construct, property: string, bucket: IBucket): void {
  const resource = cfnBucketOf(bucket);
  if (resource === undefined) return;
  scope.node.addValidation({
    validate() {
      const versioning = Stack.of(resource).resolve(resource.versioningConfiguration);
      return versioning?.status === 'Enabled'
        ? []
        : [
            `${property} ${bucket.node.path} keeps no versions: set versioned: true on it, as each version is a job`,
          ];
    },
  });
}

/**
 * Makes a bucket of the app send its events to EventBridge, and warns about an imported one, whose owner does that.
 *
 * It sets the property of the resource itself: although CloudFormation has it, the library's own
 * `enableEventBridgeNotification()` deploys a custom resource, a function with a role. Only if the bucket has that
 * custom resource anyway, for other notifications, it is used: it would overwrite the property. For an imported bucket
 * the custom resource is the only way; the app's owner decides whether to deploy it.
 */
export function sendEvents(scope: Construct, property: string, bucket: IBucket): void {
  const resource = cfnBucketOf(bucket);
  const path = 'NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled';
  resource?.addPropertyOverride(path, true);
  // When the app is complete: notifications may be added later than this construct.
  Aspects.of(scope).add({
    visit(node) {
      if (node !== scope) return;
      const hasNotifications = bucket.node.tryFindChild(NOTIFICATIONS) !== undefined;
      if (resource !== undefined && hasNotifications) bucket.enableEventBridgeNotification();
      if (resource !== undefined || hasNotifications) return;
      Annotations.of(scope).addWarningV2(
        'dlx-batch:puzzleBucketEvents',
        `${property} ${bucket.node.path} is imported: without its events, uploads are only solved by the scheduled runs. ` +
          'Turn on Amazon EventBridge in its notifications, or call enableEventBridgeNotification() on it, which deploys ' +
          'a custom resource; then acknowledge this warning',
      );
    },
  });
}

/** The resource of a bucket that is created in the app; undefined for an imported bucket. */
function cfnBucketOf(bucket: IBucket): CfnBucket | undefined {
  const resource = bucket.node.defaultChild ?? bucket.node.scope;
  return CfnBucket.isCfnBucket(resource) ? resource : undefined;
}
