/**
 * Records of running stacks, with which commands in other shells find their keys:
 *
 *     <state folder of the user>/dlx-batch/stack-<port>.json     endpoint, keys and process, mode 0600
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isAlive } from '../node/folder-lock.ts';
import { isOnThisMachine } from './own-requests.ts';
import type { Credentials } from './s3/signature.ts';

export interface RunningStack extends Credentials {
  /** URL of all services. */
  readonly endpoint: string;
  readonly region: string;
}

interface StackRecord extends RunningStack {
  readonly processId: number;
}

/**
 * Records a stack of this process.
 *
 * @returns a function that removes the record
 * @throws Error if the folder cannot be written
 */
export function recordStack(stack: RunningStack): () => void {
  const { endpoint, region, accessKeyId, secretAccessKey } = stack;
  const folder = stateFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = recordPath(folder, endpoint);
  const record: StackRecord = { endpoint, region, accessKeyId, secretAccessKey, processId: process.pid };
  const unfinished = `${path}.${process.pid}`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
  renameSync(unfinished, path);
  return () => {
    if (readRecord(path)?.processId === process.pid) rmSync(path, { force: true });
  };
}

/** Finds the stack at an endpoint of this machine; undefined if none is recorded, or its process has ended. */
export function runningStackAt(endpoint: string): RunningStack | undefined {
  if (!isOnThisMachine(new URL(endpoint))) return undefined;
  const record = readRecord(recordPath(stateFolder(), endpoint));
  return record !== undefined && isAlive(record.processId) ? record : undefined;
}

/** The folder of the XDG Base Directory Specification, or that of Windows. */
function stateFolder(): string {
  const { XDG_STATE_HOME = '', LOCALAPPDATA = '' } = process.env;
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'dlx-batch');
  if (process.platform === 'win32' && isAbsolute(LOCALAPPDATA)) return join(LOCALAPPDATA, 'dlx-batch');
  return join(homedir(), '.local/state/dlx-batch');
}

/** A port has one server, whatever name of this machine a client uses. */
function recordPath(folder: string, endpoint: string): string {
  return join(folder, `stack-${new URL(endpoint).port || '80'}.json`);
}

/** A record; undefined if there is none, or another program wrote the file. */
function readRecord(path: string): StackRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8'));
    return typeof record?.processId === 'number' ? record : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
