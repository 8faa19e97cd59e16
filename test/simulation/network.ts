/**
 * The network of a world: Node's own HTTP clients and servers, connected by simulated sockets.
 *
 * A process keeps its connections, and uses each for one request at a time. Bytes take time, stay in order within a
 * connection and are in no order between connections. A connection may be refused, reset, stalled, cut after any byte, or
 * closed by the other end while it is idle.
 */
import { Agent, type ClientRequest, type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Faults } from './faults.ts';
import { activeWorld, currentProcess, type SimulatedProcess, type World } from './world.ts';

/** What happens to a connection after some bytes in one direction. */
export interface ConnectionFault {
  readonly direction: 'request' | 'response';
  readonly afterBytes: number;
  readonly kind: 'reset' | 'stall';
}

interface Listener {
  readonly server: Server;
  readonly owner: SimulatedProcess | undefined;
}

export class Network {
  readonly world: World;
  readonly faults: Faults;
  /** Called for each request that arrives. */
  readonly onRequest = new Set<(url: string) => void>();
  readonly #listeners = new Map<number, Listener>();
  readonly #idle = new WeakMap<SimulatedProcess, Map<number, SimulatedSocket[]>>();
  readonly #sockets = new Set<SimulatedSocket>();
  /** When clients gave up a PUT that was not answered, by its path. */
  readonly abandoned = new Map<string, number>();
  #ports = 20_000;

  constructor(world: World, faults: Faults) {
    this.world = world;
    this.faults = faults;
  }

  /** @returns the port */
  listen(server: Server, port: number): number {
    const owner = currentProcess();
    const taken = port === 0 ? this.#ports++ : port;
    if (this.#listeners.has(taken)) throw Object.assign(new Error('EADDRINUSE'), { code: 'EADDRINUSE' });
    this.#listeners.set(taken, { server, owner });
    owner?.onEnd.push(() => this.close(server));
    this.world.after(0, owner, () => server.emit('listening'));
    return taken;
  }

  close(server: Server): void {
    for (const [port, listener] of this.#listeners)
      if (listener.server === server) this.#listeners.delete(port);
    // Node checks the connections of a server twice a minute by the real clock, and so keeps the server.
    const checks = Object.getOwnPropertySymbols(server).find(
      ({ description }) => description === 'http.server.connectionsCheckingInterval',
    )!;
    clearInterval((server as unknown as Record<symbol, NodeJS.Timeout>)[checks]);
  }

  forget(socket: SimulatedSocket): void {
    this.#sockets.delete(socket);
  }

  /** Closes the parsers of open connections, after the world has ended: Node keeps each, and all that it refers to. */
  end(): void {
    for (const socket of this.#sockets) socket.parser?.close();
    this.#sockets.clear();
  }

  /** Kills a process at a call to another one. */
  killAtCall(owner: SimulatedProcess | undefined): void {
    if (owner?.alive === true && this.faults.kills(owner)) owner.end();
  }

  /** A connection for a request of the current process: an idle one, or a new one. */
  connect(port: number): { readonly socket: SimulatedSocket; readonly isReused: boolean } {
    const owner = currentProcess();
    this.killAtCall(owner);
    if (owner !== undefined) this.faults.pause(owner);
    const idle = owner === undefined ? undefined : this.#idleOf(owner, port).pop();
    if (idle !== undefined) {
      // The other end has closed it, and this end does not know.
      const isClosed = this.faults.happens('closed idle connection', 0.05);
      idle.renew(
        isClosed ? { direction: 'request', afterBytes: 0, kind: 'reset' } : this.faults.connectionFault(),
      );
      return { socket: idle, isReused: true };
    }
    return { socket: this.#open(port, owner), isReused: false };
  }

  /** Keeps a connection for the next request of its process. */
  keep(socket: SimulatedSocket, port: number): void {
    const { owner } = socket;
    if (owner?.alive !== true || socket.destroyed || !socket.writable) return;
    const idle = this.#idleOf(owner, port);
    idle.push(socket);
    socket.once('close', () => {
      const index = idle.indexOf(socket);
      if (index >= 0) idle.splice(index, 1);
    });
    socket.on('error', () => {});
  }

  #idleOf(owner: SimulatedProcess, port: number): SimulatedSocket[] {
    const byPort = this.#idle.get(owner) ?? new Map<number, SimulatedSocket[]>();
    this.#idle.set(owner, byPort);
    const sockets = byPort.get(port) ?? [];
    byPort.set(port, sockets);
    return sockets;
  }

  #open(port: number, owner: SimulatedProcess | undefined): SimulatedSocket {
    const { world } = this;
    const client = new SimulatedSocket(this, owner, 'request');
    this.#sockets.add(client);
    client.renew(this.faults.connectionFault());
    const delayMs = this.faults.latencyMs();
    client.readyAtMs = world.nowMs + delayMs;
    world.after(delayMs, client.owner, () => {
      const listener = this.#listeners.get(port);
      if (listener === undefined) {
        const error = Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), {
          code: 'ECONNREFUSED',
          syscall: 'connect',
        });
        client.destroy(error);
        return;
      }
      const server = new SimulatedSocket(this, listener.owner, 'response');
      this.#sockets.add(server);
      client.peer = server;
      server.peer = client;
      server.renew(client.fault);
      server.connecting = false;
      listenerSockets(listener.server).add(server);
      server.once('close', () => listenerSockets(listener.server).delete(server));
      world.runAs(listener.owner, () => listener.server.emit('connection', server));
      client.connecting = false;
      client.emit('connect');
    });
    return client;
  }
}

