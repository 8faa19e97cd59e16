/** upload that is interrupted, or gets no answer. What the commands of a stack print: `test/cli/transcripts/stack.txt`. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { EASY } from '../support/puzzles.ts';
import { endOf, folderWith, runProgram, startProgram } from './program.ts';
import { startRecordingProxy } from './recording-proxy.ts';
import { serveStack } from './served-stack.ts';

let endpoint: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ endpoint, stop } = await serveStack(folderWith({}, afterAll)));
});
afterAll(() => stop());

test('Ctrl-C in upload leaves no partial upload, says how to resume, and ends by the signal', async () => {
  const proxy = await startRecordingProxy(endpoint);
  onTestFinished(() => proxy.close());
  const folder = folderWith({}, onTestFinished);
  const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', 'cut/', '-'];
  const program = startProgram(folder, args);
  const ended = endOf(program);
  const part = proxy.has(/^PUT .*partNumber=1/);
  // Two full parts and a piece of the third; the end never comes.
  program.stdin.write(Buffer.alloc(20 * 1024 * 1024, '.'));
  await part;
  program.kill('SIGINT');
  const { signal, stderr } = await ended;
  expect(signal).toBe('SIGINT');
  const words = args.map((word) => (/[^\w./:-]/.test(word) ? `'${word}'` : word)).join(' ');
  expect(stderr).toMatch(/^\ndlx-batch: interrupted\nSTATE +NAME +NOTE\nleft +-\n1 file: 1 left\n/);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(`^to continue: (?:npx )?dlx-batch ${words}$`),
  );
  // On a busy machine, the answer may come after the program has ended.
  await eventually(() => expect(proxy.answered.at(-1)).toMatch(/^DELETE .*cut\/stdin.txt\?uploadId=.* 204$/));
});

test('reports in one line that an endpoint does not answer', async () => {
  const folder = folderWith({ 'a.txt': `${EASY}\n` }, onTestFinished);
  const args = ['upload', '--endpoint', 'http://127.0.0.1:9', '--retry-for', '0s', 'a.txt'];
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  const ended = await runProgram(folder, args, '', { ...process.env, ...keys });
  expect(ended.status).toBe(2);
  expect(ended.stderr).toMatch(
    /^dlx-batch: uploading a.txt: no answer \(ECONNREFUSED\): check --endpoint.*\nto continue: dlx-batch upload .*\n$/,
  );
  const unknown = await runProgram(folder, args, '', { XDG_STATE_HOME: process.env.XDG_STATE_HOME });
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toMatch(
    /^dlx-batch: no local stack of yours runs at http:\/\/127\.0\.0\.1:9: start it with dlx-batch local --serve, or set .*\n$/,
  );
});
