/** Checks of the deployment: who asks, the stack, its outputs, and the CDK's bootstrap stack. */

import type { CallerIdentity, StackResource, StackState } from '../../../../aws/stack-inspection.ts';
import { counted } from '../../../../batch/quantities.ts';
import { type Finding, fail, ok, warn } from '../../../terminal/finding.ts';

/** The least version with which the template deploys: its rule CheckBootstrapVersion. */
const MIN_BOOTSTRAP_VERSION = 6;

/** Outputs that commands use. */
const OUTPUTS = [
  'InputBucketName',
  'ResultsBucketName',
  'QueueUrl',
  'DeadLetterQueueUrl',
  'SolveLargeArn',
  'BulkRunArn',
  'SolveFunctionName',
];

const DEPLOY = 'deploy with npx cdk deploy';

export function checkIdentity({ account, arn, region }: CallerIdentity): Finding[] {
  return [ok('identity', `${arn}, account ${account}`), ok('region', region)];
}

export function checkStack(name: string, { status, statusReason, changed }: StackState): Finding {
  const text = `${name} is ${status}${changed === undefined ? '' : ` since ${timeText(changed)}`}`;
  const reason = statusReason === undefined ? '' : `, ${statusReason}`;
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    const todo = 'fix the cause in the events of the stack, then npx cdk deploy';
    return warn('stack', `${text}: the last deployment failed and was undone${reason}`, todo);
  }
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status)) return ok('stack', text);
  if (status.endsWith('_IN_PROGRESS')) {
    return warn('stack', text, 'wait until the deployment has finished, then run doctor again');
  }
  const todo =
    status === 'ROLLBACK_COMPLETE'
      ? 'fix the cause in the events of the stack, then npx cdk destroy and npx cdk deploy'
      : 'fix the cause in the events of the stack, then npx cdk deploy';
  return fail('stack', text + reason, todo);
}

export function checkOutputs({ outputs }: StackState): Finding {
  const missing = OUTPUTS.filter((output) => !outputs.has(output));
  if (missing.length === 0) return ok('outputs', `${OUTPUTS.length} outputs that commands use`);
  return fail(
    'outputs',
    `missing ${missing.join(', ')}`,
    `${DEPLOY} from this version, or add them to your app`,
  );
}

/** Resources that CloudFormation could not create or change, with its reasons. */
export function checkResources(resources: readonly StackResource[]): Finding[] {
  const failed = resources.filter(({ status }) => status.endsWith('_FAILED'));
  if (failed.length === 0) return [ok('resources', counted(resources.length, 'resource'))];
  return failed.map(({ logicalId, status, statusReason = 'no reason' }) =>
    fail('resources', `${logicalId} is ${status}: ${statusReason}`, adviceFor(statusReason)),
  );
}

function adviceFor(reason: string): string {
  const [, memoryMb] = /MemorySize.*less than or equal to (\d+)/s.exec(reason) ?? [];
  if (memoryMb !== undefined) {
    return `this account allows functions of ${memoryMb} MiB: deploy with -c dlx:memoryMb=${memoryMb} -c dlx:shardMemoryMb=${memoryMb}, or ask AWS for more`;
  }
  return `fix the cause, then ${DEPLOY}`;
}

/** @param version undefined if there is no bootstrap stack with the CDK's default name */
export function checkBootstrap(version: string | undefined): Finding {
  if (version === undefined) {
    const text = 'there is no stack CDKToolkit in this region';
    return warn(
      'bootstrap',
      text,
      'run npx cdk bootstrap before the next deployment, unless yours has another name',
    );
  }
  if (Number(version) >= MIN_BOOTSTRAP_VERSION) return ok('bootstrap', `version ${version}`);
  return fail(
    'bootstrap',
    `version ${version}, expected ${MIN_BOOTSTRAP_VERSION} or newer`,
    'run npx cdk bootstrap',
  );
}

/** `2026-11-22 20:15 UTC` */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