const sockets = new WeakMap<Server, Set<SimulatedSocket>>();

function listenerSockets(server: Server): Set<SimulatedSocket> {
  const found = sockets.get(server) ?? new Set();
  sockets.set(server, found);
  return found;
}

/** One end of a connection. */
class SimulatedSocket extends Duplex {
  readonly owner: SimulatedProcess | undefined;
  readonly remoteAddress = '127.0.0.1';
  connecting = true;
  /** Node's parser of what arrives. */
  parser: { close(): void } | null | undefined;
  peer: SimulatedSocket | undefined;
  /** No byte arrives earlier. */
  readyAtMs = 0;
  readonly #network: Network;
  readonly #sends: ConnectionFault['direction'];
  /** The fault of the current request. */
  fault: ConnectionFault | undefined;
  #sent = 0;
  #stalled = false;
  #hasEnded = false;
  #idleMs = 0;
  #cancelIdle = () => {};

  /** @param sends the direction of the bytes that are written at this end */
  constructor(network: Network, owner: SimulatedProcess | undefined, sends: ConnectionFault['direction']) {
    super();
    this.#network = network;
    this.owner = owner;
    this.#sends = sends;
    // The other end of a process that ends sees a closed connection.
    owner?.onEnd.push(() => this.#close());
  }

  /** Begins a request, with a fault of its own. */
  renew(fault: ConnectionFault | undefined): void {
    this.fault = fault;
    this.#sent = 0;
    if (this.peer === undefined) return;
    this.peer.fault = fault;
    this.peer.#sent = 0;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#send(Buffer.from(chunk));
    this.#network.killAtCall(this.owner);
    done();
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error) => void,
  ): void {
    const bytes = chunks.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    this.#send(Buffer.concat(bytes));
    done();
  }

  override _final(done: (error?: Error) => void): void {
    this.#hasEnded = true;
    this.#deliver((peer) => peer.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#network.forget(this);
    this.#cancelIdle();
    if (!this.#hasEnded) this.#close();
    done(error);
  }

  setTimeout(delayMs: number, onTimeout?: () => void): this {
    this.#idleMs = delayMs;
    if (onTimeout !== undefined) this.once('timeout', onTimeout);
    this.#notIdle();
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** As Node's sockets: after the bytes that are written. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  #send(bytes: Buffer): void {
    if (this.owner?.alive === false) return;
    this.#notIdle();
    const fault = this.fault?.direction === this.#sends ? this.fault : undefined;
    const room = fault === undefined ? Number.POSITIVE_INFINITY : fault.afterBytes - this.#sent;
    this.#sent += bytes.length;
    if (bytes.length <= room) {
      this.#deliver((peer) => peer.#receive(bytes));
      return;
    }
    if (room >= 0) {
      if (room > 0) this.#deliver((peer) => peer.#receive(bytes.subarray(0, room)));
      this.#network.faults.count(fault!.kind === 'stall' ? 'stalled connection' : `cut ${fault!.direction}`);
      if (fault!.kind === 'reset') this.#reset();
      else this.#stalled = true;
    }
  }

  #receive(bytes: Buffer): void {
    this.#notIdle();
    this.push(bytes);
  }

