/**
 * Who may talk to the page's server: the page itself, and programs of this machine, but no other site in the browser.
 *
 * - Another site may have its own name resolve to 127.0.0.1 (DNS rebinding), and is then same-origin with itself: its
 *   requests carry its name as Host, and only names of this machine are answered.
 * - Another site, or another port of this machine, may send requests here: browsers say so in `Sec-Fetch-Site`, and in
 *   `Origin` for whatever is no plain read.
 */
import type { IncomingMessage } from 'node:http';

const OWN_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a request was sent to this machine by one of its own names, at the port where it arrived. */
export function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  const { host = '' } = headers;
  const [, name = '', port = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  return OWN_NAMES.includes(name.toLowerCase()) && Number(port) === socket.localPort;
}

/** Whether a request comes from the page, or from no page at all. @param incoming one that is to its own host */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'] ?? 'none';
  return (site === 'same-origin' || site === 'none') && (origin === undefined || origin === `http://${host}`);
}
