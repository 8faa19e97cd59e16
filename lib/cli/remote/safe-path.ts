/** Where the result set of an input key is saved: always below the folder that was asked for, whatever the key says. */
import { join, resolve, sep } from 'node:path';

/** Characters, besides control characters, that some file system cannot have in a name. */
const FORBIDDEN = '<>:"|?*\\%';

/**
 * The folder of a key's result set.
 *
 * `..`, empty names, names that end in a dot and characters that a file system refuses are written as `%XX`, so that
 * different keys stay different folders.
 *
 * @throws RangeError where the key would still lead outside: a defect
 */
export function resultFolder(outputDir: string, inputKey: string): string {
  const names = inputKey.split('/').map((name) => {
    const plain = Array.from(name, (character) =>
      character < ' ' || FORBIDDEN.includes(character) ? percent(character) : character,
    ).join('');
    if (plain === '') return '%';
    return plain.replaceAll(/^\.+$|[. ]$/g, (dots) => Array.from(dots, percent).join(''));
  });
  const root = resolve(outputDir);
  const folder = resolve(root, join(...names));
  if (!folder.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
    throw new RangeError(`key ${JSON.stringify(inputKey)} leads outside ${root}`);
  }
  return folder;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