  /** Both ends see a reset. */
  #reset(): void {
    this.#close();
    this.#network.world.after(0, this.owner, () => this.destroy(resetError()));
  }

  /** The other end sees a reset after the bytes that were sent. */
  #close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#deliver((peer) => peer.destroy(resetError()));
  }

  /** Runs something at the other end, after everything that was sent before. */
  #deliver(arrive: (peer: SimulatedSocket) => void): void {
    if (this.#stalled) return;
    const { world, faults } = this.#network;
    this.readyAtMs = Math.max(this.readyAtMs, world.nowMs + faults.latencyMs());
    // The other end exists only once the connection is open.
    world.after(this.readyAtMs - world.nowMs, this.peer?.owner, () => {
      const { peer } = this;
      if (peer === undefined || peer.destroyed || peer.owner?.alive === false) return;
      world.runAs(peer.owner, () => arrive(peer));
    });
  }

  #notIdle(): void {
    this.#cancelIdle();
    if (this.#idleMs === 0 || this.destroyed) return;
    this.#cancelIdle = this.#network.world.after(this.#idleMs, this.owner, () => this.emit('timeout'));
  }
}

function resetError(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
}

let current: Network | undefined;

/** The network of the active world. */
export function useNetwork(network: Network | undefined): void {
  current = network;
}

function activeNetwork(): Network | undefined {
  return activeWorld() === undefined ? undefined : current;
}

/** Connects Node's HTTP clients and servers to the active network, once for this process. */
export function installNetwork(): void {
  const agent = Agent.prototype as unknown as {
    addRequest(request: ClientRequest, options: { port: number | string }): void;
  };
  const { addRequest } = agent;
  agent.addRequest = function (request, options) {
    const network = activeNetwork();
    if (network === undefined) return addRequest.call(this, request, options);
    // Not in the agent, which all processes share: a connection belongs to the process that opened it.
    const port = Number(options.port);
    const { socket, isReused } = network.connect(port);
    request.reusedSocket = isReused;
    if (!isReused) socket.on('free', () => network.keep(socket, port));
    (request as unknown as { onSocket(socket: Duplex): void }).onSocket(socket);
  };
  const ports = new WeakMap<Server, number>();
  const emit = Server.prototype.emit as (name: string, ...given: unknown[]) => boolean;
  Object.assign(Server.prototype, {
    listen(this: Server, port: number) {
      ports.set(this, activeNetwork()!.listen(this, port));
      return this;
    },
    address(this: Server) {
      return { address: '127.0.0.1', family: 'IPv4', port: ports.get(this) };
    },
    close(this: Server) {
      activeNetwork()?.close(this);
      const owner = currentProcess();
      activeWorld()?.after(0, owner, () => this.emit('close'));
      return this;
    },
    closeAllConnections(this: Server) {
      for (const socket of listenerSockets(this)) socket.destroy();
    },
    emit(this: Server, name: string, ...given: unknown[]) {
      const network = activeNetwork();
      if (network !== undefined && (name === 'request' || name === 'checkContinue')) {
        const [incoming, response] = given as [IncomingMessage, ServerResponse];
        // Node's own header has the date of the machine.
        response.setHeader('date', new Date().toUTCString());
        if (answeredWithFault(network, incoming, response)) return true;
        response.once('finish', () => {
          if (response.statusCode === 412) network.faults.noteAnswer('412');
        });
        response.once('close', () => {
          const path = decodeURIComponent(incoming.url!.split('?')[0]!);
          if (incoming.method === 'PUT' && !response.writableFinished)
            network.abandoned.set(path, Date.now());
        });
      }
      return emit.call(this, name, ...given);
    },
  });
}

/** Answers a request with an error of the service instead of its result. */
function answeredWithFault(network: Network, incoming: IncomingMessage, response: ServerResponse): boolean {
  const { method = '', url = '', headers } = incoming;
  const isJson = headers['x-amz-target'] !== undefined;
  const isConditional = headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;
  for (const listener of network.onRequest) listener(url);
  network.world.trace('request', method, url.slice(0, 200), String(headers['x-amz-target'] ?? ''));
  const status = network.faults.serviceFault(
    isJson ? 'json' : isConditional && method === 'PUT' ? 'condition' : 's3',
  );
  if (status === undefined) return false;
  incoming.resume();
  if (isJson) {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }));
    return true;
  }
  const code = status === 409 ? 'ConditionalRequestConflict' : status === 500 ? 'InternalError' : 'SlowDown';
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    method === 'HEAD'
      ? undefined
      : `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
  );
  return true;
}
