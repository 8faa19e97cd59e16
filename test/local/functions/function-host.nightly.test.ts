import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LogLine } from '../../../lib/local/functions/execution-environment.ts';
import { eventually } from '../../support/eventually.ts';
import { isRunning } from '../../support/is-running.ts';
import {
  errorOf,
  fixtureFunction,
  fixtureHost,
  NEVER_MS,
  payloadOf,
  temporaryFolder,
} from '../fixture-function.ts';

describe('an invocation', () => {
  test('passes the handler its event and the context of Lambda', async () => {
    // The system's time is set while the function runs.
    const source = `export const handler = async (event, context) => {
      const now = Date.now();
      Date.now = () => now + 86_400_000;
      return { event, context, remainingMs: context.getRemainingTimeInMillis() };
    }`;
    const host = fixtureHost(source, { timeoutMs: 60_000 });
    const result = await host.invoke({ text: 'a+b %20 ü' });
    const answer = payloadOf(result) as Record<string, never>;
    expect(answer.event).toEqual({ text: 'a+b %20 ü' });
    expect(answer.context).toMatchObject({
      awsRequestId: result.requestId,
      functionName: 'fixture',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:fixture',
      logGroupName: '/aws/lambda/fixture',
      memoryLimitInMB: '512',
    });
    expect(answer.remainingMs).toBeGreaterThan(0);
    expect(answer.remainingMs).toBeLessThanOrEqual(60_000);
  });

  test('passes the handler of a version that version', async () => {
    const source = `export const handler = async (event, { functionVersion, invokedFunctionArn }) =>
      [functionVersion, invokedFunctionArn];`;
    const host = fixtureHost(source, {}, { version: '7' });
    expect(payloadOf(await host.invoke(null))).toEqual([
      '7',
      'arn:aws:lambda:eu-west-1:000000000000:function:fixture:7',
    ]);
  });

  test('has the variables of Lambda and its own, and none of the parent', async () => {
    process.env.DLX_BATCH_OF_THE_PARENT = 'seen';
    onTestFinished(() => {
      delete process.env.DLX_BATCH_OF_THE_PARENT;
    });
    const source = 'export const handler = async () => ({ cwd: process.cwd(), ...process.env })';
    const environment = { RESULTS_BUCKET: 'results', AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000' };
    const host = fixtureHost(source, {}, { environment });
    const seen = payloadOf(await host.invoke(null)) as Record<string, string>;
    expect(seen).toEqual({
      cwd: seen.LAMBDA_TASK_ROOT,
      _HANDLER: 'fixture.handler',
      AWS_ACCESS_KEY_ID: 'AKIDLOCAL',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_FUNCTION_NAME: 'fixture',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/fixture',
      AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
      AWS_REGION: 'eu-west-1',
      AWS_SECRET_ACCESS_KEY: 'not-a-secret',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      LAMBDA_TASK_ROOT: expect.stringContaining('dlx-batch-test-'),
      LANG: 'en_US.UTF-8',
      RESULTS_BUCKET: 'results',
      TZ: ':UTC',
    });
  });

  test('reuses a warm child, and may have a long event and result, or none', async () => {
    const host = fixtureHost(
      "let calls = 0; export const handler = async (x) => x && [process.pid, ++calls, x + 'x']",
    );
    const long = 'x'.repeat(1_000_000);
    const first = payloadOf(await host.invoke(long)) as unknown[];
    expect(payloadOf(await host.invoke(null))).toBeNull();
    expect(payloadOf(await host.invoke(long))).toEqual([first[0], 2, `${long}x`]);
    expect(payloadOf(await fixtureHost('export const handler = () => {}').invoke(1))).toBeNull();
  });
});

describe('an error of the handler', () => {
  const source = `
    class NoSuchPuzzle extends Error { name = 'NoSuchPuzzle' }
    const circular = {}; circular.self = circular;
    export const handler = async (what) => {
      if (what === 'error') throw new NoSuchPuzzle('it is missing');
      if (what === 'string') throw 'just text';
      if (what === 'circular') return circular;
      if (what === 'bigint') return 1n;
      return process.pid;
    }`;
  const host = fixtureHost(source, {}, {}, afterAll);

  test.each([
    ['an Error', 'error', 'NoSuchPuzzle', 'it is missing'],
    ['a thrown string', 'string', 'string', 'just text'],
    ['a circular result', 'circular', 'TypeError', 'circular structure'],
    ['a result with a bigint', 'bigint', 'TypeError', 'BigInt'],
  ])('is reported for %s, and the child keeps running', async (_name, what, errorType, message) => {
    const pid = payloadOf(await host.invoke('pid'));
    const error = errorOf(await host.invoke(what));
    expect(error.errorType).toBe(errorType);
    expect(error.errorMessage).toContain(message);
    expect(payloadOf(await host.invoke('pid'))).toBe(pid);
  });

  test('includes its stack trace', async () => {
    const result = await host.invoke('error');
    expect(result).toMatchObject({
      error: { trace: expect.arrayContaining([expect.stringContaining('fixture.mjs')]) },
    });
  });
});

describe('several invocations', () => {
  test('run in parallel up to the concurrency', async () => {
    // Each waits until all have started: with fewer children than invocations the test would time out.
    const source = `
      import { readdirSync, writeFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      export const handler = async ({ folder, name, all }) => {
        writeFileSync(folder + '/' + name, '');
        while (readdirSync(folder).length < all) await setTimeout(5);
        return process.pid;
      }`;
    const folder = temporaryFolder();
    const host = fixtureHost(source, { concurrency: 3 });
    const results = await Promise.all(['a', 'b', 'c'].map((name) => host.invoke({ folder, name, all: 3 })));
    expect(new Set(results.map(payloadOf)).size).toBe(3);
    expect(host.children).toBe(3);
  });

  test('run sequentially in one child, in the order of their calls', async () => {
    const source = `
      import { setTimeout } from 'node:timers/promises';
      let running = 0; const seen = [];
      export const handler = async (name) => {
        seen.push(name + ++running);
        await setTimeout(10);
        running--;
        return seen;
      }`;
    const host = fixtureHost(source);
    const results = await Promise.all(['a', 'b', 'c'].map((name) => host.invoke(name)));
    expect(payloadOf(results[2])).toEqual(['a1', 'b1', 'c1']);
  });
});

test('each line that a child writes is logged, also a last one without a line feed', async () => {
  const entries: LogLine[] = [];
  const source = `export const handler = async () => {
    console.log('one\\ntwo'); console.error('wrong'); process.stdout.write('no end'); }`;
  const host = fixtureHost(source, { onLog: (entry) => entries.push(entry) });
  payloadOf(await host.invoke(null));
  await host.close();
  const lines = (stream: string) =>
    entries.filter((entry) => entry.stream === stream).map((entry) => entry.line);
  expect(lines('stdout')).toEqual(['one', 'two', 'no end']);
  expect(lines('stderr')).toEqual(['wrong']);
});

describe('close', () => {
  test('leaves no child, warm or busy, and answers running and waiting invocations', async () => {
    const source = `export const handler = async (what) => {
      if (what === 'pid') return process.pid;
      console.log(process.pid);
      return new Promise(() => setInterval(() => {}, 1000)); }`;
    const busyPid = Promise.withResolvers<number>();
    const host = fixtureHost(source, { concurrency: 2, onLog: ({ line }) => busyPid.resolve(Number(line)) });
    const busy = host.invoke('wait');
    const pids = [payloadOf(await host.invoke('pid')) as number, await busyPid.promise];
    const waiting = [host.invoke('wait'), host.invoke('wait')];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await host.close();
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(host.children).toBe(0);
    for (const result of await Promise.all([busy, ...waiting, host.invoke('pid')])) {
      expect(errorOf(result).errorType).toBe('Host.Closed');
    }
  });

  test('ends a child that is starting', async () => {
    const host = fixtureHost('export const handler = () => 1');
    const invocation = host.invoke(null);
    // The host runs synchronously up to the start of its first child.
    await Promise.resolve();
    await host.close();
    expect(host.children).toBe(0);
    expect(errorOf(await invocation).errorType).toBe('Host.Closed');
  });

  test.for([
    ['wait', ''],
    ['compute', 'for (;;);'],
  ])('is not needed if the parent is killed: its children end too, also if they %s', async ([, work]) => {
    // The child connects to this server; the connection closes when the child ends, whatever its parent is then.
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const configuration = fixtureFunction(`
      import { connect } from 'node:net';
      export const handler = (port) => new Promise(() => {
        const socket = connect(port, '127.0.0.1', () => socket.write(String(process.pid), () => { ${work} }));
      });`);
    const parent = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { FunctionHost } from ${JSON.stringify(join(import.meta.dirname, '../../../lib/local/functions/function-host.ts'))};
       const configuration = ${JSON.stringify(configuration)};
       new FunctionHost({ configuration, timeoutMs: ${NEVER_MS}, concurrency: 1 }).invoke(${port});`,
    ]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [child] = (await once(server, 'connection')) as [Socket];
    child.on('error', () => {});
    const pid = Number((await once(child, 'data'))[0]);
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    const ended = once(child, 'close');
    parent.kill('SIGKILL');
    await ended;
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});
