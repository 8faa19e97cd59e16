/**
 * Restricts the page's server to the page itself and to programs on this machine. Other sites in the browser are rejected:
 *
 * - A site can resolve its own name to 127.0.0.1 (DNS rebinding) and is then same-origin with itself. Its requests carry
 *   its name as Host, and only names of this machine are accepted.
 * - A site, or another port of this machine, can send requests here. Browsers mark these with `Sec-Fetch-Site`, and with
 *   `Origin` unless they are plain reads.
 */
import type { IncomingMessage } from 'node:http';

const OWN_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether the Host of a request is a name of this machine with the port of the connection. */
export function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  const { host = '' } = headers;
  const [, name = '', port = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  return OWN_NAMES.includes(name.toLowerCase()) && Number(port) === socket.localPort;
}

/** Whether a request to the own host comes from the page itself or from no page. */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'] ?? 'none';
  return (site === 'same-origin' || site === 'none') && (origin === undefined || origin === `http://${host}`);
}
