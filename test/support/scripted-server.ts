/** An HTTP server that answers each request as the test says: what a network does to S3's answers. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { selfSigned } from './self-signed.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

export interface ScriptedServer {
  readonly endpoint: string;
  /** Every request so far, as `GET /bucket/key?x-id=GetObject`, with its headers. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[];
}

/** Starts a server for one test. @param answers to the requests in order; the last one is also for all that follow */
export function scriptedServer(...answers: readonly Answer[]): Promise<ScriptedServer> {
  return listen('http', createServer(), answers);
}

/** The same over TLS, with a certificate that this process accepts until `vi.unstubAllEnvs`. */
export function scriptedTlsServer(...answers: readonly Answer[]): Promise<ScriptedServer> {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  return listen('https', createTlsServer(selfSigned()), answers);
}

async function listen(
  scheme: 'http' | 'https',
  server: ReturnType<typeof createServer>,
  answers: readonly Answer[],
): Promise<ScriptedServer> {
  const requests: ScriptedServer['requests'] = [];
  server.on('request', (request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    answers[Math.min(requests.length, answers.length) - 1]!(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Never answers. */
export const SILENCE: Answer = () => {};

/** Passes a request on, and the answer back. @param target URL of the other server */
export const forwarded =
  (target: () => string): Answer =>
  (response, incoming) => {
    const { method, headers, url } = incoming;
    const outgoing = request(new URL(url!, target()), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };

/** An object, or the range of it that is asked for; the answer stops after `sent` bytes, and then `stop` happens. */
export function objectAnswer(
  object: Uint8Array,
  sent?: number,
  stop?: (response: ServerResponse) => void,
): Answer {
  return (response, { headers }) => {
    const [, from = '0', to = String(object.length - 1)] =
      /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const bytes = object.subarray(Number(from), Number(to) + 1);
    response.writeHead(headers.range === undefined ? 200 : 206, {
      'content-length': bytes.length,
      'content-range': `bytes ${from}-${to}/${object.length}`,
      etag: '"an-etag"',
      'x-amz-version-id': 'a-version',
    });
    if (sent === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, sent), () => stop?.(response));
  };
}
