import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleFunctions } from '../../../lib/local/functions/bundle.ts';
import { FunctionHost } from '../../../lib/local/functions/function-host.ts';
import { fixtureFunction, NEVER_MS, temporaryFolder } from '../fixture-function.ts';

test('a bundled function runs in the host, from a folder that bundling created', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'functions'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'functions/words.ts'), 'export const words: string[] = ["solved"];');
  writeFileSync(
    join(root, 'functions/solve-batch.ts'),
    `import { words } from './words.ts';
     export async function handler(event: { index: number }): Promise<string> { return words[event.index]; }`,
  );
  mkdirSync(join(root, 'lib/node'), { recursive: true });
  writeFileSync(join(root, 'lib/node/solver-worker.ts'), '');
  const codeDir = join(temporaryFolder(), 'a', 'b');
  await bundleFunctions(['solve-batch'], codeDir, root);
  const configuration = { ...fixtureFunction(''), codeDir, handler: 'solve-batch.handler' };
  const host = new FunctionHost({ configuration, timeoutMs: NEVER_MS, concurrency: 1 });
  onTestFinished(() => host.close());
  expect(await host.invoke({ index: 0 })).toMatchObject({ ok: true, payload: 'solved' });
});

test.each([
  { name: 'solve-shard', bundles: ['solve-shard', 'solver-worker'] },
  { name: 'sweep-inbox', bundles: ['sweep-inbox'] },
] as const)('$name is bundled into the deployed files: $bundles', async ({ name, bundles }) => {
  const codeDir = temporaryFolder();
  await bundleFunctions([name], codeDir);
  expect(readdirSync(codeDir).sort()).toEqual(
    bundles.flatMap((bundle) => [`${bundle}.mjs`, `${bundle}.mjs.map`]),
  );
});
