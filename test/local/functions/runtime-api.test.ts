import { expect, onTestFinished, test } from 'vitest';
import { MAX_RESPONSE_BYTES } from '../../../lib/local/functions/invocation-result.ts';
import { RuntimeApi } from '../../../lib/local/functions/runtime-api.ts';

const INVOCATION = {
  requestId: '8476a536-e9f4-11e8-9739-2dfe598c3fcd',
  payload: Buffer.from('{"a":"ü"}'),
  deadlineEpochMs: 1_542_409_706_888,
  functionArn: 'arn:aws:lambda:us-east-2:000000000000:function:fixture',
};

/** A Runtime API that notes what it is told, and gives the invocation above to whoever waits. */
async function startApi() {
  const told: unknown[] = [];
  const api: RuntimeApi = await RuntimeApi.start({
    waiting: () => api.sendEvent(INVOCATION),
    responded: (id, payload) => told.push(['responded', id, payload.toString()]),
    failed: (id, error) => told.push(['failed', id, error]),
    initFailed: (error) => told.push(['initFailed', error]),
  });
  onTestFinished(() => api.close());
  const url = `http://${api.address}/2018-06-01/runtime`;
  const post = (path: string, body: string) => fetch(`${url}/${path}`, { method: 'POST', body });
  return { url, told, post };
}

test('an event comes with its request id, deadline and function, as Lambda names them', async () => {
  const { url } = await startApi();
  const response = await fetch(`${url}/invocation/next`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Lambda-Runtime-Aws-Request-Id')).toBe(INVOCATION.requestId);
  expect(response.headers.get('Lambda-Runtime-Deadline-Ms')).toBe('1542409706888');
  expect(response.headers.get('Lambda-Runtime-Invoked-Function-Arn')).toBe(INVOCATION.functionArn);
  expect(await response.text()).toBe('{"a":"ü"}');
});

test('a connection may idle for as long as a handler runs', async () => {
  const { url } = await startApi();
  const response = await fetch(`${url}/invocation/next`);
  // Where the server means to cut an idle connection, this header says after how many seconds.
  expect(response.headers.get('Keep-Alive')).toBeNull();
  await response.text();
});

test.each([
  [
    'an answer',
    `invocation/${INVOCATION.requestId}/response`,
    '[1]',
    ['responded', INVOCATION.requestId, '[1]'],
  ],
  [
    'an error with its stack',
    `invocation/${INVOCATION.requestId}/error`,
    '{"errorType":"Error","errorMessage":"no","trace":["at x"]}',
    ['failed', INVOCATION.requestId, { errorType: 'Error', errorMessage: 'no', trace: ['at x'] }],
  ],
  [
    'an error in no known form',
    `invocation/${INVOCATION.requestId}/error`,
    'no',
    ['failed', INVOCATION.requestId, { errorType: 'Runtime.Unknown', errorMessage: 'no' }],
  ],
  [
    'an error of loading',
    'init/error',
    '{"errorType":"Error","errorMessage":"no"}',
    ['initFailed', { errorType: 'Error', errorMessage: 'no', trace: undefined }],
  ],
])('%s is taken with 202', async (_name, path, body, expected) => {
  const { url, told, post } = await startApi();
  await (await fetch(`${url}/invocation/next`)).text();
  expect((await post(path, body)).status).toBe(202);
  expect(told).toEqual([expected]);
});

test('an answer that is too long gets 413 and fails the invocation', async () => {
  const { url, told, post } = await startApi();
  await (await fetch(`${url}/invocation/next`)).text();
  const response = await post(
    `invocation/${INVOCATION.requestId}/response`,
    'x'.repeat(MAX_RESPONSE_BYTES + 1),
  );
  expect(response.status).toBe(413);
  expect(told).toMatchObject([
    ['failed', INVOCATION.requestId, { errorType: 'Function.ResponseSizeTooLarge' }],
  ]);
});

test('an answer to an event that is not open, or a second one, gets 400', async () => {
  const { url, told, post } = await startApi();
  await (await fetch(`${url}/invocation/next`)).text();
  expect((await post('invocation/other/response', '1')).status).toBe(400);
  expect((await post(`invocation/${INVOCATION.requestId}/response`, '1')).status).toBe(202);
  expect((await post(`invocation/${INVOCATION.requestId}/response`, '2')).status).toBe(400);
  expect(told).toEqual([['responded', INVOCATION.requestId, '1']]);
});

test('a call that the Runtime API does not have gets 404', async () => {
  const { post } = await startApi();
  expect((await post('invocation/next', '')).status).toBe(404);
});
