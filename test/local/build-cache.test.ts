import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildOnce, sourcesDigest } from '../../lib/local/build-cache.ts';
import { temporaryFolder } from './fixture-function.ts';

/** Builds of a test, with a cache of its own unless it names others. */
function builds(caches = [join(temporaryFolder(), 'cache')]) {
  let count = 0;
  return {
    caches,
    get count() {
      return count;
    },
    /** The result of a start of the stack. */
    async start(name = 'name'): Promise<string> {
      const outDir = join(temporaryFolder(), 'out');
      const build = async (folder: string) => {
        count++;
        mkdirSync(join(folder, 'sub'));
        writeFileSync(join(folder, 'a.txt'), 'a');
        writeFileSync(join(folder, 'sub/b.txt'), 'b');
      };
      await buildOnce(name, outDir, build, caches);
      return readFileSync(join(outDir, 'a.txt'), 'utf8') + readFileSync(join(outDir, 'sub/b.txt'), 'utf8');
    },
  };
}

/** The files of a cache, by their path in their result. */
function cached(cache: string): string[] {
  return readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(cache, path)).isFile(),
  );
}

test('builds once for each name, and copies the result afterwards', async () => {
  const all = builds();
  for (const name of ['one', 'one', 'two', 'two']) expect(await all.start(name)).toBe('ab');
  expect(all.count).toBe(2);
});

test.for([
  ['is missing', (path: string) => rmSync(path)],
  ['is empty', (path: string) => writeFileSync(path, '')],
  ['has other content', (path: string) => writeFileSync(path, 'c')],
] as const)('a result is built again, once, if a file of it %s', async ([, damage]) => {
  const all = builds();
  const [cache] = all.caches;
  await all.start();
  for (let file = 0; file < 2; file++) {
    damage(join(cache!, cached(cache!).sort()[file]!));
    expect(await all.start()).toBe('ab');
    expect(await all.start()).toBe('ab');
    expect(all.count).toBe(2 + file);
  }
});

test('starts at the same time all get the result of one build', async () => {
  const all = builds();
  expect(await Promise.all([all.start(), all.start(), all.start()])).toEqual(['ab', 'ab', 'ab']);
  expect(cached(all.caches[0]!)).toHaveLength(2);
  expect(all.count).toBe(1);
});

test('a start builds if the start that it waits for fails', async () => {
  const all = builds();
  const failing = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('no compiler');
  };
  const failed = expect(buildOnce('name', temporaryFolder(), failing, all.caches)).rejects.toThrow(
    'no compiler',
  );
  expect(await all.start()).toBe('ab');
  await failed;
  expect(all.count).toBe(1);
});

test('a build that fails leaves nothing, and is tried again', async () => {
  const all = builds();
  const failing = async () => {
    throw new Error('no compiler');
  };
  await expect(buildOnce('name', temporaryFolder(), failing, all.caches)).rejects.toThrow('no compiler');
  expect(readdirSync(all.caches[0]!)).toEqual([]);
  expect(await all.start()).toBe('ab');
});

test('a process that is killed while it builds leaves nothing that is used', async () => {
  const all = builds();
  const module = join(import.meta.dirname, '../../lib/local/build-cache.ts');
  const killed = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { writeFileSync } from 'node:fs';
     import { buildOnce } from ${JSON.stringify(module)};
     await buildOnce('name', ${JSON.stringify(temporaryFolder())}, (folder) => {
       writeFileSync(folder + '/a.txt', 'half');
       process.kill(process.pid, 'SIGKILL');
     }, ${JSON.stringify(all.caches)});`,
  ]);
  onTestFinished(() => void killed.kill('SIGKILL'));
  await once(killed, 'close');
  const unfinished = readdirSync(all.caches[0]!).find((name) => name.startsWith('unfinished-'));
  expect(readFileSync(join(all.caches[0]!, unfinished!, 'a.txt'), 'utf8')).toBe('half');
  expect(await all.start()).toBe('ab');
  expect(await all.start()).toBe('ab');
  expect(all.count).toBe(1);
});

test('unfinished results and those of other sources are removed after three days, other folders are not', async () => {
  const all = builds();
  const [cache] = all.caches;
  const old = ['0123456789abcdef', 'unfinished-x', 'v24.0.0-x64-964aae3f-0'];
  for (const name of [...old, 'unfinished-new']) mkdirSync(join(cache!, name), { recursive: true });
  const time = new Date(Date.now() - 4 * 86_400_000);
  for (const name of old) utimesSync(join(cache!, name), time, time);
  await all.start();
  expect(readdirSync(cache!)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), 'unfinished-new', old[2]]);
});

test('a cache that cannot be written is replaced by the next one; without any, each start builds', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const second = builds([join(file, 'cache'), join(temporaryFolder(), 'cache')]);
  for (let start = 0; start < 2; start++) expect(await second.start()).toBe('ab');
  expect(second.count).toBe(1);
  const none = builds([join(file, 'cache')]);
  for (let start = 0; start < 2; start++) expect(await none.start()).toBe('ab');
  expect(none.count).toBe(2);
});

test('the cache of another user is neither used nor changed', async () => {
  const all = builds();
  await all.start();
  const before = cached(all.caches[0]!);
  const another = vi.spyOn(process, 'getuid').mockReturnValue(statSync(all.caches[0]!).uid + 1);
  onTestFinished(() => another.mockRestore());
  await all.start('other');
  await all.start();
  expect(all.count).toBe(3);
  expect(cached(all.caches[0]!)).toEqual(before);
});

test('the digest of the sources changes with each source, setting and dependency', () => {
  const root = temporaryFolder();
  const inputs = [
    'lib/batch/limits.ts',
    'functions/solve-batch.ts',
    'bin/app.ts',
    'cdk.json',
    'package.json',
    'package-lock.json',
    'node_modules/.package-lock.json',
  ];
  for (const path of inputs) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '1');
  }
  const digests = new Set([sourcesDigest(root)]);
  for (const path of inputs) {
    writeFileSync(join(root, path), '2');
    digests.add(sourcesDigest(root));
  }
  rmSync(join(root, 'node_modules'), { recursive: true });
  digests.add(sourcesDigest(root));
  expect(digests.size).toBe(inputs.length + 2);
});
