/** The tutorials run as they are written, those of a stack on a local one, and print what they show. */
import { expect, it, onTestFinished } from 'vitest';
import { type ServedStack, serveStack } from '../cli/served-stack.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { TUTORIALS, testTutorial, WITH_STACK } from './tutorials.ts';

function environmentOf({ endpoint, region, accessKeyId, secretAccessKey }: ServedStack): NodeJS.ProcessEnv {
  return {
    DLX_BATCH_ENDPOINT: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

it('are found', () => {
  expect(TUTORIALS).toEqual(expect.arrayContaining(WITH_STACK));
});

it.each(TUTORIALS.filter((path) => !WITH_STACK.includes(path)))('%s', (path) => testTutorial(path));

it.each(WITH_STACK)('%s', async (path) => {
  const stack = await serveStack(temporaryFolder(onTestFinished));
  onTestFinished(() => stack.stop());
  await testTutorial(path, environmentOf(stack));
});
