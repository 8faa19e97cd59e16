/** The tutorials run as they are written, those of a stack on a local one, and print what they show. */
import { readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ServedStack, serveStack } from '../cli/served-stack.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { replay } from './tutorials.ts';

const TUTORIALS = readdirSync(new URL('../../docs/tutorials', import.meta.url)).map(
  (name) => `docs/tutorials/${name}`,
);
/** Tutorials of a stack. */
const WITH_STACK = ['docs/tutorials/from-zero-to-aws.md', 'docs/tutorials/nightly-batch.md'];

function environmentOf({ endpoint, region, accessKeyId, secretAccessKey }: ServedStack): NodeJS.ProcessEnv {
  return {
    DLX_BATCH_ENDPOINT: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

describe('the tutorials', () => {
  it('are found', () => {
    expect(TUTORIALS).toEqual(expect.arrayContaining(WITH_STACK));
  });

  it.each(TUTORIALS)('%s', async (path) => {
    const folder = temporaryFolder(onTestFinished);
    let environment: NodeJS.ProcessEnv = {};
    if (WITH_STACK.includes(path)) {
      const stack = await serveStack(temporaryFolder(onTestFinished));
      onTestFinished(() => stack.stop());
      environment = environmentOf(stack);
    }
    const { page, commands } = await replay(path, folder, environment);
    expect(commands.length).toBeGreaterThan(0);
    await expect(page).toMatchFileSnapshot(`../../${path}`);
  });
});
