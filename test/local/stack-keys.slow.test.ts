import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openStackKeys } from '../../lib/local/stack-keys.ts';
import { temporaryFolder } from './fixture-function.ts';

const MODULE = join(import.meta.dirname, '../../lib/local/stack-keys.ts');

test('keys are random for each folder, kept in it, and readable by its user alone', () => {
  const [one, other] = [temporaryFolder(onTestFinished), temporaryFolder(onTestFinished)];
  const keys = openStackKeys(one);
  expect(keys.accessKeyId).toMatch(/^DLX[0-9A-F]{18}$/);
  expect(keys.secretAccessKey).toMatch(/^[0-9a-f]{60}$/);
  chmodSync(join(one, 'keys.json'), 0o644);
  expect(openStackKeys(one)).toEqual(keys);
  expect(readdirSync(one)).toEqual(['keys.json']);
  expect(statSync(join(one, 'keys.json')).mode & 0o777).toBe(0o600);
  const { accessKeyId, secretAccessKey } = openStackKeys(other);
  expect(accessKeyId).not.toBe(keys.accessKeyId);
  expect(secretAccessKey).not.toBe(keys.secretAccessKey);
});

test.each([
  '',
  '{',
  'null',
  '{"accessKeyId":"a","secretAccessKey":""}',
  '{"accessKeyId":"DLX0123456789ABCDEF"}',
])('a damaged file is named, and never used: %s', (text) => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'keys.json'), text);
  expect(() => openStackKeys(folder)).toThrow(/keys\.json is damaged: remove it/);
});

test('processes that start at the same time use the same keys', async () => {
  const folder = temporaryFolder(onTestFinished);
  const script = `import { openStackKeys } from ${JSON.stringify(MODULE)};
    console.log(openStackKeys(${JSON.stringify(folder)}).secretAccessKey);`;
  const args = ['--input-type=module', '-e', script];
  const printed = await Promise.all(
    Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args)),
  );
  expect(new Set(printed.map(({ stdout }) => stdout)).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['keys.json']);
});
