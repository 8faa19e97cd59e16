/** A stack that keeps running: its clients, its page, its signals, its schedule, and what it keeps. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LatestPointer } from '../../../lib/batch/delivery/latest.ts';
import type { PageJob } from '../../../lib/cli/page/page-jobs.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { objectText } from '../../local/s3/object-text.ts';
import { eventually } from '../../support/eventually.ts';
import { isRunning } from '../../support/is-running.ts';
import { manifestIn } from '../../support/manifest-check.ts';
import { EASY, SOLUTION } from '../../support/puzzles.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { endOf, folderWith, runProgram, startProgram } from '../program.ts';
import { type ServedStack, serveStack } from '../served-stack.ts';

test('local sends every byte of a file that is longer than one read', async () => {
  const puzzles = 20_000;
  const folder = folderWith({ 'long.txt': `${EASY}\n`.repeat(puzzles) }, onTestFinished);
  expect((await runProgram(folder, ['local', 'long.txt'])).status).toBe(0);
  const { input, puzzles: counts } = manifestIn(join(folder, 'dlx-batch-results/long.txt'));
  expect([input.bytes, counts.solved]).toEqual([puzzles * (EASY.length + 1), puzzles]);
});

describe('local --serve --json', () => {
  test('serves any S3 client until SIGTERM, ends with its children, and keeps the objects across a restart', async () => {
    const folder = folderWith({});
    const events: string[] = [];
    const receiver = await scriptedServer(async (response, request) => {
      events.push(await text(request));
      response.end();
    });
    const data = ['--data', 'made/data', '--webhook', `${receiver.endpoint}/solved`];
    const args = ['--verbose', '--port', '0', ...data];
    const first = await serve(folder, args);
    expect(Object.keys(first.facts)).toEqual([
      'endpoint',
      'page',
      'region',
      'accessKeyId',
      'secretAccessKey',
      'inputBucket',
      'resultsBucket',
    ]);
    const s3 = clientOf(first);
    await s3.putObject({ Bucket: first.inputBucket, Key: 'inbox/a.txt', Body: `${EASY}\n` });
    const latest = await latestOf(s3, first.resultsBucket, 'results/inbox/a.txt/latest.json');
    const solutions = latest.files.find(({ name }) => name === 'solutions.txt')?.key;
    expect(await textOf(s3, first.resultsBucket, solutions!)).toBe(`${SOLUTION}\n`);
    await eventually(() => expect(events).toHaveLength(1));
    expect(JSON.parse(events[0]!)).toMatchObject({
      'detail-type': 'JobCompleted',
      source: 'dlx-batch',
      detail: {
        input: { key: 'inbox/a.txt' },
        manifest: { bucket: first.resultsBucket, key: latest.key },
        puzzles: { total: 1, solved: 1 },
      },
    });

    // Another shell, which may be set up for AWS, needs no keys.
    const status = ['status', '--endpoint', first.endpoint];
    const { XDG_STATE_HOME } = process.env;
    for (const environment of [
      {},
      { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'eu-west-1' },
    ]) {
      const shell = await runProgram(folder, status, '', { XDG_STATE_HOME, ...environment });
      expect([shell.stdout, shell.stderr]).toEqual([expect.stringContaining('inbox/a.txt'), '']);
    }
    const { port } = new URL(first.endpoint);
    const record = join(XDG_STATE_HOME!, 'dlx-batch', `stack-${port}.json`);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'made/data')).mode & 0o777).toBe(0o700);
    // The keys are in their file, and nowhere else.
    expect(filesWith(first.secretAccessKey, join(folder, 'made'))).toEqual([
      join(folder, 'made/data/keys.json'),
    ]);
    expect(first.errors()).toContain('solve-batch');
    expect(first.errors()).not.toContain(first.secretAccessKey);

    for (const options of [data, ['--port', port]]) {
      const refused = await runProgram(folder, ['local', '--serve', ...options]);
      expect([refused.stdout, refused.status]).toEqual(['', 2]);
    }

    await solveThroughPage(first);

    expect(await first.end('SIGTERM')).toBe(0);
    expect(existsSync(record)).toBe(false);

    // Without a state folder, the stack says what other shells then need.
    const noFolder = join(folder, 'made/data/keys.json');
    const second = await serve(folder, args, { ...process.env, XDG_STATE_HOME: noFolder });
    expect(second.secretAccessKey).toBe(first.secretAccessKey);
    const again = clientOf(second);
    expect(await textOf(again, second.resultsBucket, solutions!)).toBe(`${SOLUTION}\n`);
    expect(await second.end('SIGINT')).toBe(0);
    expect(second.errors()).toContain('ENOTDIR');
  });

  // The program that opens a page has another name on other systems.
  test.skipIf(process.platform !== 'linux')(
    'opens its page, at the port that it takes at each start',
    async () => {
      const folder = folderWith({ 'bin/xdg-open': '#!/bin/sh\nprintf "$1" > "$OPENED"\n' });
      chmodSync(join(folder, 'bin/xdg-open'), 0o755);
      const opened = join(folder, 'opened.txt');
      const path = `${join(folder, 'bin')}:${process.env.PATH}`;
      const environment = { ...process.env, PATH: path, OPENED: opened };
      const { page, end } = await serve(folder, ['--open'], environment);
      while (!existsSync(opened) || readFileSync(opened, 'utf8') === '') await sleep(20);
      expect(readFileSync(opened, 'utf8')).toBe(page);
      // Other stacks of this machine have the first of these ports.
      const port = Number(new URL(page).port);
      expect(port).toBeGreaterThanOrEqual(9424);
      expect(port).toBeLessThan(9444);
      await end('SIGTERM');
    },
    120_000,
  );

  test('says that no browser was opened, and goes on', async () => {
    const folder = folderWith({});
    const environment = { ...process.env, PATH: folder };
    const { page, errors, end } = await serve(folder, ['--open'], environment);
    await eventually(async () => expect(errors()).toContain(page));
    await end('SIGTERM');
  }, 120_000);
});

/** Starts a stack that leads a process group, so its children can be found after its end. */
async function serve(folder: string, args: readonly string[], environment?: NodeJS.ProcessEnv) {
  const stack = await serveStack(folder, args, environment, true);
  onTestFinished(() => {
    if (isRunning(-stack.pid)) process.kill(-stack.pid, 'SIGKILL');
  });
  return {
    ...stack,
    async end(signal: NodeJS.Signals) {
      const status = await stack.end(signal);
      // The system may list an ended process for a moment.
      while (isRunning(-stack.pid)) await sleep(20);
      return status;
    },
  };
}

