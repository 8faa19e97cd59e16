import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { temporaryFolder } from './fixture-function.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a new data folder is readable by its user alone', () => {
  const path = join(temporaryFolder(onTestFinished), 'new/data');
  openDataFolder(path);
  expect(modeOf(path)).toBe(0o700);
});

test('an existing data folder becomes so', () => {
  const path = temporaryFolder(onTestFinished);
  mkdirSync(join(path, 's3'));
  writeFileSync(join(path, 'queue.jsonl'), '');
  writeFileSync(join(path, 'executions.jsonl.new'), '');
  chmodSync(path, 0o755);
  openDataFolder(path);
  expect(modeOf(path)).toBe(0o700);
});

test('a folder with other files keeps its mode', () => {
  const path = temporaryFolder(onTestFinished);
  mkdirSync(join(path, 's3'));
  writeFileSync(join(path, 'thesis.txt'), '');
  chmodSync(path, 0o755);
  openDataFolder(path);
  expect(modeOf(path)).toBe(0o755);
});

test('code that the stack runs cannot be replaced by others, whatever the umask and the folder', () => {
  const path = temporaryFolder(onTestFinished);
  writeFileSync(join(path, 'thesis.txt'), '');
  chmodSync(path, 0o755);
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  openDataFolder(path);
  expect(modeOf(join(path, 'deployments'))).toBe(0o700);
});
