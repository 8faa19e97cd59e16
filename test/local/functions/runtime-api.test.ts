import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { RuntimeApi } from '../../../lib/local/functions/runtime-api.ts';

const MAX_RESPONSE_BYTES = 6_291_556;
const INVOCATION = {
  requestId: '8476a536-e9f4-11e8-9739-2dfe598c3fcd',
  payload: Buffer.from('{"a":"ü"}'),
  deadlineEpochMs: 1_542_409_706_888,
  functionArn: 'arn:aws:lambda:us-east-2:000000000000:function:fixture',
};

/** A Runtime API that records its calls, and gives the invocation above to each waiting client. */
async function startApi() {
  const calls: unknown[] = [];
  const api: RuntimeApi = await RuntimeApi.start({
    waiting: () => api.sendEvent(INVOCATION),
    responded: (id, outcome) =>
      calls.push(outcome.ok ? ['responded', id, outcome.payload] : ['failed', id, outcome.error]),
    initFailed: (error) => calls.push(['initFailed', error]),
  });
  onTestFinished(() => api.close());
  const url = `http://${api.address}/2018-06-01/runtime`;
  const post = (path: string, body: string) => fetch(`${url}/${path}`, { method: 'POST', body });
  return { url, calls, post };
}

test('an event has its request id, deadline and function in the headers of Lambda', async () => {
  const { url } = await startApi();
  const response = await fetch(`${url}/invocation/next`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Lambda-Runtime-Aws-Request-Id')).toBe(INVOCATION.requestId);
  expect(response.headers.get('Lambda-Runtime-Deadline-Ms')).toBe('1542409706888');
  expect(response.headers.get('Lambda-Runtime-Invoked-Function-Arn')).toBe(INVOCATION.functionArn);
  expect(await response.text()).toBe('{"a":"ü"}');
});

test('a connection may be idle as long as a handler runs', async () => {
  const { url } = await startApi();
  const response = await fetch(`${url}/invocation/next`);
  // With an idle timeout, this header would give its seconds.
  expect(response.headers.get('Keep-Alive')).toBeNull();
  await response.text();
});

test.each([
  [
    'a response',
    `invocation/${INVOCATION.requestId}/response`,
    '[1]',
    ['responded', INVOCATION.requestId, [1]],
  ],
  [
    'an error with its stack',
    `invocation/${INVOCATION.requestId}/error`,
    '{"errorType":"Error","errorMessage":"no","trace":["at x"]}',
    ['failed', INVOCATION.requestId, { errorType: 'Error', errorMessage: 'no', trace: ['at x'] }],
  ],
  [
    'an error in an unknown format',
    `invocation/${INVOCATION.requestId}/error`,
    'no',
    ['failed', INVOCATION.requestId, { errorType: 'Runtime.Unknown', errorMessage: 'no' }],
  ],
  [
    'an initialisation error',
    'init/error',
    '{"errorType":"Error","errorMessage":"no"}',
    ['initFailed', { errorType: 'Error', errorMessage: 'no', trace: undefined }],
  ],
])('%s is accepted with 202', async (_name, path, body, expected) => {
  const { url, calls, post } = await startApi();
  await (await fetch(`${url}/invocation/next`)).text();
  expect((await post(path, body)).status).toBe(202);
  expect(calls).toEqual([expected]);
});

test('a response that is too long gets 413 and fails the invocation', async () => {
  const { url, calls, post } = await startApi();
  await (await fetch(`${url}/invocation/next`)).text();
  const response = await post(
    `invocation/${INVOCATION.requestId}/response`,
    'x'.repeat(MAX_RESPONSE_BYTES + 1),
  );
  expect(response.status).toBe(413);
  expect(calls).toMatchObject([
    ['failed', INVOCATION.requestId, { errorType: 'Function.ResponseSizeTooLarge' }],
  ]);
});

test('a response to an unknown event, or a second one, gets 400', async () => {
  const { url, calls, post } = await startApi();
  await (await fetch(`${url}/invocation/next`)).text();
  expect((await post('invocation/other/response', '1')).status).toBe(400);
  expect((await post(`invocation/${INVOCATION.requestId}/response`, '1')).status).toBe(202);
  expect((await post(`invocation/${INVOCATION.requestId}/response`, '2')).status).toBe(400);
  expect(calls).toEqual([['responded', INVOCATION.requestId, 1]]);
});

test('an unknown call gets 404', async () => {
  const { post } = await startApi();
  expect((await post('invocation/next', '')).status).toBe(404);
});

test.each<[string, Record<string, string>, number]>([
  ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['at another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
  ['with its own name for this machine', { host: 'evil.example' }, 421],
])('a page %s takes no event and gives no response', async (_name, headers, status) => {
  const { url, calls } = await startApi();
  const ask = async (method: string, path: string) => {
    const asked = request(`${url}/${path}`, { method, headers, agent: false });
    asked.end('{}');
    const [response] = await once(asked, 'response');
    response.resume();
    return [response.statusCode, response.headers['lambda-runtime-aws-request-id']];
  };
  expect(await ask('GET', 'invocation/next')).toEqual([status, undefined]);
  expect(await ask('POST', 'init/error')).toEqual([status, undefined]);
  expect(calls).toEqual([]);
});

test('a program that was not given its path takes no event', async () => {
  const { url, calls } = await startApi();
  const { origin } = new URL(url);
  for (const path of ['', '/', `/${'0'.repeat(32)}`]) {
    expect((await fetch(`${origin}${path}/2018-06-01/runtime/invocation/next`)).status).toBe(404);
    const init = { method: 'POST', body: '{}' };
    expect((await fetch(`${origin}${path}/2018-06-01/runtime/init/error`, init)).status).toBe(404);
  }
  expect(calls).toEqual([]);
});
