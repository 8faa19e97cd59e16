/**
 * A proxy to an HTTP endpoint over a bad network. Each request has a fate, drawn from a seed:
 *
 *     refuse      the connection breaks before the request is read
 *     overload    503, as from an overloaded S3
 *     cut-request the endpoint receives only the first bytes of the body
 *     lose        the endpoint answers, and the connection breaks before the first byte of the response
 *     cut         the connection breaks after some byte of the response, of its headers too, by a reset or an end
 *     stall       the same, but the connection stays open and silent
 *     silence     the endpoint never receives the request, and the connection stays open
 *     late        the connection breaks at once, and the endpoint receives the request later
 *
 * Headers are not changed, so signatures stay valid.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordStack, runningStackAt } from '../../lib/local/running-stack.ts';

export const FATES = [
  'refuse',
  'overload',
  'cut-request',
  'lose',
  'cut',
  'stall',
  'silence',
  'late',
] as const;
export type Fate = (typeof FATES)[number] | 'good';

export interface FaultyProxy {
  readonly endpoint: string;
  /** The fates of the requests so far, as `cut PUT /bucket/key?x-id=PutObject`. */
  readonly fates: readonly string[];
  /** Changes the fates from now on. */
  setFate(fateOf: FateOf): void;
  /** Refuses connections until `up`, as an endpoint that is down. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** The fate of a request. @param line such as `PUT /bucket/key?x-id=PutObject` */
export type FateOf = (line: string, random: () => number) => Fate;

/** Each request fails with this probability, by a fate of the list. */
export function badShare(share: number, fates: readonly Fate[] = FATES): FateOf {
  return (_line, random) => (random() < share ? fates[Math.floor(random() * fates.length)]! : 'good');
}

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How long the endpoint receives a `late` request after its connection broke. */
const LATE_MS = 150;

/** @param target the endpoint; if it is a recorded local stack, the proxy is recorded with its keys */
export async function startFaultyProxy(target: string, seed: number, fateOf: FateOf): Promise<FaultyProxy> {
  const random = seededRandom(seed);
  const fates: string[] = [];
  let currentFate = fateOf;
  const sockets = new Set<Socket>();

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const line = `${incoming.method} ${incoming.url}`;
    const fate = currentFate(line, random);
    fates.push(`${fate} ${line}`);
    const { socket } = response;
    if (fate === 'refuse') return reset(incoming);
    if (fate === 'silence') return void incoming.resume();
    if (fate === 'overload') {
      incoming.resume();
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return;
    }
    if (fate === 'good') return forwardStream(target, incoming, response);
    const share = random();
    const body = await buffer(incoming).catch(() => undefined);
    // The client aborted the request.
    if (body === undefined) return;
    if (fate === 'late') {
      reset(incoming);
      await sleep(LATE_MS);
      await forward(target, incoming, body).catch(() => {});
      return;
    }
    if (fate === 'cut-request') {
      if (body.length > 0)
        await forward(target, incoming, body, Math.floor(share * body.length)).catch(() => {});
      return reset(incoming);
    }
    const raw = await forward(target, incoming, body).catch(() => undefined);
    if (raw === undefined || socket === null) return reset(incoming);
    if (fate === 'lose') return reset(incoming);
    // Half of the cuts are in the headers, which are short.
    const { head, content } = raw;
    const sent =
      share < 0.5 || content.length === 0
        ? head.subarray(0, Math.floor(random() * head.length))
        : Buffer.concat([head, content.subarray(0, Math.floor(random() * content.length))]);
    await new Promise((resolve) => socket.write(sent, resolve));
    if (fate === 'stall') return;
    // A reset discards bytes that the client has not read yet; an end does not.
    if (random() < 0.5) socket.end();
    else socket.resetAndDestroy();
  };

  let server: Server;
  let port = 0;
  const listen = async (): Promise<void> => {
    server = createServer((incoming, response) => {
      incoming.on('error', () => {});
      void answer(incoming, response);
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    });
    // Large uploads wait for it.
    server.on('checkContinue', (incoming: IncomingMessage, response: ServerResponse) => {
      incoming.on('error', () => {});
      response.writeContinue();
      void answer(incoming, response);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const unlisten = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen();
  const endpoint = `http://127.0.0.1:${port}`;
  const stack = runningStackAt(target);
  const forget = stack === undefined ? () => {} : recordStack({ ...stack, endpoint });
  let isUp = true;
  return {
    endpoint,
    fates,
    setFate(next) {
      currentFate = next;
    },
    async down() {
      isUp = false;
      await unlisten();
    },
    async up() {
      await listen();
      isUp = true;
    },
    async close() {
      forget();
      if (isUp) await unlisten();
    },
  };
}

function reset({ socket }: IncomingMessage): void {
  socket.resetAndDestroy();
}

/** Forwards without changes. */
function forwardStream(target: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const { expect: _, ...rest } = headers;
  const outgoing = request(new URL(url!, target), { method, headers: rest }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  outgoing.once('error', () => response.destroy());
  response.once('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Sends a request with a body, or with only its first bytes, and reads the response. */
async function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Uint8Array,
  bytes = body.length,
): Promise<{ readonly head: Buffer; readonly content: Buffer }> {
  const { expect: _, ...rest } = headers;
  const outgoing = request(new URL(url!, target), { method, headers: rest, agent: false });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  if (bytes < body.length) {
    outgoing.write(body.subarray(0, bytes), () => outgoing.destroy());
  } else outgoing.end(body);
  const [answer] = await answered;
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let k = 0; k < answer.rawHeaders.length; k += 2) {
    lines.push(`${answer.rawHeaders[k]}: ${answer.rawHeaders[k + 1]}`);
  }
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content: await buffer(answer) };
}
