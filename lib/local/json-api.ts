/**
 * The subset of AWS's APIs other than S3's that the project uses, for the real SDK. Unsupported operations and parameters
 * are rejected by name. `service-request.ts` has the three ways in which a request names its operation.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from './http-server.ts';
import { refusalOf } from './own-requests.ts';
import { type SigningCredentials, verifyBodySignature } from './s3/http/auth/signature.ts';
import { S3Error, type S3ErrorCode } from './s3/http/errors.ts';
import { parseRequest } from './s3/http/request.ts';
import { formAnswer, isForm, readServiceCall, type ServiceCall } from './service-request.ts';

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
  /** Method and path, in a service without targets: `GET /schedules/(?<Name>[^/]+)`; its groups are parameters. */
  readonly path?: RegExp;
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
  /** Prefix of its targets, such as `AWSStepFunctions.`; none if requests name operations otherwise. */
  readonly target?: string;
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
  let text = '';
  let body: object;
  try {
    text = await bodyOf(incoming);
    body = operate(services, credentials, incoming, text);
  } catch (error) {
    const known = error instanceof JsonApiError;
    status = known ? 400 : 500;
    body = { __type: known ? error.name : 'InternalServerError', message: (error as Error).message };
  }
  send(response, status, body, isForm(incoming) ? text : undefined);
}

function send(response: ServerResponse, status: number, body: object, form?: string): void {
  const requestId = randomUUID();
  response.writeHead(status, {
    'Content-Type': form === undefined ? 'application/x-amz-json-1.0' : 'text/xml',
    'X-Content-Type-Options': 'nosniff',
    'x-amzn-RequestId': requestId,
  });
  response.end(form === undefined ? JSON.stringify(body) : formAnswer(form, body, requestId));
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
  const call = readServiceCall(incoming, body);
  const candidates = services.filter((service) => isCallOf(service, call));
  const role = candidates[0] && authenticate(incoming, body, candidates[0], credentials);
  const [name, operation, inPath] = findOperation(candidates, call);
  const given = { ...parametersIn(call, body), ...inPath };
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

function isCallOf({ target, signingName }: JsonService, call: ServiceCall): boolean {
  if (call.target === undefined) return target === undefined && signingName === call.signingName;
  return target !== undefined && call.target.startsWith(target);
}

/** @returns name, operation and the parameters in the path @throws JsonApiError UnknownOperationException */
function findOperation(
  services: readonly JsonService[],
  { target, action, route, signingName }: ServiceCall,
): [string, JsonOperation, RequestParameters?] {
  for (const service of services) {
    const name = target?.slice(service.target?.length) ?? action;
    for (const [found, operation] of Object.entries(service.operations)) {
      const match = name === undefined ? operation.path?.exec(route) : null;
      if (found === name || match) return [found, operation, match?.groups];
    }
  }
  throw new JsonApiError(
    'UnknownOperationException',
    `The local stack does not implement ${target ?? `${action ?? route} of ${signingName}`}`,
  );
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

function parametersIn({ parameters }: ServiceCall, body: string): RequestParameters {
  if (parameters !== undefined) return parameters;
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
