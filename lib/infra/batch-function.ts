import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Tracing,
  Version,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { buildSync } from 'esbuild';
import { bundleOptions, type FunctionName } from '../../functions/bundle.ts';
import { writePrebuilt } from '../../functions/prebuilt.ts';
import { ENVIRONMENT, INBOX_PREFIX, SCHEDULED_PREFIX } from '../batch/names.ts';
import { acknowledgeWildcard } from './acknowledged-findings.ts';
import type { Instance } from './instance.ts';
import type { PuzzleBuckets } from './puzzle-buckets.ts';
import type { UploadQueue } from './upload-queue.ts';

/** Absolute path of the project, in a checkout. */
const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** An asset needs a folder that exists: what is deployed is only what `tryBundle` writes. */
const CODE_FOLDER = dirname(fileURLToPath(import.meta.url));

/** An instance with the parts that its functions work with. */
export type BatchInstance = Instance & {
  readonly buckets: PuzzleBuckets;
  readonly uploads: UploadQueue;
  /** The operator's limits, see `parseJobLimits`; the program's own are not in it. */
  readonly jobLimits: Readonly<Record<string, string>>;
};

export interface BatchFunctionProps {
  readonly name: FunctionName;
  readonly description: string;
  /** MiB; the vCPU share is proportional, one vCPU at 1,769. */
  readonly memoryMb: number;
  /** @default - that of the settings */
  readonly timeout?: Duration;
  /** @default - that of the account */
  readonly reservedConcurrency?: number;
  /** Variables in addition to those of every function. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * One function of the stack, with its own log group and its own role, which at first may only write that log.
 *
 * X-Ray is off by default: a trace of one function and S3 adds nothing to the report line and the metrics, and its
 * permission cannot be limited to resources of this stack.
 */
export class BatchFunction extends Construct {
  readonly name: FunctionName;
  readonly memoryMb: number;
  readonly function: LambdaFunction;
  readonly logGroup: LogGroup;
  readonly role: Role;
  #version: IVersion | undefined;

  constructor(scope: Construct, id: string, instance: Instance, props: BatchFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.memoryMb = props.memoryMb;
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: instance.logRetentionDays,
      encryptionKey: instance.encryptionKey,
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
      timeout: props.timeout ?? Duration.seconds(instance.timeoutSeconds),
      memorySize: props.memoryMb,
      reservedConcurrentExecutions: props.reservedConcurrency,
      logGroup: this.logGroup,
      tracing: instance.tracing ? Tracing.ACTIVE : undefined,
      environment: {
        [ENVIRONMENT.stackName]: instance.metricsName,
        ...props.environment,
        // The bundle is minified: stack traces name source lines only with its map. Reading the map takes about 20 ms
        // of a cold start of 170 ms; a stack is mapped when it is read, so expected errors cost nothing.
        NODE_OPTIONS: '--enable-source-maps',
      },
      // A deployment must not remove a version that running executions call.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    if (instance.tracing) acknowledgeWildcard(this.role, 'traces');
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
    acknowledgeWildcard(role, 'versions', `${this.function.functionArn}:*`);
  }
}

/** The variables of functions that write to the results bucket: its name, and prefixes that are not the default. */
export function bucketVariables({ buckets }: BatchInstance): Readonly<Record<string, string>> {
  const { inbox, scheduled, results } = buckets.prefixes;
  return {
    [ENVIRONMENT.resultsBucket]: buckets.results.bucketName,
    ...(results !== '' && { [ENVIRONMENT.resultsPrefix]: results }),
    ...(inbox !== INBOX_PREFIX && { [ENVIRONMENT.inboxPrefix]: inbox }),
    ...(scheduled !== SCHEDULED_PREFIX && { [ENVIRONMENT.scheduledPrefix]: scheduled }),
  };
}

/** Those of functions that solve. */
export function jobVariables(instance: BatchInstance): Readonly<Record<string, string>> {
  const hasLimits = Object.keys(instance.jobLimits).length > 0;
  return {
    ...bucketVariables(instance),
    ...(hasLimits && { [ENVIRONMENT.jobLimits]: JSON.stringify(instance.jobLimits) }),
  };
}

/**
 * The code of a function: in the package what its build made; in a checkout bundled now, with the options of
 * `functions/bundle.ts`: the same bundle that the local stack runs.
 *
 * The asset is named by the hash of its content, so a deployment without code changes uploads no code. esbuild runs in
 * this process during synthesis, without Docker or network; the package's users need not have it.
 *
 * @throws Error with esbuild's messages if the function does not build
 */
function bundledCode(name: FunctionName): Code {
  return Code.fromAsset(CODE_FOLDER, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK requires a fallback image; it is never pulled, as the local bundling never declines.
      image: DockerImage.fromRegistry('local-bundling-only'),
      // Never run; but the CDK treats assets of one folder with the same command as one asset.
      command: [name],
      local: {
        tryBundle(outDir) {
          if (writePrebuilt(name, outDir)) return true;
          const esbuild: { readonly buildSync: typeof buildSync } = createRequire(import.meta.url)('esbuild');
          esbuild.buildSync(bundleOptions(name, PROJECT_ROOT, outDir));
          return true;
        },
      },
    },
  });
}
