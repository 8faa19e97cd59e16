/** Where the result set of an input key is saved: always below the folder that was asked for, whatever the key says. */
import { join, resolve, sep } from 'node:path';
import { sha256Hex } from '../../../batch/delivery/job-id.ts';
import { systemHashing } from '../../../node/system.ts';

/** Characters, besides control characters, that some file system cannot have in a name. */
const FORBIDDEN = '<>:"|?*\\%';

const MAX_NAME_BYTES = 255;
const HASH_DIGITS = 16;

/**
 * The folder of a key's result set.
 *
 * `..`, empty names, names that end in a dot and characters that a file system refuses are written as `%XX`, so that
 * different keys stay different folders.
 *
 * @throws RangeError where the key would still lead outside: a defect
 */
export function resultFolderPath(outputDir: string, inputKey: string): string {
  const names = inputKey.split('/').map((name) => {
    const plain = Array.from(name, (character) =>
      character < ' ' || FORBIDDEN.includes(character) ? percent(character) : character,
    ).join('');
    if (plain === '') return '%';
    return shortened(plain.replaceAll(/^\.+$|[. ]$/g, (dots) => Array.from(dots, percent).join('')));
  });
  const root = resolve(outputDir);
  const folder = resolve(root, join(...names));
  if (!folder.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
    throw new RangeError(`key ${JSON.stringify(inputKey)} leads outside ${root}`);
  }
  return folder;
}

/** File systems end a name at 255 bytes: a longer one is cut at a character, and its hash keeps it apart from others. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  let head = '';
  for (const character of name) {
    if (Buffer.byteLength(head + character) > MAX_NAME_BYTES - 1 - HASH_DIGITS) break;
    head += character;
  }
  return `${head}~${sha256Hex(name, systemHashing).slice(0, HASH_DIGITS)}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
