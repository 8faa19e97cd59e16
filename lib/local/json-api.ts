/**
 * The subset of AWS's APIs other than S3's that the project uses, for the real SDK, in its JSON protocol: the header
 * `X-Amz-Target: AmazonSQS.ReceiveMessage` names the operation. Unsupported operations and parameters are rejected by name.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { readText } from './s3/body.ts';
import { S3Error } from './s3/errors.ts';
import type { S3Response } from './s3/operation.ts';
import type { S3Request } from './s3/request.ts';
import { type SigningCredentials, verifySignature } from './s3/signature.ts';

/** Fits an execution's input, or a batch of ten messages, with its JSON envelope. */
const MAX_REQUEST_BYTES = 1_100_000;

/** Keys of the callers, and what they may do. */
export interface JsonAccess extends SigningCredentials {
  /** @param role undefined for the owner @param resource ARN @default everything is allowed */
  readonly isAllowed?: (
    role: string | undefined,
    action: string,
    resource: string,
    context?: Readonly<Record<string, string>>,
  ) => boolean;
}

export interface JsonOperation {
  /** The permission that it needs. */
  readonly action: string;
  /** The supported parameters; others are refused by name. */
  readonly parameters: z.ZodType;
  /** ARN of what it needs the permission for. */
  resource(given: unknown): string;
  /** @throws JsonApiError returned to the client */
  run(given: unknown): object;
  /** Condition keys of the request. @default none of its own */
  context?(given: unknown): Readonly<Record<string, string>>;
}

/** An operation whose functions take what its parameters are parsed to. */
export function operation<Schema extends z.ZodType>(
  action: string,
  parameters: Schema,
  resource: (given: z.output<Schema>) => string,
  run: (given: z.output<Schema>) => object,
  context?: (given: z.output<Schema>) => Readonly<Record<string, string>>,
): JsonOperation {
  return { action, parameters, resource, run, context } as JsonOperation;
}

export interface JsonService {
  /** Prefix of its targets, such as `AWSStepFunctions.`. */
  readonly target: string;
  /** Name of the service in the scope of a signature, such as `states`. */
  readonly signingName: string;
  readonly operations: Readonly<Record<string, JsonOperation>>;
}

export class JsonApiError extends Error {
  /** @param type name of the API's exception, such as `ExecutionAlreadyExists` */
  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

/**
 * Answers a request for one of the services.
 *
 * @returns undefined for a request without a target; the promise never rejects
 */
export function respondJson(
  services: readonly JsonService[],
  access: JsonAccess,
  request: S3Request,
  incoming: AsyncIterable<Uint8Array>,
): Promise<S3Response> | undefined {
  const target = request.headers.get('x-amz-target');
  if (target === undefined) return undefined;
  return operate(services, access, request, target, incoming).then(
    (body) => jsonResponse(200, body),
    (error: Error) => {
      const isKnown = error instanceof JsonApiError;
      const type = isKnown ? error.name : 'InternalServerError';
      return jsonResponse(isKnown ? 400 : 500, { __type: type, message: error.message });
    },
  );
}

function jsonResponse(status: number, body: object): S3Response {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(body) };
}

async function operate(
  services: readonly JsonService[],
  access: JsonAccess,
  request: S3Request,
  target: string,
  incoming: AsyncIterable<Uint8Array>,
): Promise<object> {
  const [prefix = '', name = ''] = target.split(/(?<=\.)/);
  const service = services.find((each) => each.target === prefix);
  const caller = service && (await authenticated(request, incoming, service.signingName, access));
  const operation = service && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (caller === undefined || operation === undefined) {
    throw new JsonApiError('UnknownOperationException', `The local stack does not implement ${target}`);
  }
  const given = parametersIn(caller.text, name, operation.parameters);
  const { action } = operation;
  const resource = operation.resource(given);
  if (access.isAllowed?.(caller.role, action, resource, operation.context?.(given)) !== false) {
    return operation.run(given);
  }
  throw new JsonApiError(
    'AccessDeniedException',
    `The role of this function has no permission for ${action} on ${resource}`,
  );
}

/** @returns the body, and the role that signed it, undefined for the owner @throws JsonApiError */
async function authenticated(
  request: S3Request,
  incoming: AsyncIterable<Uint8Array>,
  service: string,
  credentials: SigningCredentials,
): Promise<{ readonly role: string | undefined; readonly text: string }> {
  try {
    const text = await readText(incoming, MAX_REQUEST_BYTES);
    const payloadHash = createHash('sha256').update(text).digest('hex');
    const { role } = verifySignature(request, credentials, Date.now(), { service, payloadHash });
    return { role, text };
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new JsonApiError('InvalidSignatureException', error.message);
  }
}

/** @throws JsonApiError ValidationException, and as the schema does */
function parametersIn(text: string, name: string, schema: z.ZodType): unknown {
  let parsed: z.ZodSafeParseResult<unknown>;
  try {
    parsed = schema.safeParse(JSON.parse(text));
  } catch (error) {
    if (error instanceof JsonApiError) throw error;
    throw new JsonApiError('ValidationException', 'The request, or a text in it, is not JSON');
  }
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error);
  throw new JsonApiError('ValidationException', `The local stack does not accept this ${name}: ${problem}`);
}
