/** Resumes an interrupted download, and downloads the results of a bulk run. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { SOLUTION } from '../support/puzzles.ts';
import { folderWith, runProgram, startProgram } from './program.ts';
import { serveSolved } from './solved-keys.ts';

const { resultsBucket } = LOCAL_STACK;
/** A key that is cut in the results bucket. */
const LONG = `inbox/${'é'.repeat(420)}.txt`;
const KEYS = [...Array.from({ length: 24 }, (_, k) => `inbox/p${k}.txt`), LONG];

let endpoint: string;
let store: ObjectStore;

beforeAll(async () => {
  ({ endpoint, store } = await serveSolved(KEYS));
});

const args = (...rest: string[]) => ['download', '--endpoint', endpoint, '-o', 'out', ...rest];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Files under their final names that differ from the manifest in the same folder. */
function corruptFiles(folder: string): string[] {
  const manifests = filesBelow(folder).filter((path) => path.endsWith('manifest.json'));
  return manifests.flatMap((path) => {
    const { files }: Manifest = JSON.parse(readFileSync(path, 'utf8'));
    return files
      .map(({ name, sha256 }) => [path.replace('manifest.json', name), sha256] as const)
      .filter(([file, sha256]) => createHash('sha256').update(readFileSync(file)).digest('hex') !== sha256)
      .map(([file]) => file);
  });
}

describe('download', () => {
  test('killed in the middle leaves no corrupt file, and fetches only the rest when run again', async () => {
    const folder = folderWith({}, onTestFinished);
    const program = startProgram(folder, args());
    const closed = new Promise((resolve) => program.once('close', resolve));
    await new Promise((resolve) => createInterface({ input: program.stdout }).once('line', resolve));
    program.kill('SIGKILL');
    await closed;
    const out = join(folder, 'out');
    const manifests = filesBelow(out).filter((path) => path.endsWith('manifest.json'));
    expect(manifests.length).toBeGreaterThan(0);
    expect(manifests.length).toBeLessThan(KEYS.length);
    expect(corruptFiles(out)).toEqual([]);

    const again = await runProgram(folder, args('--json'));
    const { results } = JSON.parse(again.stdout) as { results: { kept: number }[] };
    expect(again.status).toBe(0);
    expect(results.filter(({ kept }) => kept > 0).length).toBeGreaterThanOrEqual(manifests.length);
    const there = filesBelow(out);
    expect(there.filter((path) => path.endsWith('solutions.txt'))).toHaveLength(KEYS.length);
    expect(there.filter((path) => path.endsWith('.part'))).toEqual([]);
    expect(corruptFiles(out)).toEqual([]);
  });

  test('--run fetches the results of a bulk run, and reports keys without a result', async () => {
    const lines = ['inbox/p3.txt', 'inbox/later.txt', 'inbox/p3.txt'].map((key) => JSON.stringify({ key }));
    const files = {
      'status.json': '{}',
      'plan/00000.json': JSON.stringify({ versions: 'runs/night-1/plan/00000-a.jsonl' }),
      'plan/00000-a.jsonl': `${lines.join('\n')}\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      await store.put(resultsBucket, `runs/night-1/${name}`, Buffer.from(text), 'text/plain');
    }
    const folder = folderWith({}, onTestFinished);
    const { stdout, status } = await runProgram(folder, args('--run', 'night-1'));
    expect(stdout.split('\n').sort()).toEqual([
      '',
      'inbox/later.txt: no result yet',
      expect.stringMatching(/^inbox\/p3.txt: \d files in /),
    ]);
    expect(readFileSync(join(folder, 'out/inbox/p3.txt/solutions.txt'), 'utf8')).toBe(`${SOLUTION}\n`);
    expect(status).toBe(1);
  });
});
