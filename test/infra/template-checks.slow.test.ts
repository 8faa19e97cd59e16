import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket, type BucketProps } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import type { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { appWith, cdkJsonContext, newApp, stackIn } from './synthesised.ts';

/** Findings in our own stack. */
function findings(change: (stack: DlxBatchStack) => void = () => {}): string[] {
  const app = appWith({}, true);
  change(stackIn(app));
  return findingsIn(app);
}

/**
 * Findings of cdk-nag's AwsSolutions rules and of the library's CloudFormation validator, read from the report that
 * synthesis writes: `rule at construct path`.
 */
function findingsIn(app: App): string[] {
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

interface Report {
  violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[];
}

describe('a check of the template', () => {
  it('finds nothing in the stack beyond the acknowledged findings', () => {
    expect(findings()).toEqual([]);
  });

  const solveFunction = (stack: DlxBatchStack) => stack.batch.solveFunction.node.defaultChild as CfnFunction;
  const solveRole = (stack: DlxBatchStack) => stack.batch.solveFunction.role as Role;
  const inputArn = (stack: DlxBatchStack) => stack.batch.puzzleBucket.bucketArn;

  const CHANGES = [
    {
      what: 'a bucket without TLS',
      rule: 'AwsSolutions-S10 at DlxBatch/Another/Resource',
      change: (stack: DlxBatchStack) => new Bucket(stack, 'Another'),
    },
    {
      what: 'a queue without dead letters',
      rule: 'AwsSolutions-SQS3 at DlxBatch/Other/Resource',
      change: (stack: DlxBatchStack) => new Queue(stack, 'Other'),
    },
    {
      what: 'a value that CloudFormation would refuse',
      rule: expect.stringContaining('DlxBatch/Default/SolveBatch/Function/Resource'),
      change: (stack: DlxBatchStack) => solveFunction(stack).addPropertyOverride('MemorySize', 1),
    },
    {
      what: 'a wildcard action of a role with acknowledged wildcards',
      rule: 'AwsSolutions-IAM5[Action::s3:*] at DlxBatch/Default/SolveBatch/Role/DefaultPolicy/Resource',
      change: (stack: DlxBatchStack) =>
        solveRole(stack).addToPolicy(
          new PolicyStatement({ actions: ['s3:*'], resources: [inputArn(stack)] }),
        ),
    },
    {
      what: 'a wider wildcard on a bucket with acknowledged wildcards',
      rule: expect.stringMatching(
        /^AwsSolutions-IAM5\[Resource::<BucketsInput\w+\.Arn>\/\*\] at DlxBatch\/Default\/SolveBatch\/Role\/DefaultPolicy\/Resource$/,
      ),
      change: (stack: DlxBatchStack) =>
        solveRole(stack).addToPolicy(
          new PolicyStatement({ actions: ['s3:GetObject'], resources: [`${inputArn(stack)}/*`] }),
        ),
    },
  ];
  let found: string[];
  beforeAll(() => {
    // One synthesis with all changes: each takes a second.
    found = findings((stack) => {
      for (const { change } of CHANGES) change(stack);
    });
  });

  it.each(CHANGES)('finds $what', ({ rule }) => {
    expect(found).toContainEqual(rule);
  });
});

describe('a check of another app with the construct', () => {
  const REFERENCES = '@aws-cdk/core:defaultCrossStackReferences';
  const ENV = { account: '111122223333', region: 'eu-west-1' };

  /** The construct with grants. */
  function puzzlesIn(stack: Stack, props: ConstructorParameters<typeof DlxBatch>[2] = {}): DlxBatch {
    const batch = new DlxBatch(stack, 'Puzzles', props);
    const role = new Role(stack, 'Clerk', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
    batch.grantUpload(role);
    batch.grantRead(role);
    return batch;
  }

  /** A bucket without findings of its own. */
  function bucketIn(stack: Stack, id: string, props: BucketProps = {}): Bucket {
    const bucket = new Bucket(stack, id, {
      versioned: true,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...props,
    });
    Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: 'A test.' });
    return bucket;
  }

  it.each<{ what: string; context?: Record<string, unknown>; build: (app: App) => void }>([
    { what: 'its own buckets, and no feature flags', build: (app) => puzzlesIn(new Stack(app, 'Shop')) },
    {
      what: 'all feature flags, an account and a region, and every setting that adds permissions',
      context: cdkJsonContext,
      build(app) {
        const stack = new Stack(app, 'Shop', { env: ENV });
        puzzlesIn(stack, {
          encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
          tracing: true,
          permissionsBoundaryArn: 'arn:aws:iam::111122223333:policy/boundary',
          inputExpiryDays: 90,
          resultExpiryDays: 365,
        });
      },
    },
    {
      what: 'imported buckets with keys, and prefixes',
      build(app) {
        const stack = new Stack(app, 'Shop', { env: ENV });
        const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234';
        const attributes = { encryptionKey: Key.fromKeyArn(stack, 'Key', arn) };
        puzzlesIn(stack, {
          puzzleBucket: Bucket.fromBucketAttributes(stack, 'In', { bucketName: 'my-in', ...attributes }),
          resultsBucket: Bucket.fromBucketAttributes(stack, 'Out', { bucketName: 'my-out', ...attributes }),
          inboxPrefix: 'in/new/',
          scheduledPrefix: 'in/later/',
          resultsPrefix: 'solved/',
        });
      },
    },
    ...['strong', 'weak'].map((strength) => ({
      what: `buckets and keys of another stack, with ${strength} references`,
      context: { [REFERENCES]: strength },
      build(app: App) {
        const storage = new Stack(app, 'Storage');
        const encryptionKey = new Key(storage, 'Key', { enableKeyRotation: true });
        const puzzleBucket = bucketIn(storage, 'In', { encryptionKey });
        const resultsBucket = bucketIn(storage, 'Out', { encryptionKey });
        puzzlesIn(new Stack(app, 'Shop'), { puzzleBucket, resultsBucket });
      },
    })),
    {
      what: 'two instances',
      build(app) {
        const stack = new Stack(app, 'Shop');
        puzzlesIn(stack);
        new DlxBatch(stack, 'More');
      },
    },
  ])('finds nothing with $what', ({ context = {}, build }) => {
    const app = newApp(context, true);
    build(app);
    expect(findingsIn(app)).toEqual([]);
  });

  it('finds a wider wildcard in a role with a grant', () => {
    const app = newApp({}, true);
    const stack = new Stack(app, 'Shop');
    const { puzzleBucket } = puzzlesIn(stack);
    (stack.node.findChild('Clerk') as Role).addToPolicy(
      new PolicyStatement({ actions: ['s3:GetObject'], resources: [puzzleBucket.arnForObjects('*')] }),
    );
    expect(findingsIn(app)).toEqual([
      expect.stringMatching(
        /^AwsSolutions-IAM5\[Resource::<\w+\.Arn>\/\*\] at Shop\/Clerk\/DefaultPolicy\/Resource$/,
      ),
    ]);
  });
});
