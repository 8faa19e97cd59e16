/** The folder for the result set of an input key, always below the requested folder. */
import { join, resolve, sep } from 'node:path';
import { sha256Hex } from '../../../batch/delivery/job-id.ts';
import { systemHashing } from '../../../node/system.ts';

/** Characters, in addition to control characters, that some file systems forbid in names. */
const FORBIDDEN = '<>:"|?*\\%';

const MAX_NAME_BYTES = 255;
const HASH_DIGITS = 16;

/**
 * Returns the folder of a key's result set.
 *
 * `..`, empty names, trailing dots and forbidden characters are written as `%XX`, so that different keys have different
 * folders.
 *
 * @throws RangeError if the path would still be outside, which is a defect
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
    throw new RangeError(`key ${JSON.stringify(inputKey)} is outside ${root}`);
  }
  return folder;
}

/** Cuts a name over 255 bytes, the limit of file systems, between characters, and appends a hash to keep it unique. */
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
