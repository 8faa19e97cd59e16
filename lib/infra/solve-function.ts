import { type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BATCH_SIZE, MAX_RECEIVES } from '../batch/limits.ts';
import { ENVIRONMENT, INBOX_PREFIX } from '../batch/names.ts';
import { bundledCode } from './bundled-code.ts';
import { type PuzzleBuckets, SOLVER_PREFIXES } from './puzzle-buckets.ts';

export interface SolveFunctionProps {
  readonly buckets: PuzzleBuckets;
  /** Messages to work on, one upload each. */
  readonly queue: IQueue;
  readonly timeout: Duration;
  /** MiB; the share of a vCPU grows with it, one whole vCPU at 1,769. */
  readonly memoryMb: number;
  /** Most invocations at one time, 2 to 1,000. */
  readonly maxConcurrency: number;
  readonly logRetention: RetentionDays;
  /** Options of every job, where its upload does not ask for others: texts by name. */
  readonly defaultOptions: Readonly<Record<string, string>>;
}

/**
 * The function that solves: a message in, a committed result set out.
 *
 * Concurrency is bounded where messages are fetched (`maxConcurrency`), not where functions start: with reserved
 * concurrency the poller would go on fetching, be throttled, and use up a message's receives for nothing.
 *
 * X-Ray is left off: a trace of one function and S3 says no more than the report line and the metrics, and its
 * permission could not be narrowed to anything of this stack.
 */
export class SolveFunction extends Construct {
  readonly function: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: SolveFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of its own: the managed policy that comes with the default one may write to every log group.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);

    this.function = new LambdaFunction(this, 'Function', {
      description: 'Solves the puzzles of one uploaded file and writes the result set',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundledCode('solve-batch'),
      handler: 'solve-batch.handler',
      role,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      logGroup: this.logGroup,
      environment: {
        [ENVIRONMENT.resultsBucket]: props.buckets.results.bucketName,
        [ENVIRONMENT.defaultOptions]: JSON.stringify(props.defaultOptions),
        [ENVIRONMENT.maxReceives]: String(MAX_RECEIVES),
        // The bundle is minified: stack traces name lines of the source only with its map. Reading that map takes
        // some 20 ms of a cold start of 170; a stack is mapped when it is looked at, so expected errors cost nothing.
        NODE_OPTIONS: '--enable-source-maps',
      },
    });
    this.function.addEventSource(
      new SqsEventSource(props.queue, {
        batchSize: BATCH_SIZE,
        maxConcurrency: props.maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );

    props.buckets.grantReadUploads(role);
    props.buckets.grantWriteResults(role);
    acknowledgeWildcard(role, props.buckets.input, INBOX_PREFIX);
    for (const prefix of SOLVER_PREFIXES) acknowledgeWildcard(role, props.buckets.results, prefix);
  }
}

/** Names the one finding, so that any wider wildcard is still found. */
function acknowledgeWildcard(role: Role, bucket: Bucket, prefix: string): void {
  const logicalId = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}*]`,
    reason: `Keys under ${prefix} are made from the names of the uploaded files, so they cannot be listed here.`,
  });
}
