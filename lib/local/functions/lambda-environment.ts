/** The environment variables of a function's process: what Lambda sets, what the stack gives, and nothing else. */
import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';

/** Access to the services, as the function's role gives it in the cloud. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What a function is, apart from how it is run. */
export interface FunctionConfiguration {
  /** Name of the function. */
  readonly name: string;
  /** Absolute path of the folder with its code: Lambda's /var/task. */
  readonly codeDir: string;
  /** File without its ending, a dot, and the exported name: `solve-batch.handler`. */
  readonly handler: string;
  readonly memoryMb: number;
  readonly region: string;
  readonly credentials: Credentials;
  /** The function's own variables. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Twelve digits, as an account has; this one is nobody's. */
export const LOCAL_ACCOUNT = '000000000000';

/** The function's name as the world knows it. */
export function functionArn(configuration: Pick<FunctionConfiguration, 'name' | 'region'>): string {
  return `arn:aws:lambda:${configuration.region}:${LOCAL_ACCOUNT}:function:${configuration.name}`;
}

function reservedVariables(
  configuration: FunctionConfiguration,
  runtimeApi: string,
  now: Date,
): Record<string, string> {
  const { name, region, credentials } = configuration;
  const day = now.toISOString().slice(0, 10).replaceAll('-', '/');
  return {
    _HANDLER: configuration.handler,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(configuration.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `${day}/[$LATEST]${randomBytes(16).toString('hex')}`,
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    LAMBDA_TASK_ROOT: configuration.codeDir,
  };
}

/**
 * All environment variables of one child.
 *
 * @param runtimeApi host and port of its Runtime API
 * @param now gives the log stream its date
 * @throws Error where the function's own variables have a name that Lambda keeps for itself, as Lambda does
 */
export function lambdaEnvironment(
  configuration: FunctionConfiguration,
  runtimeApi: string,
  now: Date,
): Record<string, string> {
  const reserved = reservedVariables(configuration, runtimeApi, now);
  for (const name of Object.keys(configuration.environment)) {
    if (Object.hasOwn(reserved, name)) {
      throw new Error(
        `Environment variable ${name} of function ${configuration.name} is set by Lambda: leave it out, it cannot be given`,
      );
    }
  }
  return {
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    // In the cloud there is no ~/.aws; here the developer's own must not change what the function does.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    ...configuration.environment,
    ...reserved,
  };
}
