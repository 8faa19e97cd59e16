import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { S3 } from '@aws-sdk/client-s3';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { REPORT_RECEIVES } from '../../lib/batch/limits.ts';
import { type LocalStack, type LocalStackOptions, startLocalStack } from '../../lib/local/stack.ts';
import { clientOf } from '../support/client-of.ts';
import { temporaryFolder } from './fixture-function.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');

/** Replaces the solver: copies the input to the results bucket, in capitals. */
const COPIER = `
  import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
  import { existsSync } from 'node:fs';
  const s3 = new S3Client({});
  export async function handler({ Records }) {
    const batchItemFailures = [];
    for (const { messageId, body } of Records) {
      const { bucket, object } = JSON.parse(body).detail;
      const source = { Bucket: bucket.name, Key: object.key, VersionId: object['version-id'] };
      const text = await (await s3.send(new GetObjectCommand(source))).Body.transformToString();
      if (text === 'bad') { batchItemFailures.push({ itemIdentifier: messageId }); continue; }
      if (text.startsWith('wait for ')) {
        console.log('waiting');
        while (!existsSync(text.slice(9))) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await s3.send(new PutObjectCommand({
        Bucket: process.env.RESULTS_BUCKET, Key: 'results/' + object.key, Body: text.toUpperCase() }));
    }
    return { batchItemFailures };
  }`;

let codeDir: string;
beforeAll(async () => {
  codeDir = temporaryFolder(afterAll);
  await build({
    stdin: { contents: COPIER, resolveDir: PROJECT_ROOT, loader: 'js' },
    outfile: join(codeDir, 'solve-batch.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
});

async function startStack(options: Partial<LocalStackOptions> = {}): Promise<{ stack: LocalStack; s3: S3 }> {
  const stack = await startLocalStack({
    dataDir: join(temporaryFolder(), 'made', 'data'),
    codeDir,
    concurrency: 1,
    fastRetries: true,
    ...options,
  });
  onTestFinished(() => stack.close());
  return { stack, s3: clientOf(stack) };
}

async function upload(s3: S3, { inputBucket }: LocalStack, key: string, text: string): Promise<void> {
  await s3.putObject({ Bucket: inputBucket, Key: key, Body: text });
}

async function resultKeys(s3: S3, stack: LocalStack): Promise<string[]> {
  const { Contents = [] } = await s3.listObjectsV2({ Bucket: stack.resultsBucket });
  return Contents.map((object) => object.Key ?? '');
}

test('a message that always fails becomes a dead letter, and does not affect others', async () => {
  const { stack, s3 } = await startStack({
    maxReceives: 2,
  });
  await upload(s3, stack, 'inbox/bad.txt', 'bad');
  await upload(s3, stack, 'inbox/a+b %20.txt', 'good');
  await upload(s3, stack, 'scheduled/later.txt', 'triggers nothing');
  await stack.idle();
  expect(await resultKeys(s3, stack)).toEqual(['results/inbox/a+b %20.txt']);
  expect(stack.deadLetters).toMatchObject([{ receives: 2 + REPORT_RECEIVES }]);
  expect(JSON.parse(stack.deadLetters[0]!.body).detail.object.key).toBe('inbox/bad.txt');
});

test('a message waits in real time without fast retries', async () => {
  const { stack, s3 } = await startStack({ fastRetries: false });
  await upload(s3, stack, 'inbox/bad.txt', 'bad');
  const waited = new Promise((resolve) => setTimeout(resolve, 3_000, 'still hidden'));
  expect(await Promise.race([stack.idle(), waited])).toBe('still hidden');
});

describe('unfinished work', () => {
  test('of a closed stack is finished after the next start, without a counted receive', async () => {
    const dataDir = temporaryFolder();
    const gate = join(temporaryFolder(), 'gate');
    const waiting = Promise.withResolvers<void>();
    const first = await startStack({ dataDir, maxReceives: 1, onLog: () => waiting.resolve() });
    await upload(first.s3, first.stack, 'inbox/a.txt', `wait for ${gate}`);
    await upload(first.s3, first.stack, 'inbox/b.txt', 'b');
    await waiting.promise;
    const idle = first.stack.idle();
    await Promise.all([first.stack.close(), expect(idle).rejects.toThrow('closed before')]);
    writeFileSync(gate, '');
    const second = await startStack({ dataDir, maxReceives: 1 });
    await second.stack.idle();
    expect(await resultKeys(second.s3, second.stack)).toEqual(['results/inbox/a.txt', 'results/inbox/b.txt']);
    expect(second.stack.deadLetters).toEqual([]);
  });

  test('of a killed stack is finished after the next start, also of an upload whose event it did not send', async () => {
    const dataDir = temporaryFolder();
    const gate = join(temporaryFolder(), 'gate');
    const options = { dataDir, codeDir, port: 0, concurrency: 1 };
    const killed = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { startLocalStack } from ${JSON.stringify(join(PROJECT_ROOT, 'lib/local/stack.ts'))};
       const options = ${JSON.stringify(options)};
       const onEvent = (body) => {
         if (body.includes('kill.txt')) process.kill(process.pid, 'SIGKILL');
         stack.send(body);
       };
       const stack = await startLocalStack({ ...options, onEvent, onLog: ({ line }) => console.log(line) });
       console.log(JSON.stringify(stack));`,
    ]);
    onTestFinished(() => void killed.kill('SIGKILL'));
    const lines = createInterface({ input: killed.stdout })[Symbol.asyncIterator]();
    const stack = JSON.parse((await lines.next()).value ?? '') as LocalStack;
    await upload(clientOf(stack), stack, 'inbox/a.txt', `wait for ${gate}`);
    await upload(clientOf(stack), stack, 'inbox/b.txt', 'b');
    expect((await lines.next()).value).toBe('waiting');
    // The event of this upload is never sent.
    const closed = once(killed, 'close');
    await expect(upload(clientOf(stack), stack, 'inbox/kill.txt', 'c')).rejects.toThrow();
    await closed;
    writeFileSync(gate, '');
    const second = await startStack({ dataDir });
    await second.stack.idle();
    expect(await resultKeys(second.s3, second.stack)).toEqual([
      'results/inbox/a.txt',
      'results/inbox/b.txt',
      'results/inbox/kill.txt',
    ]);
  });
});

test('a stack that cannot start leaves nothing running, and gives the reason', async () => {
  const { stack } = await startStack();
  const port = Number(new URL(stack.endpoint).port);
  await expect(startStack({ port })).rejects.toThrow('EADDRINUSE');
  const dataDir = temporaryFolder();
  await expect(startStack({ dataDir, schedule: 'daily' })).rejects.toThrow('schedule');
  // The folder is unlocked again.
  await startStack({ dataDir });
});

test('two stacks cannot use one folder', async () => {
  const dataDir = temporaryFolder();
  await startStack({ dataDir });
  await expect(startStack({ dataDir })).rejects.toThrow(dataDir);
});

test('idle rejects if the function cannot start', async () => {
  const { stack, s3 } = await startStack({ environment: { NAME: 'a\0b' } });
  await upload(s3, stack, 'inbox/a.txt', 'puzzle');
  await expect(stack.idle()).rejects.toThrow('null bytes');
});
