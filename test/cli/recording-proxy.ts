/** A proxy that records the requests to an endpoint. It changes nothing, so signatures stay valid. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordStack, runningStackAt } from '../../lib/local/running-stack.ts';

export interface RecordingProxy {
  readonly endpoint: string;
  /** `PUT /bucket/key?partNumber=1 200` for each answered request. */
  readonly answered: readonly string[];
  /** Resolves when a matching request is answered. */
  has(pattern: RegExp): Promise<void>;
  close(): void;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const answered: string[] = [];
  const waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = [];
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const outgoing = request(new URL(url!, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.once('end', () => {
        const line = `${method} ${url} ${answer.statusCode}`;
        answered.push(line);
        for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve();
      });
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forget = recordProxy(endpoint, target);
  return {
    endpoint,
    answered,
    has: (pattern) => new Promise((resolve) => waiting.push({ pattern, resolve })),
    close() {
      forget();
      server.close();
    },
  };
}

/** Records a proxy of a recorded stack, so that commands find its keys. @returns a function that removes the record */
export function recordProxy(endpoint: string, target: string): () => void {
  const stack = runningStackAt(target);
  return stack === undefined ? () => {} : recordStack({ ...stack, endpoint });
}
