/** Every command against servers that are not a stack: one line with advice, no stack trace. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { networkSettings } from '../../lib/cli/remote/connection.ts';
import { EASY } from '../support/puzzles.ts';
import { selfSigned } from '../support/self-signed.ts';
import { expectTable, type Shown } from '../support/text-table.ts';
import { folderWith, runProgram } from './program.ts';

beforeAll(() => {
  const settings = { ...networkSettings };
  afterAll(() => void Object.assign(networkSettings, settings));
  networkSettings.retries = { firstContactMs: 20, firstDelayMs: 5, maxDelayMs: 10 };
});

/** Only a silent server is waited for; others answer, after a while on a busy machine. */
function setTimeouts(ms: number): void {
  networkSettings.timeouts = { connectMs: ms, responseMs: ms, idleMs: ms, copyMs: ms };
}

const html =
  (status: number, headers = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end('<!DOCTYPE html><html><body><h1>Hello & welcome<br></h1></body></html>');
  };

/** An error of AWS: XML of S3, or JSON of the other services, whose requests name their operation in a header. */
const awsError =
  (status: number, code: string): RequestListener =>
  (request, response) => {
    request.resume();
    const isJson = request.headers['x-amz-target'] !== undefined;
    response.writeHead(status, { 'content-type': isJson ? 'application/x-amz-json-1.0' : 'application/xml' });
    const body = isJson
      ? JSON.stringify({ __type: code, message: 'm' })
      : `<Error><Code>${code}</Code><Message>m</Message></Error>`;
    response.end(request.method === 'HEAD' ? undefined : body);
  };

type Input = Parameters<Shown>[0];

const onSocket = (listener: (socket: Socket) => unknown) =>
  createTcpServer((socket) => void listener(socket.on('error', () => {})));

const SERVERS: Readonly<Record<string, (of: Input) => Server>> = {
  page: ({ status, headers }) => createServer(html(status, headers)),
  'page over TLS': () => createTlsServer(selfSigned(), html(200)),
  error: ({ status, code }) => createServer(awsError(status, code)),
  answer: ({ status, body }) => createServer((_, response) => void response.writeHead(status).end(body)),
  bytes: ({ text, count }) =>
    onSocket((socket) => socket.end(Buffer.alloc(count ?? text.length, text, 'latin1'))),
  'closed connection': () => onSocket((socket) => socket.destroy()),
  silence: () => onSocket(() => {}),
};

const COMMANDS: readonly (readonly string[])[] = [
  ['upload', 'a.txt'],
  ['upload', '--force', 'a.txt'],
  ['download', 'inbox/a.txt'],
  ['download'],
  ['status'],
  ['status', '--watch', 'inbox/a.txt'],
  ['link', 'inbox/a.txt'],
  ['retry', 'inbox/a.txt'],
  ['run', '--list'],
  ['run'],
  ['run', '--dry-run'],
  ['run', '--wait'],
];

/** What all commands say of a server, without what they were doing. */
async function said(of: Input): Promise<string[]> {
  setTimeouts(of.server === 'silence' ? 100 : 20_000);
  const server = SERVERS[of.server]!(of).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const endpoint = `${of.scheme ?? 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  const folder = folderWith({ 'a.txt': `${EASY}\n` }, onTestFinished);
  const reasons = new Set<string>();
  for (const [command, ...args] of COMMANDS) {
    const all = [command!, '--endpoint', endpoint, ...args];
    const { status, stderr } = await runProgram(folder, all, '', { ...process.env, ...keys });
    const lines = stderr.split('\n').filter((line) => !line.startsWith('to continue: dlx-batch '));
    expect([status, lines], `${JSON.stringify(of)} ${all.join(' ')}`).toEqual([
      2,
      [expect.stringMatching(/^dlx-batch: /), ''],
    ]);
    const reason = lines[0]!
      .replace(/^dlx-batch: [^:]*: (?:not repeated: )?/, '')
      .replace(/ \(\d+ tries in .* s\)$/, '')
      .replace(endpoint, '<endpoint>');
    reasons.add(reason);
    expect(lines[0]).not.toMatch(/ at |undefined|\[object|Deserialization|\$response/);
  }
  return [...reasons].sort();
}

test('every command says in one line what foreign-servers.txt has', () =>
  expectTable(new URL('foreign-servers.txt', import.meta.url), {
    'what commands say about a server, without what they were doing': said,
  }));
