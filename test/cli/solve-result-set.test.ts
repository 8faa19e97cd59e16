import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EASY, HARD, MIXED_FILE, MIXED_OPTIONS } from '../support/puzzles.ts';
import { manifestIn, mismatches } from './manifest-check.ts';
import { folderWith, runProgram } from './program.ts';

/** Needs a guess. */
const SPARSE = EASY.replace(/(\d\D*){8}$/, (end) => end.replaceAll(/\d/g, '.'));
const MIXED_FLAGS = Object.entries(MIXED_OPTIONS).flatMap(([name, value]) => [`--${name}`, value]);

function bytesIn(folder: string, name: string): Uint8Array {
  return readFileSync(join(folder, name));
}

describe('solve -o writes the full result set of a file', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    const folder = folderWith({ 'mixed.txt': MIXED_FILE }, afterAll);
    const flags = ['solve', ...MIXED_FLAGS, '--records', 'mixed.txt'];
    await Promise.all([
      runProgram(folder, [...flags, '--json', '-o', 'first/run', '--workers', '2']),
      runProgram(folder, [...flags, '-o', 'second', '--workers', '1']),
    ]);
    first = join(folder, 'first/run/mixed.txt');
    second = join(folder, 'second/mixed.txt');
  });

  test('whose manifest names every other file, with correct checksums', () => {
    const manifest = manifestIn(first);
    expect(manifest.files.map(({ name }) => name).sort()).toEqual(
      readdirSync(first)
        .filter((name) => name !== 'manifest.json')
        .sort(),
    );
    expect(mismatches(manifest, (name) => bytesIn(first, name))).toEqual([]);
  });

  test.each(['solutions.txt', 'exceptions.jsonl'])('with the same bytes in %s in every run', (name) => {
    expect(bytesIn(second, name)).toEqual(bytesIn(first, name));
  });

  test('with the same manifest in every run, except for files with times', () => {
    const untimed = (folder: string) => {
      const manifest = manifestIn(folder);
      const timed = ['records.jsonl', 'report.html', 'stats.json'];
      const files = manifest.files.filter(({ name }) => !timed.includes(name));
      return { ...manifest, files };
    };
    expect(untimed(second)).toEqual(untimed(first));
  });
});

describe('solve -o', () => {
  test('with the same hardest puzzles for any number of threads', async () => {
    // Easy puzzles with few hard ones between them, in many blocks.
    const lines = Array.from({ length: 12_000 }, (_, k) => (k % 701 === 700 ? HARD : k % 97 ? EASY : SPARSE));
    const folder = folderWith({ 'a.txt': `${lines.join('\n')}\n` });
    const hardest = async (workers: string) => {
      await runProgram(folder, ['solve', '--workers', workers, '-o', workers, 'a.txt']);
      return JSON.parse(readFileSync(join(folder, workers, 'a.txt/stats.json'), 'utf8')).hardest;
    };
    const alone = await hardest('1');
    expect(alone.map(({ index }: { index: number }) => index)).toEqual(
      Array.from({ length: 10 }, (_, k) => 701 * (k + 1)),
    );
    expect(await hardest('2')).toEqual(alone);
    expect(await hardest('4')).toEqual(alone);
  });
});
