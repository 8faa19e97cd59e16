import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Tracing,
  Version,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName } from '../../functions/bundle.ts';
import { ENVIRONMENT, INBOX_PREFIX, SCHEDULED_PREFIX } from '../batch/names.ts';
import { acknowledgeTracing, acknowledgeVersions } from './acknowledged-findings.ts';
import { bundledCode } from './bundled-code.ts';
import type { PuzzleBuckets } from './puzzle-buckets.ts';

/** Settings of every function of the stack. */
export interface FunctionSettings {
  /** Value of the dimension of metrics that separates instances. */
  readonly metricsName: string;
  readonly timeout: Duration;
  readonly logRetention: RetentionDays;
  /** Whether X-Ray traces invocations. */
  readonly tracing: boolean;
  /**
   * Key of the log.
   * @default - keys of CloudWatch Logs
   */
  readonly encryptionKey?: IKey;
}

/** Settings of the functions that work with puzzle files or their results. */
export interface PuzzleFunctionSettings extends FunctionSettings {
  readonly buckets: PuzzleBuckets;
  /**
   * The operator's limits, see `parseJobLimits`.
   * @default - the program's own
   */
  readonly jobLimits?: Readonly<Record<string, string>>;
}

export interface BatchFunctionProps extends FunctionSettings {
  readonly name: FunctionName;
  readonly description: string;
  /** MiB; the vCPU share is proportional, one vCPU at 1,769. */
  readonly memoryMb: number;
  /**
   * Their results bucket is passed to the function.
   * @default - the function uses no bucket
   */
  readonly buckets?: PuzzleBuckets;
  /** @default - the program's own */
  readonly jobLimits?: Readonly<Record<string, string>>;
  /** @default - that of the account */
  readonly reservedConcurrency?: number;
  /** Variables in addition to those of every function. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * One function of the stack, with its own log group and its own role, which at first may only write that log.
 *
 * X-Ray is off by default: a trace of one function and S3 adds nothing to the report line and the metrics, and its
 * permission cannot be limited to resources of this stack.
 */
export class BatchFunction extends Construct {
  readonly name: FunctionName;
  readonly timeout: Duration;
  readonly memoryMb: number;
  readonly function: LambdaFunction;
  readonly logGroup: LogGroup;
  readonly role: Role;
  #version: IVersion | undefined;

  constructor(scope: Construct, id: string, props: BatchFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.timeout = props.timeout;
    this.memoryMb = props.memoryMb;
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention,
      encryptionKey: props.encryptionKey,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Not the default role: its managed policy may write to every log group.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);

    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundledCode(props.name),
      handler: `${props.name}.handler`,
      role: this.role,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      reservedConcurrentExecutions: props.reservedConcurrency,
      logGroup: this.logGroup,
      tracing: props.tracing ? Tracing.ACTIVE : undefined,
      environment: {
        [ENVIRONMENT.stackName]: props.metricsName,
        ...(props.buckets && bucketVariables(props.buckets)),
        ...(Object.keys(props.jobLimits ?? {}).length > 0 && {
          [ENVIRONMENT.jobLimits]: JSON.stringify(props.jobLimits),
        }),
        ...props.environment,
        // The bundle is minified: stack traces name source lines only with its map. Reading the map takes about 20 ms
        // of a cold start of 170 ms; a stack is mapped when it is read, so expected errors cost nothing.
        NODE_OPTIONS: '--enable-source-maps',
      },
      // A deployment must not remove a version that running executions call.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    if (props.tracing) acknowledgeTracing(this.role);
  }

  /**
   * The version that this deployment publishes, for the definition of a state machine. An execution keeps its
   * definition, so it calls the same versions until it ends and after a redrive, even if another program is deployed.
   *
   * Its ARN is the one that `Ref` of the version gives, composed of the function's ARN and the number, so that Lambda
   * emulators without versions find the function in it.
   */
  get version(): IVersion {
    const { function: lambda } = this;
    this.#version ??= Version.fromVersionAttributes(this, 'Version', {
      lambda,
      version: lambda.currentVersion.version,
    });
    return this.#version;
  }

  /**
   * Lets the role of a state machine call all versions: executions that started before the newest deployment call older
   * versions, and those that started before versions existed call the function without one.
   */
  grantInvokeVersions(role: Role): void {
    this.function.grantInvoke(role);
    acknowledgeVersions(role, this.function);
  }
}

/** The results bucket, and prefixes that are not the default. */
function bucketVariables({ results, prefixes }: PuzzleBuckets): Readonly<Record<string, string>> {
  const { inbox, scheduled } = prefixes;
  return {
    [ENVIRONMENT.resultsBucket]: results.bucketName,
    ...(prefixes.results !== '' && { [ENVIRONMENT.resultsPrefix]: prefixes.results }),
    ...(inbox !== INBOX_PREFIX && { [ENVIRONMENT.inboxPrefix]: inbox }),
    ...(scheduled !== SCHEDULED_PREFIX && { [ENVIRONMENT.scheduledPrefix]: scheduled }),
  };
}
