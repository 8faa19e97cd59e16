/** The benchmark as a program: all engines and their reference on a file. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';
import { EASY } from '../support/puzzles.ts';
import { SOLVER_NAMES } from './solvers.ts';

test('a file is measured by all six solvers, as one JSON object', async () => {
  const path = join(temporaryFolder(), 'easy.txt');
  await writeFile(path, `${EASY}\n`.repeat(20));
  const run = join(import.meta.dirname, 'run.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    run,
    path,
    '--json',
    '--passes',
    '1',
    '--pass-ms',
    '10',
  ]);
  const { results } = JSON.parse(stdout);
  expect(results.map(({ solver }: { solver: string }) => solver)).toEqual(SOLVER_NAMES);
  for (const row of results) {
    expect(row).toEqual({
      solver: expect.any(String),
      version: expect.stringMatching(/^\d/),
      file: 'easy.txt',
      limit: 2,
      puzzles: 20,
      puzzlesPerSecond: expect.any(Number),
      ratio: expect.any(Number),
    });
  }
});
