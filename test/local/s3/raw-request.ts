/** Requests that no SDK sends, signed with exactly the bytes that a test specifies. */
import { createHash, createHmac } from 'node:crypto';
import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface RawRequest {
  readonly method: string;
  /** Encoded, as in the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** SHA-256 in hex or a keyword for how the body is sent; by default the hash of `body`. */
  readonly payloadHash?: string;
  readonly body?: string | Uint8Array;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The error code in the body, if any. */
  readonly code: string | undefined;
}

export interface RawTarget {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Provides connections; by default each request has a new one. */
  readonly agent?: Agent;
}

/** Starts a request without sending its body. */
export function openRaw(target: RawTarget, raw: RawRequest): ClientRequest {
  const { hostname, port, host } = new URL(target.endpoint);
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const payloadHash = raw.payloadHash ?? sha256(raw.body ?? '');
  const headers: Record<string, string> = {
    host,
    'x-amz-date': timestamp,
    'x-amz-content-sha256': payloadHash,
    ...raw.headers,
  };
  const [path, query = ''] = raw.path.split('?');
  const names = Object.keys(headers).sort();
  const scope = `${timestamp.slice(0, 8)}/${target.region}/s3/aws4_request`;
  const canonical = [
    raw.method,
    path,
    query
      .split('&')
      .map((pair) => (pair === '' || pair.includes('=') ? pair : `${pair}=`))
      .sort((a, b) => (a.split('=')[0] < b.split('=')[0] ? -1 : 1))
      .join('&'),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer>((step, part) => hmac(step, part), Buffer.from(`AWS4${target.secretAccessKey}`));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')).toString(
    'hex',
  );
  const authorization = `AWS4-HMAC-SHA256 Credential=${target.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return request({
    hostname,
    port,
    method: raw.method,
    path: raw.path,
    headers: { ...headers, authorization },
    agent: target.agent ?? false,
  });
}

/** Sends a complete request. */
export async function sendRaw(target: RawTarget, raw: RawRequest): Promise<RawResponse> {
  const opened = openRaw(target, raw);
  opened.end(raw.body ?? '');
  return responseTo(opened);
}

/** Closes the connection during a request. */
export async function disconnect(opened: ClientRequest): Promise<void> {
  const closed = new Promise((resolve) => opened.on('close', resolve));
  opened.on('error', () => {});
  opened.destroy();
  await closed;
}

/** Waits for the response to an open request. */
export function responseTo(opened: ClientRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    opened.on('error', reject);
    opened.on('response', async (response) => {
      const pieces: Buffer[] = [];
      try {
        for await (const piece of response) pieces.push(piece as Buffer);
      } catch (error) {
        reject(error);
      }
      const text = Buffer.concat(pieces).toString();
      const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code });
    });
  });
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
