import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildOnce, Deployments } from '../../lib/local/deployments.ts';
import { temporaryFolder } from './fixture-function.ts';

/** A program with this code and template. */
function program(code = 'a', template = 'a') {
  const codeDir = temporaryFolder();
  mkdirSync(join(codeDir, 'sub'));
  writeFileSync(join(codeDir, 'sub/a.mjs'), code);
  return { codeDir, template: { Resources: {}, Outputs: { template: { Value: template } } } };
}

test('a deployment is found again with its template and code, in each folder by the same name', async () => {
  const folder = join(temporaryFolder(), 'deployments');
  const deployments = new Deployments(folder);
  const first = await deployments.newest(program());
  expect(await deployments.newest(program())).toEqual(first);
  expect((await new Deployments(temporaryFolder()).newest(program())).id).toBe(first.id);
  expect(deployments.get(first.id)).toEqual(first);
  expect(first.template.Outputs).toEqual({ template: { Value: 'a' } });
  expect(readFileSync(join(first.codeDir, 'sub/a.mjs'), 'utf8')).toBe('a');
  expect(readdirSync(folder)).toEqual([first.id]);
});

test('another code or template gives another deployment; those that no execution needs are removed', async () => {
  const folder = temporaryFolder();
  const deployments = new Deployments(folder);
  const needed = await deployments.newest(program());
  const other = await deployments.newest(program('b'));
  const newest = await deployments.newest(program('a', 'b'));
  expect(new Set([needed.id, other.id, newest.id]).size).toBe(3);
  mkdirSync(join(folder, 'unfinished-x/code'), { recursive: true });
  deployments.retain(new Set([needed.id, newest.id]));
  expect(readdirSync(folder).sort()).toEqual([needed.id, newest.id].sort());
  expect(() => deployments.get(other.id)).toThrow(join(folder, other.id));
});

test('a deployment whose files were damaged is written again', async () => {
  const deployments = new Deployments(temporaryFolder());
  const { codeDir } = await deployments.newest(program());
  writeFileSync(join(codeDir, 'sub/a.mjs'), 'damaged');
  await deployments.newest(program());
  expect(readFileSync(join(codeDir, 'sub/a.mjs'), 'utf8')).toBe('a');
});

/** @returns what is in the folder with the result */
async function built(cache: string, text: string, name = 'a-0123456789abcdef'): Promise<string> {
  const folder = await buildOnce(cache, name, async (to) => writeFileSync(join(to, 'a'), text));
  return readFileSync(join(folder, 'a'), 'utf8');
}

test('a build is reused until its sources change, by processes that need it at the same time too', async () => {
  const cache = temporaryFolder();
  expect(await Promise.all([built(cache, 'first'), built(cache, 'second')])).toEqual(['first', 'first']);
  expect(await built(cache, 'third')).toBe('first');
  expect(await built(cache, 'fourth', 'a-fedcba9876543210')).toBe('fourth');
});

test('a build that was interrupted is built again', async () => {
  const cache = temporaryFolder();
  const failing = buildOnce(cache, 'a-0123456789abcdef', async (to) => {
    writeFileSync(join(to, 'a'), 'half');
    throw new Error('ENOSPC');
  });
  await expect(failing).rejects.toThrow('ENOSPC');
  expect(await built(cache, 'first')).toBe('first');
});
