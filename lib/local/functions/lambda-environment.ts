/** The environment variables of a function's process: Lambda's, the stack's, and no others. */
import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import type { Credentials } from '../s3/signature.ts';
import { LOCAL_ACCOUNT } from '../stack-names.ts';

/** Configuration of a function, without its limits at run time. */
export interface FunctionConfiguration {
  readonly name: string;
  /** @default $LATEST */
  readonly version?: string;
  /** Absolute path of the folder with its code: Lambda's /var/task. */
  readonly codeDir: string;
  /** File name without extension, a dot, and the exported name: `solve-batch.handler`. */
  readonly handler: string;
  readonly memoryMb: number;
  readonly region: string;
  /** For the local services; in AWS the function's role provides them. */
  readonly credentials: Credentials;
  /** The function's own variables. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The version of an ARN that names none. */
export const LATEST_VERSION = '$LATEST';

/** ARN of a function, with its version if it has one. */
export function functionArn({
  name,
  version,
  region,
}: Pick<FunctionConfiguration, 'name' | 'version' | 'region'>): string {
  const arn = `arn:aws:lambda:${region}:${LOCAL_ACCOUNT}:function:${name}`;
  return version === undefined ? arn : `${arn}:${version}`;
}

/** Name and version of the function that an ARN names. */
export function parseFunctionArn(arn: string): Pick<FunctionConfiguration, 'name' | 'version'> {
  const [name = '', version] = arn.split(':').slice(6);
  return { name, version };
}

/**
 * All environment variables of one child.
 *
 * @param now date of the log stream
 */
export function lambdaEnvironment(configuration: FunctionConfiguration, now: Date): Record<string, string> {
  const { name, version = LATEST_VERSION, region, credentials } = configuration;
  const day = now.toISOString().slice(0, 10).replaceAll('-', '/');
  return {
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    // Lambda has no ~/.aws; the developer's own must not affect the function.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    ...configuration.environment,
    _HANDLER: configuration.handler,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(configuration.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: version,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `${day}/[${version}]${randomBytes(16).toString('hex')}`,
    LAMBDA_TASK_ROOT: configuration.codeDir,
  };
}
