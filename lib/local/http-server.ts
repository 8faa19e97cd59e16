/** Starting and closing HTTP servers of the local stack. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on an address.
 *
 * @param port 0 takes a free one
 * @throws Error if the port is in use
 */
export async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

/** Closes a server and all its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Whether a response failed because its client has disconnected. */
export function isDisconnect(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(code);
}
