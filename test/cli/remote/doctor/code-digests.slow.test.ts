/** The code of a function is compared by its content, however its archive was written. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkCode } from '../../../../lib/cli/remote/doctor/checks/functions.ts';
import { deployedDigests, ownDigests } from '../../../../lib/cli/remote/doctor/code-digests.ts';
import { temporaryFolder } from '../../../local/fixture-function.ts';
import { builtProgram } from '../../../support/built-program.ts';
import { scriptedServer } from '../../../support/scripted-server.ts';
import { zipOf } from '../../../support/zip.ts';

test('code that this program deploys, without its source map, and other code', async () => {
  const { codeDir } = await builtProgram(temporaryFolder(onTestFinished));
  const code = await readFile(join(codeDir, 'run-step.mjs'), 'utf8');
  expect(code).toMatch(/\/\/# sourceMappingURL=.*\n$/);
  const withoutMap = code.replace(/\/\/# sourceMappingURL=.*\n$/, '');
  const own = await ownDigests(['run-step']);
  for (const [content, status] of [
    [code, 'ok'],
    [withoutMap, 'ok'],
    [`${withoutMap};`, 'warn'],
  ] as const) {
    const archive = zipOf({ name: 'run-step.mjs.map', content: '{}' }, { name: 'run-step.mjs', content });
    const { endpoint } = await scriptedServer((response) => response.end(archive));
    const functions = [
      { handler: 'run-step.handler', codeUrl: endpoint },
      { handler: 'index.handler', codeUrl: endpoint },
    ];
    expect(checkCode(await deployedDigests(functions), own, '1.0.0').status).toBe(status);
  }
});

test('code that cannot be downloaded', async () => {
  const { endpoint } = await scriptedServer((response) => response.writeHead(403).end());
  const functions = [{ handler: 'run-step.handler', codeUrl: endpoint }];
  await expect(deployedDigests(functions)).rejects.toThrow('the code of run-step cannot be downloaded: 403');
  const nowhere = [{ handler: 'run-step.handler', codeUrl: 'http://127.0.0.1:1' }];
  await expect(deployedDigests(nowhere)).rejects.toThrow('the code of run-step cannot be downloaded: ');
});
