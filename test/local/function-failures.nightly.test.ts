import { afterAll, describe, expect, test } from 'vitest';
import { errorOf, fixtureHost, payloadOf } from './fixture-function.ts';

describe('a child that ends during an invocation', () => {
  const source = `
    const held = [];
    export const handler = async (what) => {
      switch (what) {
        case 'spin': for (;;);
        case 'wait': return new Promise(() => setInterval(() => {}, 1000));
        case 'exit 3': process.exit(3);
        case 'exit 0': process.exit(0);
        case 'abort': process.kill(process.pid, 'SIGABRT'); return new Promise(() => setInterval(() => {}, 1000));
        case 'buffers': for (;;) held.push(Buffer.alloc(8 << 20, 1));
        case 'slow buffers': return new Promise(() => setInterval(() => held.push(Buffer.alloc(8 << 20, 1)), 5));
        case 'rejection': Promise.reject(new Error('unawaited')); return new Promise(() => {});
        case 'exception': setImmediate(() => { throw new RangeError('uncaught') }); return new Promise(() => {});
        case 'stuck': return new Promise(() => {});
      }
      return process.pid;
    }`;
  const patient = fixtureHost(source, {}, {}, afterAll);
  const strict = fixtureHost(source, { timeoutMs: 800 }, {}, afterAll);

  test.each([
    ['is busy at its timeout', 'spin', 'Sandbox.Timedout', 'Task timed out after 0.80 seconds'],
    ['waits at its timeout', 'wait', 'Sandbox.Timedout', 'Task timed out after 0.80 seconds'],
    ['exits with an error', 'exit 3', 'Runtime.ExitError', 'Runtime exited with error: exit status 3'],
    ['exits without an error', 'exit 0', 'Runtime.ExitError', 'Runtime exited without providing a reason'],
    ['is ended by a signal', 'abort', 'Runtime.ExitError', 'Runtime exited with error: signal: SIGABRT'],
    ['has an unhandled rejection', 'rejection', 'Error', 'unawaited'],
    ['has an uncaught exception', 'exception', 'RangeError', 'uncaught'],
    ['has an empty event loop', 'stuck', 'Runtime.ExitError', 'exit status 13'],
  ])(
    'gives an error if it %s, and the next invocation has a new child',
    async (_name, what, errorType, message) => {
      const host = errorType === 'Sandbox.Timedout' ? strict : patient;
      const pid = payloadOf(await host.invoke('pid'));
      const error = errorOf(await host.invoke(what));
      expect(error).toMatchObject({ errorType, errorMessage: expect.stringContaining(message) });
      expect(payloadOf(await host.invoke('pid'))).not.toBe(pid);
    },
  );

  test('is killed for too much memory outside the heap', async () => {
    const host = fixtureHost(source, {}, { memoryMb: 300 });
    expect(errorOf(await host.invoke('slow buffers')).errorType).toBe('Runtime.OutOfMemory');
  });
});

describe('a function that cannot be loaded', () => {
  test.each([
    ['throws', "throw new TypeError('no such table')", 'fixture.handler', 'TypeError', 'no such table'],
    ['has a syntax error', 'export const = 1', 'fixture.handler', 'SyntaxError', 'Unexpected token'],
    ['exports no handler', 'export {}', 'fixture.handler', 'Error', 'fixture.handler is no function'],
    ['exports something else', 'export const handler = 1', 'fixture.handler', 'Error', 'is no function'],
    ['does not exist', '', 'other.handler', 'Error', 'Cannot find module'],
    ['ends the process', 'process.exit(7)', 'fixture.handler', 'Runtime.ExitError', 'exit status 7'],
  ])('gives the reason if it %s', async (_name, source, handler, errorType, message) => {
    const host = fixtureHost(source, {}, { handler });
    const error = errorOf(await host.invoke(null));
    expect(error).toMatchObject({ errorType, errorMessage: expect.stringContaining(message) });
  });

  test('is loaded again for the next invocation, since the error may be temporary', async () => {
    const source = `
      import { existsSync, writeFileSync } from 'node:fs';
      const mark = process.env.LAMBDA_TASK_ROOT + '/mark';
      if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('not yet'); }
      export const handler = () => 'now';`;
    const host = fixtureHost(source);
    expect(errorOf(await host.invoke(null)).errorMessage).toBe('not yet');
    expect(payloadOf(await host.invoke(null))).toBe('now');
  });

  test('fails if it does not initialise in time', async () => {
    const source = 'setInterval(() => {}, 1000); await new Promise(() => {}); export const handler = () => 1';
    const host = fixtureHost(source, { timeoutMs: 500 });
    expect(errorOf(await host.invoke(null)).errorMessage).toContain('Task timed out after 10.00 seconds');
  });
});
