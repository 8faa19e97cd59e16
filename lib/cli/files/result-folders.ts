/** The folders of result sets: one for each input, below the requested folder, distinct on every operating system. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../batch/delivery/job-id.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { RESULT_SET_NAME } from '../../node/result-folder.ts';
import { systemHashing } from '../../node/system.ts';

/** An input with a result set. */
export interface ResultInput {
  /** Its key or file name; it names the folder. */
  readonly name: string;
  /** Distinguishes inputs with the same name. */
  readonly id: string;
}

/** Control, format and separator characters, and those that Windows forbids in names. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*\\%]/gu;
/** Dots that mean another folder, and a last dot or space, which Windows removes. */
const DOTS = /^\.+$|[. ]$/g;
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?=(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³]) *(?:\.|$))./i;
/** The end of a name that was cut or made distinct. */
const HASHED = /~(?=[0-9a-f]{16}$)/i;
/** The last dot of a name, or its last character. */
const LAST_DOT = /\.(?=[^.]*$)/;
/** Folders of uploads, which have no result set themselves. */
const UPLOADS = [INBOX_PREFIX, SCHEDULED_PREFIX];

/** Limits of a name and of a path in UTF-8 bytes; a path on macOS has 1,024 with the requested folder. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 800;
const HASH_DIGITS = 16;
const PARALLEL_READS = 32;

/**
 * Returns a folder for each input, by its id.
 *
 * A folder has the names in the key, with `%XX` in place of what a file system cannot store. Names that differ only in
 * case, or in the Unicode form of their letters, are one name on some systems: the first input in the order of names
 * then has the plain folder, and the others one with a hash of their id. A folder on disk that holds the result set of
 * another key is not used, so an input has the same folder in a second download.
 *
 * @param ownersMatter whether folders on disk belong to the keys in their manifests; otherwise, they are replaced
 */
export async function resultFolders(
  outputDir: string,
  inputs: readonly ResultInput[],
  ownersMatter: boolean,
): Promise<ReadonlyMap<string, string>> {
  const ownerIn = async (names: readonly string[]) =>
    ownersMatter ? ownerOf(join(outputDir, ...names)) : undefined;
  const wanted = await inParallel([...inputs].sort(byNameAndId), PARALLEL_READS, async ({ name, id }) => {
    const plain = resultFolderNames(name);
    const distinct = [...plain.slice(0, -1), hashed(plain.at(-1)!, id)];
    const owner = await ownerIn(plain);
    const isOfAnother = owner !== undefined && owner !== id;
    const needsDistinct = isOfAnother || (owner === undefined && (await ownerIn(distinct)) === id);
    return { id, plain, distinct, isOwn: owner === id, needsDistinct };
  });
  // Who has the plain folder keeps it.
  wanted.sort((a, b) => Number(b.isOwn) - Number(a.isOwn));
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, plain, distinct, needsDistinct } of wanted) {
    if (folders.has(id)) continue;
    const names = needsDistinct || taken.has(folded(plain.join('/'))) ? distinct : plain;
    taken.add(folded(names.join('/')));
    folders.set(id, join(outputDir, ...names));
  }
  return folders;
}

/** The names in a path for a key; different keys have different paths. */
function resultFolderNames(key: string): string[] {
  const nested = UPLOADS.find((prefix) => key.startsWith(prefix)) === undefined ? 1 : 2;
  const names = key.split('/').map((name, k) => storableName(name, k >= nested));
  let bytes = 0;
  const fitting = names.findIndex((name) => {
    bytes += Buffer.byteLength(name) + 1;
    return bytes > MAX_PATH_BYTES;
  });
  return fitting < 0 ? names : [...names.slice(0, fitting), hashed('', key)];
}

/** @param nested whether its folder can be a result set, with files */
function storableName(name: string, nested: boolean): string {
  const plain = name.replaceAll(FORBIDDEN, percent).replace(HASHED, percent);
  if (plain === '') return '%';
  const distinct = nested && RESULT_SET_NAME.test(folded(plain)) ? plain.replace(LAST_DOT, percent) : plain;
  const storable = distinct
    .replaceAll(DOTS, (text) => Array.from(text, percent).join(''))
    .replace(DEVICE, percent);
  return Buffer.byteLength(storable) <= MAX_NAME_BYTES ? storable : hashed(storable, name);
}

/** Cuts a name between characters if necessary, and appends a hash. */
function hashed(name: string, id: string): string {
  let head = '';
  for (const character of name) {
    if (Buffer.byteLength(head + character) > MAX_NAME_BYTES - 1 - HASH_DIGITS) break;
    head += character;
  }
  return `${head}~${sha256Hex(id, systemHashing).slice(0, HASH_DIGITS)}`;
}

/** `%XX` for each UTF-8 byte. */
function percent(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** Equal for names that Windows or macOS cannot keep apart. */
function folded(name: string): string {
  return name.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
}

function byNameAndId(a: ResultInput, b: ResultInput): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** The key whose result set a folder has; undefined if it has none, or one of a file of this machine. */
async function ownerOf(folder: string): Promise<string | undefined> {
  for (const name of ['manifest.json', 'error.json']) {
    const text = await ifReadable(readFile(join(folder, name), 'utf8'));
    if (text !== undefined) return keyIn(text);
  }
  return undefined;
}

function keyIn(document: string): string | undefined {
  try {
    const key: unknown = JSON.parse(document)?.input?.key;
    return typeof key === 'string' ? key : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined if the file or folder does not exist or cannot be read: then writing to it fails, with a clear error. */
async function ifReadable<Content>(reading: Promise<Content>): Promise<Content | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) return undefined;
    throw error;
  }
}
