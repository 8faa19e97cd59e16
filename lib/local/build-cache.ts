/**
 * Results of builds that take seconds (bundles, the template), kept from one start of the stack to the next.
 *
 *     <cache>/<digest of all sources>/<name>/<digest of the files>/    a result
 *     <cache>/unfinished-<random>/                                     one that is being written
 *     <cache>/building-<name>                                          the lock of the process that writes it
 *
 * Nothing is reused after a change of a source, of the settings or of a dependency. A result is complete when its folder
 * is renamed, and its files are compared with its name before each use: a process that is killed, a second process, and
 * a damaged file cost a build and never give a wrong result. Processes that need the same build at once wait for one of them.
 *
 * The cache is in node_modules, or, if that is read-only, in the user's cache folder; without both, each start builds.
 * The package needs none: it contains its template and its functions.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { digestOf, programSources } from '../../functions/bundle.ts';
import { createFolder } from '../node/create-folder.ts';
import { FolderInUseError, lockFolder } from '../node/folder-lock.ts';
import { contentDigest } from './content-digest.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE_FOLDERS = ['lib', 'functions', 'bin'];
/** The last one has the installed versions of the dependencies, if npm has installed them. */
const SETTINGS = ['cdk.json', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
/** Days after which builds of other sources are removed. */
const MAX_AGE_DAYS = 3;
const DAY_MS = 86_400_000;
const LOCK_POLL_MS = 50;
/** Then it builds too: the process that a lock names may be that of another container, which has ended. */
const MAX_LOCK_POLLS = 1200;
/** Other folders in the cache are those of Node's compile cache. */
const OWN_FOLDER = /^([0-9a-f]{16}|unfinished-.*)$/;
/** No permission, a read-only disk, or no folder of the user. */
const NO_ACCESS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'];
/** Another process has removed or created the same file. */
const CHANGED = ['ENOENT', 'EEXIST', 'ENOTEMPTY'];

let digest: string | undefined;

/**
 * Puts the result of a build into a folder, which is made if missing.
 *
 * @param name of the build, with all that it depends on except the sources
 * @param build writes its result into an empty folder
 * @param caches folders, of which the first that can be used is used
 */
export async function buildOnce(
  name: string,
  outDir: string,
  build: (folder: string) => Promise<void>,
  caches = cacheFolders(),
): Promise<void> {
  digest ??= sourcesDigest(ROOT);
  const results = join(digest, name);
  if (caches.some((cache) => copyResult(cache, results, outDir))) return;
  for (const cache of caches) {
    const unfinished = createUnfinished(cache);
    if (unfinished === undefined) continue;
    const unlock = await lockBuild(cache, name);
    try {
      // Another process has built it meanwhile.
      if (copyResult(cache, results, outDir)) return;
      await build(unfinished);
      copyFiles(unfinished, outDir);
      publish(unfinished, join(cache, results));
      removeOld(cache);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
      unlock();
    }
    return;
  }
  createFolder(outDir);
  await build(outDir);
}

/** A digest of all that a build depends on. @param root absolute path of the project */
export function sourcesDigest(root: string): string {
  const settings = SETTINGS.filter((path) => existsSync(join(root, path)));
  return digestOf(root, [...programSources(root, SOURCE_FOLDERS), ...settings]);
}

function cacheFolders(): string[] {
  const { XDG_CACHE_HOME = '', LOCALAPPDATA = '' } = process.env;
  const user = [XDG_CACHE_HOME, LOCALAPPDATA].find((path) => isAbsolute(path)) ?? join(homedir(), '.cache');
  return [join(ROOT, 'node_modules/.cache/dlx-batch'), join(user, 'dlx-batch')];
}

/** Whether a cache belongs to this user: it has code that runs, and others could write to a folder such as /tmp. */
function isOwn(cache: string): boolean {
  const found = statSync(cache, { throwIfNoEntry: false });
  return found !== undefined && (process.getuid === undefined || found.uid === process.getuid());
}

/** An empty folder in a cache, which is created if it is missing; undefined if this process cannot write there. */
function createUnfinished(cache: string): string | undefined {
  return ifAccessible(() => {
    createFolder(cache, 0o700);
    return isOwn(cache) ? mkdtempSync(join(cache, 'unfinished-')) : undefined;
  });
}

/** Waits until no other process builds this. @returns a function that lets the next one build */
async function lockBuild(cache: string, name: string): Promise<() => void> {
  for (let polls = 0; polls < MAX_LOCK_POLLS; polls++) {
    try {
      return lockFolder(cache, `building-${name}`);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      await sleep(LOCK_POLL_MS);
    }
  }
  return () => {};
}

/** Copies a complete result. @returns whether there is one */
function copyResult(cache: string, path: string, outDir: string): boolean {
  const isCopied = ifAccessible(() => {
    const results = join(cache, path);
    if (!isOwn(cache) || !existsSync(results)) return false;
    const complete = readdirSync(results).find((name) => contentDigest(join(results, name)) === name);
    if (complete === undefined) return false;
    copyFiles(join(results, complete), outDir);
    return true;
  });
  return isCopied === true;
}

function copyFiles(from: string, outDir: string): void {
  // With a filter, Node copies file by file, and reports a full disk as ENOSPC instead of EIO.
  cpSync(from, outDir, { recursive: true, filter: () => true });
}

/** Renames a result to its place, unless another process has built the same at the same time. */
function publish(unfinished: string, results: string): void {
  const name = contentDigest(unfinished);
  const place = join(results, name);
  ifAccessible(() => {
    mkdirSync(results, { recursive: true });
    for (const other of readdirSync(results)) {
      if (contentDigest(join(results, other)) !== other) rmSync(join(results, other), { recursive: true });
    }
    if (!existsSync(place)) renameSync(unfinished, place);
  });
}

/** Removes the builds of other sources, and those that were never finished. */
function removeOld(cache: string): void {
  ifAccessible(() => {
    for (const name of readdirSync(cache).filter((found) => OWN_FOLDER.test(found))) {
      const path = join(cache, name);
      if (Date.now() - statSync(path).mtimeMs > MAX_AGE_DAYS * DAY_MS) {
        rmSync(path, { recursive: true, force: true });
      }
    }
  });
}

/**
 * Runs something that reads or writes a cache.
 *
 * @returns its result; undefined if this process may not do it, or another process changed the same files meanwhile: both
 *   cost only a build
 */
function ifAccessible<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NO_ACCESS.includes(code) || CHANGED.includes(code)) return undefined;
    throw error;
  }
}
