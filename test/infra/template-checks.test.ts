import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import type { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { appWith, stackIn } from './synthesised.ts';

/**
 * Findings of cdk-nag's AwsSolutions rules and of the library's CloudFormation validator, read from the report that
 * synthesis writes: `rule at construct path`.
 */
function findings(change: (stack: DlxBatchStack) => void = () => {}): string[] {
  const app = appWith({}, true);
  change(stackIn(app));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  let refusal = '';
  try {
    app.synth();
  } catch (error) {
    refusal = String(error);
  }
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'));
  const found: string[] = pluginReports.flatMap((report: Report) =>
    report.violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} at ${constructPath}`),
    ),
  );
  expect(refusal !== '', `synthesis fails if there are findings: ${refusal}`).toBe(found.length > 0);
  return found;
}

/** The first validation of a process loads the validator, which takes this long on a busy machine. */
const FIRST_VALIDATION_MS = 120_000;

interface Report {
  violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[];
}

describe('a check of the template', () => {
  it(
    'finds nothing in the stack beyond the acknowledged findings',
    () => {
      expect(findings()).toEqual([]);
    },
    FIRST_VALIDATION_MS,
  );

  const solveFunction = (stack: DlxBatchStack) =>
    stack.node.findChild('SolveBatch').node.findChild('Function').node.defaultChild as CfnFunction;
  const solveRole = (stack: DlxBatchStack) =>
    stack.node.findChild('SolveBatch').node.findChild('Role') as Role;
  const inputArn = (stack: DlxBatchStack) =>
    (stack.node.findChild('Buckets').node.findChild('Input') as Bucket).bucketArn;

  it.each([
    {
      what: 'a bucket without TLS',
      rule: 'AwsSolutions-S10 at DlxBatch/Another/Resource',
      change: (stack: DlxBatchStack) => new Bucket(stack, 'Another'),
    },
    {
      what: 'a queue without dead letters',
      rule: 'AwsSolutions-SQS3 at DlxBatch/Another/Resource',
      change: (stack: DlxBatchStack) => new Queue(stack, 'Another'),
    },
    {
      what: 'a value that CloudFormation would refuse',
      rule: expect.stringContaining('DlxBatch/SolveBatch/Function/Resource'),
      change: (stack: DlxBatchStack) => solveFunction(stack).addPropertyOverride('MemorySize', 1),
    },
    {
      what: 'a wildcard action of a role with acknowledged wildcards',
      rule: 'AwsSolutions-IAM5[Action::s3:*] at DlxBatch/SolveBatch/Role/DefaultPolicy/Resource',
      change: (stack: DlxBatchStack) =>
        solveRole(stack).addToPolicy(
          new PolicyStatement({ actions: ['s3:*'], resources: [inputArn(stack)] }),
        ),
    },
    {
      what: 'a wider wildcard on a bucket with acknowledged wildcards',
      rule: expect.stringMatching(
        /^AwsSolutions-IAM5\[Resource::<BucketsInput\w+\.Arn>\/\*\] at DlxBatch\/SolveBatch\/Role\/DefaultPolicy\/Resource$/,
      ),
      change: (stack: DlxBatchStack) =>
        solveRole(stack).addToPolicy(
          new PolicyStatement({ actions: ['s3:GetObject'], resources: [`${inputArn(stack)}/*`] }),
        ),
    },
  ])('finds $what', ({ rule, change }) => {
    expect(findings(change)).toContainEqual(rule);
  });
});
