/**
 * The web page of `local --serve`, on a port of its own: upload files, view reports, download results.
 *
 *     GET  /                         the page
 *     GET  /_page/page.js ...        its scripts and styles
 *     GET  /_page/jobs?...           one page of the uploads and their states
 *     GET  /_page/results.zip?...    the results of all these uploads
 *     POST /_page/uploads?...        a file for the inbox
 *     GET  /_page/results/<name>     a file of a result set, by its input version
 *
 * Its origin serves nothing else, and no object of a user except reports, in a sandbox. The page holds no credentials: the
 * server stores uploads and reads results itself. Requests from other sites are refused (own-requests.ts). The
 * content security policy allows only the page's own files: no inline script, no markup from text but escaped drawings.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REPORT_POLICY } from '../../batch/report/report-policy.ts';
import { closeServer, isDisconnect, listen } from '../../local/http-server.ts';
import { refusalOf } from '../../local/own-requests.ts';
import type { Buckets } from '../remote/connection.ts';
import { PAGE_PATH, type PageAsset, pageAssets } from './page-assets.ts';
import { PageJobPoller, parseJobQuery } from './page-jobs.ts';
import { parseResultAddress } from './result-address.ts';
import { openArchive, openResult } from './result-file.ts';
import { takeUpload } from './take-upload.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

export interface PageServerOptions {
  /** Port of the page; 0 takes a free one. */
  readonly port: number;
  /** Receives errors of the server itself. */
  readonly onFault: (error: unknown) => void;
}

export interface PageServer {
  /** `http://127.0.0.1:9001/` */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the page's server for a stack. @throws Error if the page's files are missing, or the port is in use */
export async function startPageServer(connection: Buckets, options: PageServerOptions): Promise<PageServer> {
  const context: PageContext = {
    connection,
    assets: await pageAssets(),
    jobs: new PageJobPoller(connection),
  };
  const server = createServer((incoming, response) => {
    answer(context, incoming, response).catch((error: unknown) => {
      // The client has disconnected, or the stack is stopping.
      if (response.destroyed) return;
      options.onFault(error);
      if (response.headersSent) response.destroy();
      else
        send(response, 500, TEXT_TYPE, `Internal error of the page's server: ${(error as Error).message}\n`);
    });
  });
  const { port } = await listen(server, options.port, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/`, close: () => closeServer(server) };
}

interface PageContext {
  readonly connection: Buckets;
  readonly assets: ReadonlyMap<string, PageAsset>;
  readonly jobs: PageJobPoller;
}

async function answer(
  context: PageContext,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const own = `http://127.0.0.1:${incoming.socket.localPort}/`;
  const refusal = refusalOf(incoming, { ownPages: true });
  if (refusal !== undefined) {
    incoming.resume();
    return send(
      response,
      refusal.status,
      TEXT_TYPE,
      `${refusal.message}\nOpen the page at its address: ${own}\n`,
    );
  }
  // A path may begin with two slashes; a target with a host of its own is none of the page.
  const target = incoming.url!;
  const url = target.startsWith('/') ? URL.parse(`http://${incoming.headers.host}${target}`) : null;
  if (url === null) return send(response, 404, TEXT_TYPE, 'Not found.\n');
  const reads = incoming.method === 'GET' || incoming.method === 'HEAD';
  const asset = context.assets.get(url.pathname);
  if (asset !== undefined && reads) {
    response.setHeader('content-security-policy', pagePolicy(url));
    return send(response, 200, asset.type, asset.body);
  }
  const query = parseJobQuery(url.searchParams);
  if (url.pathname === `${PAGE_PATH}jobs` && reads) {
    return sendJson(response, await context.jobs.poll(query));
  }
  if (url.pathname === `${PAGE_PATH}uploads` && incoming.method === 'POST') {
    return answerUpload(context, url, incoming, response);
  }
  const isArchive = url.pathname === `${PAGE_PATH}results.zip`;
  const wanted = reads ? parseResultAddress(url) : undefined;
  const result =
    reads && isArchive
      ? await openArchive(context.connection, await context.jobs.ended(query))
      : wanted && (await openResult(context.connection, wanted));
  if (result !== undefined) {
    response.setHeader('content-security-policy', REPORT_POLICY);
    response.writeHead(200, { ...COMMON_HEADERS, ...result.headers });
    if (incoming.method === 'HEAD') response.end();
    else {
      await pipeline(Readable.from(result.body), response).catch((error: unknown) => {
        if (!isDisconnect(error)) throw error;
      });
    }
    return;
  }
  send(response, 404, TEXT_TYPE, 'Not found. The result may have been deleted.\n');
}

async function answerUpload(
  { connection }: PageContext,
  { searchParams }: URL,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { 'content-type': type, 'content-length': length } = incoming.headers;
  // Another site cannot send this type without a preflight request, which is never granted.
  if (type !== 'application/octet-stream') {
    incoming.resume();
    return send(response, 415, TEXT_TYPE, 'Expected the bytes of a file.\n');
  }
  const answer = await takeUpload(connection, searchParams, incoming, Number(length ?? 0));
  // The browser reads the answer after it has sent the file.
  incoming.resume();
  sendJson(response, answer);
}

/** Allows scripts and styles of the page, and requests to its server. */
function pagePolicy({ origin }: URL): string {
  const own = `${origin}${PAGE_PATH}`;
  return [
    "default-src 'none'",
    // Pasted puzzles are solved by scripts: the page needs no permission for WebAssembly, which only many would need.
    `script-src ${own}`,
    `worker-src ${own}`,
    `style-src ${own}`,
    `img-src ${own}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // puzzles/trusted.ts
    'trusted-types puzzles',
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
