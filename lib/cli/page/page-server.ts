/**
 * The page for those without a terminal, on the S3 endpoint's own origin: drop a file, see it solved, look at the
 * report, download.
 *
 *     GET  /                         the page            GET  /_page/page.js ...    its scripts and styles, as they stand
 *     GET  /_page/jobs               what became of the newest uploads
 *     POST /_page/uploads            a form for one file, which then goes to S3 by itself:  POST /<input bucket>
 *     GET  /_page/results/<name>     a file of a result set, by its input version
 *
 * No bucket's name begins so, and a request to S3 is signed: neither is taken from it. The page holds no credentials: the
 * server signs, one form at a time, and reads results itself. Whoever is neither the page nor a program of this machine
 * gets nothing (own-origin.ts), and what the page may load is said in its policy: its own files, no inline script, no
 * markup out of text.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAX_POST_BYTES } from '../../aws/presigned-post.ts';
import type { Connection } from '../remote/connection.ts';
import { authorizeUpload } from './authorize-upload.ts';
import { isOwnHost, isOwnOrigin } from './own-origin.ts';
import { PAGE_PATH, type PageAsset, pageAssets } from './page-assets.ts';
import { PageJobPoller } from './page-jobs.ts';
import { parseResultAddress } from './result-address.ts';
import { openResult } from './result-file.ts';

/** What the longest question for an upload may have: a name and options. */
const MAX_QUESTION_BYTES = 64 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A report has no script; what is made to look like one gets no origin, either. */
const RESULT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Told of faults of the server itself. */
export type FaultListener = (error: unknown) => void;

export interface PageServerOptions {
  /** Largest file that may be uploaded, in bytes, inclusive. @default what S3 takes by a form */
  readonly maxUploadBytes?: number;
  readonly onFault: FaultListener;
  /** By which forms end. @default the time of day */
  readonly now?: () => Date;
}

/** Answers a request, and says whether it did: all others are for S3. */
export type PageServer = (incoming: IncomingMessage, response: ServerResponse) => boolean;

/** The page's server over a stack. @throws Error where the page's files are not there: a broken checkout */
export function pageServer(connection: Connection, options: PageServerOptions): PageServer {
  const room: PageContext = {
    connection,
    assets: pageAssets(),
    looks: new PageJobPoller(connection),
    maxUploadBytes: options.maxUploadBytes ?? MAX_POST_BYTES,
    now: options.now ?? (() => new Date()),
  };
  return (incoming, response) => {
    if (!isForPage(incoming)) return false;
    answer(room, incoming, response).catch((error: unknown) => {
      // Who asked is gone, or all of it ends: nobody misses an answer.
      if (response.destroyed) return;
      options.onFault(error);
      if (response.headersSent) response.destroy();
      else send(response, 500, TEXT_TYPE, `The page's server met a fault: ${(error as Error).message}\n`);
    });
    return true;
  };
}

/** What the answers are made of. */
interface PageContext {
  readonly connection: Connection;
  readonly assets: ReadonlyMap<string, PageAsset>;
  readonly looks: PageJobPoller;
  readonly maxUploadBytes: number;
  readonly now: () => Date;
}

function isForPage({ method, url = '', headers }: IncomingMessage): boolean {
  if (url.startsWith(PAGE_PATH)) return true;
  // The list of all buckets stands there too, for those who sign.
  return url === '/' && (method === 'GET' || method === 'HEAD') && headers.authorization === undefined;
}

async function answer(room: PageContext, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isOwnHost(incoming)) {
    const address = `http://127.0.0.1:${incoming.socket.localPort}/`;
    return send(response, 421, TEXT_TYPE, `This page answers to names of this machine only: ${address}\n`);
  }
  const url = new URL(incoming.url!, `http://${incoming.headers.host}`);
  const reads = incoming.method === 'GET' || incoming.method === 'HEAD';
  const asset = room.assets.get(url.pathname);
  if (asset !== undefined && reads) {
    response.setHeader('content-security-policy', pagePolicy(url));
    return send(response, 200, asset.type, asset.body);
  }
  if (!isOwnOrigin(incoming)) {
    return send(response, 403, TEXT_TYPE, 'Another site asked for this: only the page itself may.\n');
  }
  if (url.pathname === `${PAGE_PATH}jobs` && reads) return sendJson(response, await room.looks.newest());
  if (url.pathname === `${PAGE_PATH}uploads` && incoming.method === 'POST') {
    return answerUpload(room, incoming, response);
  }
  const wanted = reads ? parseResultAddress(url) : undefined;
  const result = wanted && (await openResult(room.connection, wanted));
  if (result !== undefined) {
    response.setHeader('content-security-policy', RESULT_POLICY);
    response.writeHead(200, { ...COMMON_HEADERS, ...result.headers });
    if (incoming.method === 'HEAD') response.end();
    else await pipeline(Readable.from(result.body), response).catch(passOverDisconnect);
    return;
  }
  send(response, 404, TEXT_TYPE, 'There is nothing here: the result may have been deleted since.\n');
}

async function answerUpload(
  room: PageContext,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A form of another site cannot have this type without asking first, and nobody answers that question.
  if (!/^application\/json\b/i.test(incoming.headers['content-type'] ?? '')) {
    return send(response, 415, TEXT_TYPE, 'Expected a question in JSON.\n');
  }
  const body = await bodyOf(incoming);
  if (body === undefined) {
    return send(response, 413, TEXT_TYPE, `Expected at most ${MAX_QUESTION_BYTES} bytes.\n`);
  }
  sendJson(response, await authorizeUpload(room.connection, body, room.maxUploadBytes, room.now()));
}

/** Undefined for one that is too long. */
async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > MAX_QUESTION_BYTES) {
      incoming.resume();
      return undefined;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Scripts and styles of the page's own folder only: even an object of a bucket, on the same origin, is none of them. */
function pagePolicy({ origin }: URL): string {
  const own = `${origin}${PAGE_PATH}`;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    `img-src ${own}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

function sendJson(response: ServerResponse, document: object): void {
  send(response, 200, JSON_TYPE, JSON.stringify(document));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...COMMON_HEADERS, 'content-type': type, 'content-length': bytes.length });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

function passOverDisconnect(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
}