/** Uploads a file on the page of a stack, and reads its results there. */
async function solveThroughPage({ page, secretAccessKey }: ServedStack): Promise<void> {
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(new URL(path, page), init);
    const body = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    expect(`${body}${JSON.stringify([...answer.headers])}`).not.toContain(secretAccessKey);
    return body;
  };
  const headers = { 'content-type': 'application/octet-stream' };
  const query = 'name=page.txt&output=line&records=true';
  await ask(`/_page/uploads?${query}`, { method: 'POST', headers, body: `${EASY}\n` });
  const job = await eventually(async () => {
    const [found] = JSON.parse(await ask('/_page/jobs?find=page.txt')).jobs;
    expect(found).toMatchObject({ name: 'page.txt', state: 'done' });
    return found as PageJob;
  });
  const href = (wanted: string) => job.files!.find(({ name }) => name === wanted)!.href;
  expect(await ask(href('solutions.txt'))).toBe(`${SOLUTION}\n`);
  expect(JSON.parse(await ask(href('manifest.json'))).options).toMatchObject({ records: true });
  expect(await ask(job.report!)).toContain('<h1>');
}

/** Files below a folder that contain a text. */
function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

function clientOf({ endpoint, region, accessKeyId, secretAccessKey }: ServedStack): S3 {
  const credentials = { accessKeyId, secretAccessKey };
  const s3 = new S3({ endpoint, region, credentials, forcePathStyle: true });
  onTestFinished(() => s3.destroy());
  return s3;
}

const textOf = (s3: S3, Bucket: string, Key: string) => objectText(s3, { Bucket, Key });

/** Waits for the pointer to the newest result. */
const latestOf = (s3: S3, bucket: string, key: string): Promise<LatestPointer> =>
  eventually(async () => JSON.parse(await textOf(s3, bucket, key)));

test('local --serve --fast-retries makes a message that fails in every attempt a dead letter within seconds', async () => {
  const folder = folderWith({}, onTestFinished);
  const stack = await serveStack(folder, ['--fast-retries', '--data', 'data']);
  onTestFinished(() => stack.stop());
  const { endpoint, region, accessKeyId, secretAccessKey } = stack;
  const sqs = new SQS({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
  onTestFinished(() => sqs.destroy());
  const QueueUrl = endpoint + LOCAL_STACK.queuePath;
  await sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'no event' }] });
  await eventually(() =>
    expect(readFileSync(join(folder, 'data/dead-letters.jsonl'), 'utf8')).toContain('"op":"send"'),
  );
});

test('local interrupted in the middle ends by the signal, without errors of its own stack', async () => {
  const folder = folderWith({ 'long.txt': `${EASY}\n`.repeat(200_000) }, onTestFinished);
  const program = startProgram(folder, ['local', '--data', 'data', 'long.txt']);
  onTestFinished(() => void program.kill('SIGKILL'));
  const ended = endOf(program);
  await eventually(() => expect(existsSync(join(folder, 'data/queue.jsonl'))).toBe(true));
  program.kill('SIGINT');
  const { stderr, ...rest } = await ended;
  expect(rest).toEqual({ status: null, signal: 'SIGINT', stdout: '' });
  // The end of the interruption, the table of one file, and the command that continues (`transcripts/signals.txt`).
  expect(stderr.split('\n')).toHaveLength(7);
});

describe('local --schedule', () => {
  /** Sets the clock of the program forward, so that the next minute begins 12 s after its start. */
  const SHORT_MINUTE = {
    ...process.env,
    NODE_OPTIONS:
      '--import "data:text/javascript,const now = Date.now.bind(Date); const ahead = (108e3 - (now() % 60e3)) % 60e3; Date.now = () => now() + ahead;"',
  };

  test('starts a run for each scheduled minute, which solves the scheduled uploads', async () => {
    const folder = folderWith({ 'a.txt': `${EASY}\n`.repeat(3) }, onTestFinished);
    const stack = await serveStack(folder, ['--schedule', 'cron(* * * * ? *)'], SHORT_MINUTE);
    const here = ['--endpoint', stack.endpoint];
    const uploaded = await runProgram(folder, ['upload', ...here, '--schedule', '--wait', '--json', 'a.txt']);
    expect(JSON.parse(uploaded.stdout).files).toMatchObject([{ stats: { puzzles: { solved: 3 } } }]);
    const { runs } = JSON.parse((await runProgram(folder, ['run', ...here, '--list', '--json'])).stdout);
    expect(runs[0].runId).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-00Z$/);
    await stack.stop();
    expect(stack.errors()).toBe('');
  });
});
