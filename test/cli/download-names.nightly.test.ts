/** Downloads of keys whose folders would collide, here or on another operating system, and of jobs that fail. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';
import { readJson } from '../../lib/batch/storage/read-json.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { EASY, SOLUTION } from '../support/puzzles.ts';
import { folderWith, runProgram } from './program.ts';
import { serveSolved } from './solved-keys.ts';

/** Pairs and groups of keys that cannot all have the folder of their name. */
const KEYS = [
  'inbox/batch',
  'inbox/batch/solutions.txt',
  'inbox/batch/solutions.txt/manifest.json',
  'inbox/batch/writing.pid',
  'inbox/batch/x.part',
  'inbox/a.txt',
  'inbox/A.txt',
  'inbox/\u00fc.txt',
  'inbox/u\u0308.txt',
  'inbox/CON',
  'inbox/dot',
  'inbox/dot.',
  'inbox/dot ',
  'inbox/../up.txt',
  'inbox//empty',
  'inbox/back\\slash',
  'inbox/back/slash',
  'inbox/\u202emirrored',
  'inbox/mirrored',
  `inbox/${'long'.repeat(100)}a`,
  `inbox/${'long'.repeat(100)}b`,
];

let endpoint: string;

beforeAll(async () => {
  // Each key has a solution set of its own: as many lines as its position.
  ({ endpoint } = await serveSolved(KEYS, (key) => `${EASY}\n`.repeat(KEYS.indexOf(key) + 1)));
});

interface Result {
  readonly key: string;
  readonly folder?: string;
  readonly kept?: number;
  readonly failed?: string;
}

async function download(folder: string, ...args: string[]) {
  const ended = await runProgram(folder, ['download', '--endpoint', endpoint, '-o', 'out', ...args]);
  return { ...ended, results: () => JSON.parse(ended.stdout).results as readonly Result[] };
}

function solutionsIn(folder: string): number {
  const text = readFileSync(join(folder, 'solutions.txt'), 'utf8');
  expect(text.replaceAll(`${SOLUTION}\n`, '')).toBe('');
  return text.length / (SOLUTION.length + 1);
}

describe('download without keys', () => {
  test('gives every key a complete result set of its own, the same in every run', async () => {
    const folder = folderWith({}, onTestFinished);
    const first = await download(folder, '--json');
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(
      first
        .results()
        .map(({ key }) => key)
        .sort(),
    ).toEqual([...KEYS].sort());
    for (const { key, folder: set } of first.results()) {
      expect(solutionsIn(set!)).toBe(KEYS.indexOf(key) + 1);
      expect(JSON.parse(readFileSync(join(set!, 'manifest.json'), 'utf8')).input.key).toBe(key);
    }
    const again = await download(folder, '--json');
    expect(again.results().map(({ folder: set }) => set)).toEqual(
      first.results().map(({ folder: set }) => set),
    );
    expect(again.results().every(({ kept }) => kept! >= 4)).toBe(true);
    const alone = await download(folder, 'inbox/a.txt', '--json');
    const [{ folder: expected }] = first.results().filter(({ key }) => key === 'inbox/a.txt') as [Result];
    expect(alone.results()).toMatchObject([{ key: 'inbox/a.txt', folder: expected }]);
  });

  test('reports each job that fails, and continues with the others', async () => {
    const folder = folderWith(
      { 'out/inbox/batch': 'a file', 'out/inbox/dot/stats.json/x': '' },
      onTestFinished,
    );
    const { status, stdout, stderr } = await download(folder);
    expect(status).toBe(2);
    const failed = ['inbox/batch', 'inbox/batch/solutions.txt', 'inbox/batch/solutions.txt/manifest.json'];
    failed.push('inbox/batch/writing.pid', 'inbox/batch/x.part', 'inbox/dot');
    const lines = stderr.split('\n').filter((line) => line.startsWith('dlx-batch: '));
    expect(lines).toHaveLength(failed.length);
    for (const line of lines) {
      expect(line).toMatch(/^dlx-batch: \S*\/out\/inbox\/(batch|dot)\S*: ./);
    }
    expect(stderr.trimEnd().split('\n').at(-1)).toContain('dlx-batch download');
    expect(stdout.trimEnd().split('\n')).toHaveLength(KEYS.length - failed.length);
    const { results } = await download(folder, '--json');
    expect(
      results()
        .filter(({ failed: reason }) => reason !== undefined)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(failed.sort());
  });

  test('follows a symbolic link to a folder, and replaces links that have the names of files', async () => {
    const folder = folderWith({ 'other/mine.txt': 'mine', 'elsewhere/x': '' }, onTestFinished);
    symlinkSync('elsewhere', join(folder, 'out'));
    const set = join(folder, 'elsewhere/inbox/a.txt');
    mkdirSync(set, { recursive: true });
    for (const name of ['solutions.txt', 'solutions.txt.part', 'manifest.json', 'manifest.json.part']) {
      symlinkSync('../../../other/mine.txt', join(set, name));
    }
    const { status, stderr } = await download(folder, 'inbox/a.txt');
    expect([status, stderr]).toEqual([0, '']);
    expect(solutionsIn(set)).toBe(KEYS.indexOf('inbox/a.txt') + 1);
    expect(readFileSync(join(folder, 'other/mine.txt'), 'utf8')).toBe('mine');
  });

  test('of a manifest that names a file in another folder writes nothing there', async () => {
    const key = 'inbox/traversal.txt';
    const served = await serveSolved([key]);
    const { resultsBucket } = LOCAL_STACK;
    for await (const name of served.store.list(resultsBucket, `results/${key}/`)) {
      if (!name.endsWith('/manifest.json')) continue;
      const document = (await readJson<Manifest>({ store: served.store, resultsBucket }, name))!;
      const files = document.files.map((file) => ({ ...file, name: `../../../${file.name}` }));
      await served.store.put(
        resultsBucket,
        name,
        Buffer.from(JSON.stringify({ ...document, files })),
        'text/plain',
      );
    }
    const folder = folderWith({}, onTestFinished);
    const args = ['download', '--endpoint', served.endpoint, '-o', 'out', key];
    const { status, stderr } = await runProgram(folder, args);
    expect([status, stderr.split('\n')]).toEqual([2, [expect.stringContaining('../../../'), '']]);
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readdirSync(join(folder, 'out/inbox/traversal.txt'))).toEqual([]);
  });

  test.each([
    ['that leads nowhere', 'nowhere/below'],
    ['to itself', 'out'],
    ['to a file', 'file.txt'],
  ])('into a symbolic link %s is refused in one line', async (_name, target) => {
    const folder = folderWith({ 'file.txt': '' }, onTestFinished);
    symlinkSync(target, join(folder, 'out'));
    const { status, stderr } = await download(folder, 'inbox/a.txt');
    expect(status).toBe(2);
    expect(stderr.split('\n')).toEqual([expect.stringContaining('/out'), '']);
  });
});
