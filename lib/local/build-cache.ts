/**
 * Results of builds that take seconds (bundles, the template), kept from one start of the stack to the next.
 *
 *     node_modules/.cache/dlx-batch/<digest of all sources>/<name>/
 *
 * Nothing is reused after a change of any source, of the settings or of the dependencies.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/dlx-batch');
const SOURCES = ['lib', 'functions', 'bin', 'cdk.json', 'package.json', 'package-lock.json'];
/** Builds of other sources are removed after so many days without a use. */
const MAX_AGE_DAYS = 3;
const DAY_MS = 86_400_000;

let digest: string | undefined;

/**
 * Puts the result of a build into a folder, which is made if missing.
 *
 * @param name of the build; names what it depends on besides the sources
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
  cpSync(entry, outDir, { recursive: true });
}

/** The folder of these sources; undefined if there is no place for one, as in a read-only installation. */
function cacheFolder(): { readonly folder?: string; readonly made?: boolean } {
  digest ??= sourceDigest();
  const folder = join(CACHE, digest);
  try {
    return { folder, made: mkdirSync(folder, { recursive: true }) !== undefined };
  } catch {
    return {};
  }
}

function sourceDigest(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    if (!existsSync(path)) continue;
    const names = statSync(path).isFile() ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' });
    for (const name of names.sort()) {
      const file = join(path, name);
      if (statSync(file).isFile()) hash.update(`${source}/${name}\n`).update(readFileSync(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (Date.now() - statSync(path).mtimeMs > MAX_AGE_DAYS * DAY_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
