/** The keys of a local stack: random for each data folder, and kept in it for this user alone. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './s3/signature.ts';

export const KEYS_FILE = 'keys.json';

/**
 * Reads the keys of a data folder, or creates them.
 *
 * @throws Error if the file is damaged
 */
export function openStackKeys(dataDir: string): Credentials {
  const path = join(dataDir, KEYS_FILE);
  const found = readKeys(path);
  if (found !== undefined) {
    // A copy of the folder may have lost the mode.
    chmodSync(path, 0o600);
    return found;
  }
  // A link is created with its content or not at all, and never replaces the keys of another process.
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(unfinished, JSON.stringify(newKeys()), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    // A file system without hard links, such as exFAT.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readKeys(path)!;
}

function newKeys(): Credentials {
  return {
    accessKeyId: `DLX${randomBytes(9).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('hex'),
  };
}

function readKeys(path: string): Credentials | undefined {
  if (!existsSync(path)) return undefined;
  const keys = parsedKeys(readFileSync(path, 'utf8'));
  if (keys === undefined) throw new Error(`${path} is damaged: remove it, and new keys are created`);
  return keys;
}

function parsedKeys(text: string): Credentials | undefined {
  try {
    const { accessKeyId, secretAccessKey } = JSON.parse(text);
    const isComplete = /^\w{16,}$/.test(accessKeyId) && /^\w{40,}$/.test(secretAccessKey);
    return isComplete ? { accessKeyId, secretAccessKey } : undefined;
  } catch {
    return undefined;
  }
}
