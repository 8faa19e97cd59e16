import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { REPORT_RECEIVES } from '../../lib/batch/limits.ts';
import { type LocalStack, type LocalStackOptions, startLocalStack } from '../../lib/local/stack.ts';
import { SkippingTimerClock } from '../../lib/local/timer-clock.ts';
import { builtProgram } from '../support/built-program.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from './fixture-function.ts';
import { objectText } from './s3/object-text.ts';

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
      if (text === 'crash') process.exit(1);
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

async function startStack(
  options: Partial<LocalStackOptions> = {},
): Promise<{ stack: LocalStack; s3: S3Client }> {
  const stack = await startLocalStack({
    dataDir: join(temporaryFolder(), 'made', 'data'),
    codeDir,
    concurrency: 1,
    queueClock: new SkippingTimerClock(),
    ...options,
  });
  onTestFinished(() => stack.close());
  return { stack, s3: clientOf(stack) };
}

function clientOf(
  stack: Pick<LocalStack, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>,
  maxAttempts = 3,
): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = stack;
  const s3 = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts,
  });
  onTestFinished(() => s3.destroy());
  return s3;
}

async function upload(
  s3: S3Client,
  stack: Pick<LocalStack, 'inputBucket'>,
  key: string,
  text: string,
): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: stack.inputBucket, Key: key, Body: text }));
}

function resultOf(s3: S3Client, stack: LocalStack, key: string): Promise<string> {
  return objectText(s3, { Bucket: stack.resultsBucket, Key: `results/${key}` });
}

async function resultKeys(s3: S3Client, stack: LocalStack): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: stack.resultsBucket }));
  return Contents.map((object) => object.Key ?? '');
}

test('an upload into the inbox becomes a result, with any key', async () => {
  const { stack, s3 } = await startStack();
  await upload(s3, stack, 'inbox/a+b %20.txt', 'puzzle');
  await stack.idle();
  expect(await resultOf(s3, stack, 'inbox/a+b %20.txt')).toBe('PUZZLE');
});

test('an upload outside the inbox triggers nothing', async () => {
  const { stack, s3 } = await startStack();
  await upload(s3, stack, 'scheduled/a.txt', 'puzzle');
  await upload(s3, stack, 'inbox/b.txt', 'puzzle');
  await stack.idle();
  expect(await resultKeys(s3, stack)).toEqual(['results/inbox/b.txt']);
});

test('a message that always fails becomes a dead letter, and does not affect others', async () => {
  const { stack, s3 } = await startStack({
    maxReceives: 2,
  });
  await upload(s3, stack, 'inbox/bad.txt', 'bad');
  await upload(s3, stack, 'inbox/good.txt', 'good');
  await stack.idle();
  expect(await resultKeys(s3, stack)).toEqual(['results/inbox/good.txt']);
  expect(stack.deadLetters).toMatchObject([{ receives: 2 + REPORT_RECEIVES }]);
  expect(JSON.parse(stack.deadLetters[0]!.body).detail.object.key).toBe('inbox/bad.txt');
});

test.each([
  ['crashes', 'crash'],
  ['reports a failure and changes no visibility', 'bad'],
])('a message is redelivered when its visibility timeout ends, if the function %s', async (_, text) => {
  const queueClock = new SkippingTimerClock();
  const startMs = queueClock.nowEpochMs();
  const minutes: number[] = [];
  const { stack, s3 } = await startStack({
    queueClock,
    maxReceives: 1,
    onBatch: () => minutes.push((queueClock.nowEpochMs() - startMs) / 60_000),
  });
  await upload(s3, stack, 'inbox/a.txt', text);
  await stack.idle();
  const receives = 1 + REPORT_RECEIVES;
  expect(minutes.map(Math.floor)).toEqual(Array.from({ length: receives }, (_, earlier) => 90 * earlier));
  expect(stack.deadLetters).toMatchObject([{ receives }]);
});

test('a message waits in real time without a skipping clock', async () => {
  const failed = Promise.withResolvers<void>();
  const { stack, s3 } = await startStack({ queueClock: undefined, onBatch: () => failed.resolve() });
  await upload(s3, stack, 'inbox/bad.txt', 'bad');
  await failed.promise;
  const waited = new Promise((resolve) => setTimeout(resolve, 1_500, 'still hidden'));
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
    await expect(upload(clientOf(stack, 1), stack, 'inbox/kill.txt', 'c')).rejects.toThrow();
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

describe('the lifecycle rules of the template', () => {
  const DAY_MS = 86_400_000;

  test.for([
    ['at a start', 22],
    ['each day', 20],
  ] as const)('are applied %s', async ([, startDay]) => {
    const dataDir = temporaryFolder();
    const { stack, s3 } = await startStack({ dataDir });
    for (const Key of ['done/a', 'work/a', 'worker']) {
      await s3.send(new PutObjectCommand({ Bucket: stack.resultsBucket, Key, Body: 'text' }));
    }
    await stack.close();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + startDay * DAY_MS);
    const later = await startStack({ dataDir });
    // Without a request, whose signature would have another time than the server's answers.
    const keys = async () => {
      const found: string[] = [];
      for await (const key of later.stack.store.list(later.stack.resultsBucket, '')) found.push(key);
      return found;
    };
    if (startDay === 20) {
      await new Promise(setImmediate);
      expect(await keys()).toEqual(['done/a', 'work/a', 'worker']);
      await vi.advanceTimersByTimeAsync(2 * DAY_MS);
    }
    await eventually(async () => expect(await keys()).toEqual(['done/a', 'worker']));
  });

  test('that are not implemented are refused at the start', async () => {
    const { template } = await builtProgram(temporaryFolder());
    const [rules] = Object.values(template.Resources).flatMap(
      ({ Properties }) => (Properties.LifecycleConfiguration as { Rules: object[] } | undefined) ?? [],
    );
    rules!.Rules.push({ Status: 'Enabled', Transitions: [] });
    await expect(startStack({ template })).rejects.toThrow('lifecycle rules');
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
