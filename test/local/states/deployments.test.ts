import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Deployments } from '../../../lib/local/states/deployments.ts';
import type { StackTemplate } from '../../../lib/local/states/template.ts';
import { temporaryFolder } from '../fixture-function.ts';

interface Program {
  readonly code?: string;
  readonly template?: string;
  readonly inUse?: readonly string[];
}

/** The deployments of one program; `builds` has an entry for each build. */
function deploymentsOf(folder: string, { code = 'a', template = 'a', inUse = [] }: Program = {}, faults = 0) {
  let left = faults;
  const builds: string[] = [];
  const deployments = new Deployments({
    folder,
    synthesise: async () => ({ Resources: {}, Outputs: { template: { Value: template } } }),
    build: async (_template: StackTemplate, codeDir: string) => {
      builds.push(code);
      if (left-- > 0) throw new Error('ENOSPC: no space left on device');
      mkdirSync(join(codeDir, 'sub'));
      writeFileSync(join(codeDir, 'sub/a.mjs'), code);
    },
    inUse: () => inUse,
  });
  return { deployments, builds };
}

async function deploy(folder: string, program: Program = {}): Promise<string> {
  return (await deploymentsOf(folder, program).deployments.newest()).id;
}

test('a deployment is built once, and found again with its template and code', async () => {
  const folder = join(temporaryFolder(), 'deployments');
  const { deployments, builds } = deploymentsOf(folder);
  const [first, again] = await Promise.all([deployments.newest(), deployments.newest()]);
  expect(again).toEqual(first);
  expect(builds).toEqual(['a']);
  expect(deployments.get(first.id)).toEqual(first);
  expect(first.id).toMatch(/^[0-9a-f]{16}$/);
  expect(first.template.Outputs).toEqual({ template: { Value: 'a' } });
  expect(readFileSync(join(first.codeDir, 'sub/a.mjs'), 'utf8')).toBe('a');
  expect(readdirSync(folder)).toEqual([first.id]);
});

test('a deployment that found no space is built at the next call', async () => {
  const { deployments, builds } = deploymentsOf(join(temporaryFolder(), 'deployments'), {}, 1);
  await expect(deployments.newest()).rejects.toThrow('ENOSPC');
  expect((await deployments.newest()).id).toMatch(/^[0-9a-f]{16}$/);
  expect(builds).toEqual(['a', 'a']);
});

test('equal content gives the same deployment, in another process and another folder', async () => {
  const folder = temporaryFolder();
  const id = await deploy(folder);
  expect(await deploy(folder)).toBe(id);
  expect(await deploy(temporaryFolder())).toBe(id);
  expect(readdirSync(folder)).toEqual([id]);
});

test.each([{ code: 'b' }, { template: 'b' }])('%j gives another deployment', async (program) => {
  const folder = temporaryFolder();
  const id = await deploy(folder);
  expect(await deploy(folder, { ...program, inUse: [id] })).not.toBe(id);
  expect(readdirSync(folder)).toHaveLength(2);
});

test('a new deployment removes unfinished ones and those that no execution needs', async () => {
  const folder = temporaryFolder();
  const needed = await deploy(folder);
  const other = await deploy(folder, { code: 'b', inUse: [needed] });
  mkdirSync(join(folder, 'unfinished/code'), { recursive: true });
  writeFileSync(join(folder, 'unfinished/code/x.mjs'), '');
  const newest = await deploy(folder, { code: 'c', inUse: [needed] });
  expect(readdirSync(folder).sort()).toEqual([needed, newest].sort());
  expect(existsSync(join(folder, newest, 'code/x.mjs'))).toBe(false);
  const { deployments } = deploymentsOf(folder);
  expect(() => deployments.get(other)).toThrow(join(folder, other));
  expect(deployments.get(needed).id).toBe(needed);
});
