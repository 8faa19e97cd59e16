/** The data folder of a local stack: only its user may read it. */
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../node/create-folder.ts';
import { KEYS_FILE } from './stack-keys.ts';

/** The files and folders of a stack. */
const OWN_ENTRIES: readonly string[] = [
  KEYS_FILE,
  's3',
  'queue.jsonl',
  'dead-letters.jsonl',
  'executions.jsonl',
  'webhook.jsonl',
  'deployments',
  // Of earlier versions.
  'functions',
  'cdk.out',
];

/**
 * Creates a data folder, or restricts an existing one to its user. A folder that also has other files keeps its mode,
 * which may be meant for others; the stack's own files in it are restricted anyway.
 */
export function openDataFolder(path: string): void {
  createFolder(path, 0o700);
  const isOwn = readdirSync(path).every((name) => OWN_ENTRIES.includes(name.replace(/\.new$/, '')));
  if (isOwn) chmodSync(path, 0o700);
  // Code that the stack runs.
  createFolder(join(path, 'deployments'), 0o700);
}
