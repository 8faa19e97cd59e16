/**
 * Results of builds that take seconds (bundles, the template), kept from one start of the stack to the next.
 *
 *     node_modules/.cache/dlx-batch/<digest of all sources>/<name>/
 *
 * Nothing is reused after a change of any source, of the settings or of the dependencies.
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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf, programSources } from '../../functions/bundle.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/dlx-batch');
const SETTINGS = ['cdk.json', 'package.json', 'package-lock.json'];
/** Days after which builds of other sources are removed. */
const MAX_AGE_DAYS = 3;
const DAY_MS = 86_400_000;

let digest: string | undefined;

/**
 * Puts the result of a build into a folder, which is made if missing.
 *
 * @param name of the build, with all that it depends on except the sources
 * @param build writes its result into an empty folder
 */
export async function buildOnce(
  name: string,
  outDir: string,
  build: (folder: string) => Promise<void>,
): Promise<void> {
  const { folder, made } = cacheFolder();
  if (folder === undefined) return build(outDir);
  const entry = join(folder, name);
  if (!existsSync(entry)) {
    if (made) removeOld();
    const unfinished = mkdtempSync(join(folder, 'unfinished-'));
    await build(unfinished);
    try {
      renameSync(unfinished, entry);
    } catch (error) {
      rmSync(unfinished, { recursive: true });
      // Another process has built the same at the same time.
      if (!existsSync(entry)) throw error;
    }
  }
  // With a filter, Node copies file by file, and reports a full disk as ENOSPC instead of EIO.
  cpSync(entry, outDir, { recursive: true, filter: () => true });
}

/** The folder of these sources; undefined if there is no place for one, as in a read-only installation. */
function cacheFolder(): { readonly folder?: string; readonly made?: boolean } {
  digest ??= digestOf(ROOT, [...programSources(ROOT, ['lib', 'functions', 'bin']), ...SETTINGS]);
  const folder = join(CACHE, digest);
  try {
    return { folder, made: mkdirSync(folder, { recursive: true }) !== undefined };
  } catch {
    return {};
  }
}

function removeOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (Date.now() - statSync(path).mtimeMs > MAX_AGE_DAYS * DAY_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
