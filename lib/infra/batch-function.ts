import { type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Version,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName } from '../../functions/bundle.ts';
import { ENVIRONMENT } from '../batch/names.ts';
import { acknowledgeVersions } from './acknowledged-findings.ts';
import { bundledCode } from './bundled-code.ts';
import type { PuzzleBuckets } from './puzzle-buckets.ts';

/** What holds for every function of the stack. */
export interface FunctionSettings {
  readonly timeout: Duration;
  readonly logRetention: RetentionDays;
}

/** What holds for those that work with puzzle files or their results. */
export interface PuzzleFunctionSettings extends FunctionSettings {
  readonly buckets: PuzzleBuckets;
}

export interface BatchFunctionProps extends FunctionSettings {
  readonly name: FunctionName;
  readonly description: string;
  /** MiB; the share of a vCPU grows with it, one whole vCPU at 1,769. */
  readonly memoryMb: number;
  /**
   * Of these it is told the results bucket.
   * @default - it works with no bucket
   */
  readonly buckets?: PuzzleBuckets;
  /** Variables beside those that every function has. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * One function of the stack, with a log and a role of its own that may do nothing yet but write that log.
 *
 * X-Ray is left off: a trace of one function and S3 says no more than the report line and the metrics, and its
 * permission could not be narrowed to anything of this stack.
 */
export class BatchFunction extends Construct {
  readonly function: LambdaFunction;
  readonly logGroup: LogGroup;
  readonly role: Role;
  #version: IVersion | undefined;

  constructor(scope: Construct, id: string, props: BatchFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of its own: the managed policy that comes with the default one may write to every log group.
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
      logGroup: this.logGroup,
      environment: {
        [ENVIRONMENT.stackName]: Stack.of(this).stackName,
        ...(props.buckets && { [ENVIRONMENT.resultsBucket]: props.buckets.results.bucketName }),
        ...props.environment,
        // The bundle is minified: stack traces name lines of the source only with its map. Reading that map takes
        // some 20 ms of a cold start of 170; a stack is mapped when it is looked at, so expected errors cost nothing.
        NODE_OPTIONS: '--enable-source-maps',
      },
      // A deployment must not take a version from the executions that call it.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
  }

  /**
   * The version that this deployment publishes, for the definition of a state machine: an execution keeps its definition,
   * and so calls the same versions to its end and after a redrive, whatever is deployed meanwhile.
   *
   * It has the ARN that `Ref` of the version gives, composed of the function's ARN and the number: emulators of Lambda
   * that know functions and no versions find the function in it.
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
   * Lets the role of a state machine call all versions: executions that began before the newest deployment call older
   * ones, and those that began before there were versions call the function without one.
   */
  grantInvokeVersions(role: Role): void {
    this.function.grantInvoke(role);
    acknowledgeVersions(role, this.function);
  }
}
