/** Resumes a download that was killed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkFolder } from '../support/result-schemas.ts';
import { folderWith, runProgram, startProgram } from './program.ts';
import { serveSolved } from './solved-keys.ts';

/** A key that is cut in the results bucket. */
const LONG = `inbox/${'é'.repeat(420)}.txt`;
const KEYS = [...Array.from({ length: 24 }, (_, k) => `inbox/p${k}.txt`), LONG];

let endpoint: string;

beforeAll(async () => {
  ({ endpoint } = await serveSolved(KEYS));
});

const args = (...rest: string[]) => ['download', '--endpoint', endpoint, '-o', 'out', ...rest];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
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
    checkFolder(out);

    const again = await runProgram(folder, args('--json'));
    const { results } = JSON.parse(again.stdout) as { results: { kept: number }[] };
    expect(again.status).toBe(0);
    expect(results.filter(({ kept }) => kept > 0).length).toBeGreaterThanOrEqual(manifests.length);
    const there = filesBelow(out);
    expect(there.filter((path) => path.endsWith('solutions.txt'))).toHaveLength(KEYS.length);
    expect(there.filter((path) => path.endsWith('.part'))).toEqual([]);
  });
});
