/** A server of services with the JSON protocol, as the local stack answers them at its port. */
import { createServer } from 'node:http';
import { closeServer, listen } from '../../lib/local/http-server.ts';
import { type JsonAccess, type JsonService, respondJson } from '../../lib/local/json-api.ts';
import { parseRequest } from '../../lib/local/s3/request.ts';

export interface JsonEndpoint {
  /** `http://127.0.0.1:12345` */
  readonly url: string;
  close(): Promise<void>;
}

export async function startJsonEndpoint(
  services: readonly JsonService[],
  access: JsonAccess,
): Promise<JsonEndpoint> {
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', rawHeaders } = incoming;
    const answer = await respondJson(services, access, parseRequest(method, url, rawHeaders), incoming);
    response.writeHead(answer?.status ?? 404, { ...answer?.headers }).end(answer?.body);
  });
  const { port } = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}
