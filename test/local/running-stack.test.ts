import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { recordStack, runningStackAt } from '../../lib/local/running-stack.ts';
import { temporaryFolder } from './fixture-function.ts';

const STACK = {
  endpoint: 'http://127.0.0.1:9000',
  region: 'us-east-1',
  accessKeyId: 'DLX1',
  secretAccessKey: 'secret',
};
let folder: string;

beforeEach(() => {
  const state = temporaryFolder(onTestFinished);
  vi.stubEnv('XDG_STATE_HOME', state);
  onTestFinished(() => void vi.unstubAllEnvs());
  folder = join(state, 'dlx-batch');
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Replaces the process of a record. */
function change(name: string, processId: number): void {
  const record = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, name), JSON.stringify({ ...record, processId }));
}

test('a running stack is found by every name of this machine, until it is removed', () => {
  const forget = recordStack(STACK);
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    expect(runningStackAt(`http://${name}:9000/`)).toMatchObject(STACK);
  }
  expect(runningStackAt('http://127.0.0.1:9001')).toBeUndefined();
  expect(runningStackAt('http://192.168.0.2:9000')).toBeUndefined();
  expect(runningStackAt('http://127.0.0.1.evil.example:9000')).toBeUndefined();
  forget();
  expect(runningStackAt(STACK.endpoint)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test('a record is readable by its user alone', () => {
  recordStack(STACK);
  expect(modeOf(folder)).toBe(0o700);
  expect(modeOf(join(folder, 'stack-9000.json'))).toBe(0o600);
});

test('the record of a process that was killed is not used', () => {
  recordStack(STACK);
  change('stack-9000.json', spawnSync(process.execPath, ['--version']).pid);
  expect(runningStackAt(STACK.endpoint)).toBeUndefined();
});

test('a stack does not remove the record of another one at its port', () => {
  const forget = recordStack(STACK);
  change('stack-9000.json', process.ppid);
  forget();
  expect(runningStackAt(STACK.endpoint)).toMatchObject(STACK);
});

test('a file of another program is ignored, and other files are kept', () => {
  recordStack(STACK);
  writeFileSync(join(folder, 'stack-9000.json'), '{');
  writeFileSync(join(folder, 'notes.txt'), '');
  expect(runningStackAt(STACK.endpoint)).toBeUndefined();
  recordStack(STACK);
  expect(runningStackAt(STACK.endpoint)).toMatchObject(STACK);
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'stack-9000.json']);
});

test('without a state folder, nothing is found, and a stack cannot be recorded', () => {
  writeFileSync(`${folder}-file`, '');
  vi.stubEnv('XDG_STATE_HOME', `${folder}-file`);
  expect(runningStackAt(STACK.endpoint)).toBeUndefined();
  expect(() => recordStack(STACK)).toThrow('ENOTDIR');
});
