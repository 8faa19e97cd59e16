/**
 * Every command against servers that are not a stack: one line with advice, no stack trace. What they say is in
 * `foreign-servers.txt`; `npx vitest run test/cli/foreign-servers.nightly.test.ts --update` rewrites it.
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { networkSettings } from '../../lib/cli/remote/connection.ts';
import { EASY } from '../support/puzzles.ts';
import { selfSigned } from '../support/self-signed.ts';
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

const SERVERS: Readonly<Record<string, { listen: () => Server; scheme?: string }>> = {
  'a web page': { listen: () => createServer(html(200)) },
  'a page that is not found': { listen: () => createServer(html(404)) },
  'a page that forbids': { listen: () => createServer(html(403)) },
  'a redirection': { listen: () => createServer(html(302, { location: 'http://127.0.0.1:9/' })) },
  'another method': { listen: () => createServer(html(405)) },
  'a failing page': { listen: () => createServer(html(500)) },
  'no content': { listen: () => createServer((_, response) => void response.writeHead(204).end()) },
  'an empty answer': { listen: () => createServer((_, response) => void response.end()) },
  JSON: { listen: () => createServer((_, response) => void response.end('{"ok":true}')) },
  'a closed connection': { listen: () => createTcpServer((socket) => void socket.destroy()) },
  'a mail server': {
    listen: () => createTcpServer((socket) => void socket.on('error', () => {}).end('220 mail ESMTP\r\n')),
  },
  'random bytes': {
    listen: () =>
      createTcpServer(
        (socket) => void socket.on('error', () => {}).end(Buffer.alloc(500, '\x00\xffx', 'latin1')),
      ),
  },
  silence: {
    listen: () => createTcpServer((socket) => void socket.on('error', () => {})),
  },
  'plain HTTP instead of TLS': {
    listen: () => createServer(html(200)),
    scheme: 'https',
  },
  'TLS instead of plain HTTP': { listen: () => createTlsServer(selfSigned(), html(200)) },
  'a certificate that is not trusted': {
    listen: () => createTlsServer(selfSigned(), html(200)),
    scheme: 'https',
  },
  'expired credentials': {
    listen: () => createServer(awsError(400, 'ExpiredToken')),
  },
  'a wrong clock': {
    listen: () => createServer(awsError(403, 'RequestTimeTooSkewed')),
  },
  'a wrong secret key': {
    listen: () => createServer(awsError(403, 'SignatureDoesNotMatch')),
  },
  'denied access': {
    listen: () => createServer(awsError(403, 'AccessDenied')),
  },
  'a bucket that does not exist': { listen: () => createServer(awsError(404, 'NoSuchBucket')) },
  overload: {
    listen: () => createServer(awsError(503, 'SlowDown')),
  },
  'a missing feature': {
    listen: () => createServer(awsError(501, 'NotImplemented')),
  },
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

const CASES = Object.entries(SERVERS).map(([name, server]) => ({ name, ...server }));

/** What all commands say of each server, without what they were doing. */
const said = new Map<string, Set<string>>();

describe('every command reports in one line', () => {
  test.each(CASES)('$name', async ({ name, listen, scheme = 'http' }) => {
    setTimeouts(name === 'silence' ? 100 : 20_000);
    const server = listen().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const endpoint = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
    const folder = folderWith({ 'a.txt': `${EASY}\n` }, onTestFinished);
    for (const [command, ...args] of COMMANDS) {
      const all = [command!, '--endpoint', endpoint, ...args];
      const { status, stderr } = await runProgram(folder, all, '', { ...process.env, ...keys });
      const lines = stderr.split('\n').filter((line) => !line.startsWith('to continue: dlx-batch '));
      expect([status, lines], all.join(' ')).toEqual([2, [expect.stringMatching(/^dlx-batch: /), '']]);
      const reason = lines[0]!
        .replace(/^dlx-batch: [^:]*: (?:not repeated: )?/, '')
        .replace(/ \(\d+ tries in .* s\)$/, '')
        .replace(endpoint, '<endpoint>');
      said.set(name, (said.get(name) ?? new Set()).add(reason));
      expect(lines[0]).not.toMatch(/ at |undefined|\[object|Deserialization|\$response/);
    }
  });
});

test('what they say is what foreign-servers.txt has', async () => {
  const text = [...said].map(([name, reasons]) => [name, ...[...reasons].sort()].join('\n  '));
  await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('foreign-servers.txt');
});
