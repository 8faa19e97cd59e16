import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../lib/local/build-cache.ts';
import { temporaryFolder } from './fixture-function.ts';

/** A name that no other run of these tests uses. */
const NAME = `test-${process.pid}-${Date.now()}`;

test('builds once, and copies the result afterwards', async () => {
  const folder = temporaryFolder();
  let builds = 0;
  let cached = '';
  const build = async (target: string) => {
    builds++;
    cached = join(target, '..', NAME);
    writeFileSync(join(target, 'result.txt'), `build ${builds}`);
  };
  onTestFinished(() => rmSync(cached, { recursive: true, force: true }));
  for (const name of ['first', 'second']) {
    mkdirSync(join(folder, name));
    await buildOnce(NAME, join(folder, name), build);
    expect(readFileSync(join(folder, name, 'result.txt'), 'utf8')).toBe('build 1');
  }
  expect(builds).toBe(1);
});

test('a build that fails is tried again', async () => {
  const name = `${NAME}-failing`;
  await expect(
    buildOnce(name, temporaryFolder(), async () => {
      throw new Error('no compiler');
    }),
  ).rejects.toThrow('no compiler');
  let cached = '';
  const folder = temporaryFolder();
  await buildOnce(name, folder, async (target) => {
    cached = join(target, '..', name);
    writeFileSync(join(target, 'result.txt'), 'built');
  });
  rmSync(cached, { recursive: true });
  expect(readFileSync(join(folder, 'result.txt'), 'utf8')).toBe('built');
});
