/**
 * The subset of AWS's JSON-over-HTTP APIs that the project uses, for the real SDK: a request names its operation in the
 * header X-Amz-Target. Unsupported operations and parameters are rejected by name.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from './http-server.ts';
import { refusalOf } from './own-requests.ts';
import { type SigningCredentials, verifyBodySignature } from './s3/http/auth/signature.ts';
import { S3Error, type S3ErrorCode } from './s3/http/errors.ts';
import { parseRequest } from './s3/http/request.ts';

export type RequestParameters = Readonly<Record<string, unknown>>;

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
  /** Names of the supported parameters. */
  readonly parameters: readonly string[];
  /** The permission that it needs. */
  readonly action: string;
  /** ARN of what it needs the permission for. */
  resource(given: RequestParameters): string;
  /** Condition keys of the request. @default none of its own */
  context?(given: RequestParameters): Readonly<Record<string, string>>;
  /** @throws JsonApiError returned to the client */
  run(given: RequestParameters): object;
}

export interface JsonService {
  /** Prefix of its targets, such as `AWSStepFunctions.` */
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

export interface JsonEndpoint {
  /** `http://127.0.0.1:12345` */
  readonly url: string;
  close(): Promise<void>;
}

export function isJsonRequest({ headers }: IncomingMessage): boolean {
  return headers['x-amz-target'] !== undefined;
}

/** Listens on a free loopback port for programs of this machine; clients must sign with these keys. */
export async function startJsonEndpoint(
  services: readonly JsonService[],
  credentials: JsonAccess,
): Promise<JsonEndpoint> {
  const server = createServer((incoming, response) => {
    const refusal = refusalOf(incoming);
    if (refusal === undefined) return respondJson(services, credentials, incoming, response);
    incoming.resume();
    send(response, refusal.status, { __type: 'AccessDeniedException', message: refusal.message });
  });
  const { address, port } = await listen(server, 0, '127.0.0.1');
  return { url: `http://${address}:${port}`, close: () => closeServer(server) };
}

/** Answers one request; never throws, and drops the connection if the client disconnects. */
export function respondJson(
  services: readonly JsonService[],
  credentials: JsonAccess,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  respond(services, credentials, incoming, response).catch(() => response.destroy());
}

async function respond(
  services: readonly JsonService[],
  credentials: JsonAccess,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let status = 200;
  let body: object;
  try {
    body = operate(services, credentials, incoming, await bodyOf(incoming));
  } catch (error) {
    const known = error instanceof JsonApiError;
    status = known ? 400 : 500;
    body = { __type: known ? error.name : 'InternalServerError', message: (error as Error).message };
  }
  send(response, status, body);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Content-Type-Options': 'nosniff',
    'x-amzn-RequestId': randomUUID(),
  });
  response.end(JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) throw new JsonApiError('ValidationException', 'The request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function operate(
  services: readonly JsonService[],
  credentials: JsonAccess,
  incoming: IncomingMessage,
  body: string,
): object {
  const target = String(incoming.headers['x-amz-target']);
  const service = services.find((candidate) => target.startsWith(candidate.target));
  const role = service === undefined ? undefined : authenticate(incoming, body, service, credentials);
  const name = target.slice(service?.target.length);
  const operation =
    service !== undefined && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (operation === undefined) {
    throw new JsonApiError('UnknownOperationException', `The local stack does not implement ${target}`);
  }
  const given = parameters(body);
  for (const parameter of Object.keys(given)) {
    if (operation.parameters.includes(parameter)) continue;
    throw new JsonApiError(
      'ValidationException',
      `The local stack does not implement parameter ${parameter} of ${name}`,
    );
  }
  const { action } = operation;
  const resource = operation.resource(given);
  if (credentials.isAllowed?.(role, action, resource, operation.context?.(given)) === false) {
    throw new JsonApiError(
      'AccessDeniedException',
      `The role of this function has no permission for ${action} on ${resource}`,
    );
  }
  return operation.run(given);
}

/** The errors of signatures, by the names that S3 gives them; all others are InvalidSignatureException. */
const SIGNATURE_ERRORS: Readonly<Partial<Record<S3ErrorCode, string>>> = {
  AuthorizationHeaderMalformed: 'IncompleteSignatureException',
  InvalidAccessKeyId: 'UnrecognizedClientException',
};

/** @returns the role that signed; undefined for the owner @throws JsonApiError if the signature is missing or wrong */
function authenticate(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  body: string,
  { signingName }: JsonService,
  credentials: SigningCredentials,
): string | undefined {
  try {
    const request = parseRequest(method, url, rawHeaders);
    return verifyBodySignature(request, body, signingName, credentials, Date.now()).role;
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new JsonApiError(SIGNATURE_ERRORS[error.code] ?? 'InvalidSignatureException', error.message);
  }
}

function parameters(body: string): RequestParameters {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw new JsonApiError('SerializationException', 'The request is not JSON');
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as RequestParameters;
  throw new JsonApiError('SerializationException', 'The request is not a JSON object');
}

/** A parameter that must be a string. @throws JsonApiError ValidationException */
export function stringParameter(given: RequestParameters, name: string): string {
  const value = given[name];
  if (typeof value === 'string') return value;
  throw new JsonApiError('ValidationException', `${name} is ${JSON.stringify(value)}: expected a string`);
}
