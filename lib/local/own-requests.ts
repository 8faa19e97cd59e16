/**
 * Restricts a server of this machine to programs of this machine and to its own pages. Other sites in the
 * browser are refused before anything else is read:
 *
 * - A site can resolve its own name to 127.0.0.1 (DNS rebinding) and is then same-origin with itself. Its requests carry
 *   its name as Host, and only names of this machine are accepted.
 * - A site, or another port of this machine, can send requests here. Browsers mark these with `Sec-Fetch-Site`, and with
 *   `Origin` unless they are plain reads. WebSockets always have an `Origin`.
 */
import type { IncomingMessage } from 'node:http';

const OWN_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
/** Browsers resolve names below it to this machine; S3 clients use them for buckets. */
const BELOW_LOCALHOST = '.localhost';

/** Why a request is refused. */
export interface RequestRefusal {
  /** 421: the name is not one of this machine. 403: the request comes from another site. */
  readonly status: 421 | 403;
  readonly message: string;
}

/** The sites that may send requests from a browser. */
export interface AllowedSites {
  /** Whether pages of the server's own origin may send requests. @default false */
  readonly ownPages?: boolean;
  /** Whether a name may be that of a bucket, which may precede `.localhost`. @default none */
  readonly isBucket?: (name: string) => boolean;
}

/** Whether a request is refused, and why; undefined if it is accepted. */
export function refusalOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowed: AllowedSites = {},
): RequestRefusal | undefined {
  const { host = '', origin } = headers;
  const { ownPages = false, isBucket = () => false } = allowed;
  const bucket = bucketInHost(host);
  if (!OWN_NAMES.includes(hostName(host)) && !(bucket !== undefined && isBucket(bucket))) {
    return { status: 421, message: `Only names of this machine are accepted: ${OWN_NAMES.join(', ')}` };
  }
  const site = headers['sec-fetch-site'] ?? 'none';
  const accepted =
    origin !== undefined
      ? ownPages && origin === `http://${host}`
      : site === 'none' || (ownPages && site === 'same-origin');
  return accepted ? undefined : { status: 403, message: 'Requests from other sites are not allowed.' };
}

/** The name before `.localhost`, with which S3 clients address a bucket; undefined for other hosts. */
export function bucketInHost(host: string): string | undefined {
  const name = hostName(host);
  return name.endsWith(BELOW_LOCALHOST) && name !== BELOW_LOCALHOST
    ? name.slice(0, -BELOW_LOCALHOST.length)
    : undefined;
}

/** Whether a URL is one of this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return OWN_NAMES.includes(hostname) || /^127(\.\d+){3}$/.test(hostname);
}

/** The name in a Host header, in lower case; empty if the header is malformed. */
function hostName(host: string): string {
  return (/^(\[[^\]]*\]|[^:]+)(?::\d+)?$/.exec(host)?.[1] ?? '').toLowerCase();
}
